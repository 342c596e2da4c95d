import type { BrowserContext, FrameLocator, Locator, Page } from '@playwright/test'
import { type Address, type Hex, isAddress, isHex, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { paste } from './clipboard'
import { lastMail, type Mail, newAddress, nextMail } from './mailbox'
import { evm } from './money'
import {
  addressesIn,
  card,
  inDapp,
  modal,
  type Outcome,
  openConnect,
  opening,
  press,
  requestIn,
  statusIn,
  type,
  untilDrawn,
} from './postern'
import { pressToEnd, untilClosed } from './social'
import { expect } from './test'

export const walletFrame = (page: Page) => page.frames().find((frame) => frame.url().includes('//wallet.postern.'))

/** As a crash does it: the frame is loaded again, and loses what it had in memory. Resolves before that. */
export const reloadWalletFrame = (page: Page): Promise<void> | undefined =>
  // real time: the frame reloads after this call has returned
  walletFrame(page)?.evaluate(() => void setTimeout(() => location.reload()))

export const emailField = (page: Page): Locator => modal(page).getByRole('textbox', { name: 'Email address' })

export async function typeEmail(page: Page, address: string): Promise<void> {
  const field = emailField(page)
  await untilDrawn(field)
  await paste(field, address)
  await field.press('Enter')
}

/** Opens the link in another tab and presses its button, which email scanners do not. */
export async function approveDevice(context: BrowserContext, mail: Mail): Promise<void> {
  const link = mail.links.find((one) => one.includes('/auth/device'))
  if (link === undefined) throw new Error('The mail has no link.')
  const tab = await context.newPage()
  await tab.goto(link)
  await tab.getByRole('button', { name: 'Approve this device' }).click()
  await expect(tab.getByRole('heading')).toContainText(/approved/i)
  await tab.close()
}

/** "This was not me": opens the link in another tab and presses its button. */
export async function sayNotMe(context: BrowserContext, mail: Mail): Promise<void> {
  const link = mail.links.find((one) => one.includes('/auth/not-me'))
  if (link === undefined) throw new Error('The mail has no link.')
  const tab = await context.newPage()
  await tab.goto(link)
  await tab.getByRole('button', { name: 'This was not me' }).click()
  await expect(tab.getByRole('heading', { name: 'Stopped and signed out' })).toBeVisible()
  await tab.close()
}

export function codeOf(mail: Mail): string {
  const code = mail.code ?? /\b(\d{3}) ?(\d{3})\b/.exec(mail.text)?.slice(1).join('')
  if (!code) throw new Error('The mail has no code.')
  return code
}

/** In the wallet's own frame. */
export const codeField = (page: Page): Locator => walletFrameIn(page).getByRole('textbox', { name: '6-digit code' })

export const codeRefusal = (page: Page, words: string | RegExp): Locator =>
  walletFrameIn(page).getByRole('alert').filter({ hasText: words })

/** A card that grows drops what was typed before. */
export const untilCodeCounts = (page: Page): Promise<void> =>
  expect(walletFrameIn(page).locator('[data-armed]')).toBeVisible()

export async function typeCode(page: Page, code: string): Promise<void> {
  const field = codeField(page)
  await field.focus()
  await untilCodeCounts(page)
  await type(field, code)
}

/** The next email with a code. Approves the device first, if the address has an account and the device is new. */
async function nextCodeMail(context: BrowserContext, address: string, seen?: Mail): Promise<Mail> {
  const mail = await nextMail(address, seen)
  if (!mail.links.some((link) => link.includes('/auth/device'))) return mail
  await approveDevice(context, mail)
  return nextMail(address, mail)
}

/** From Connect to a connected account. */
export async function signInByEmail(page: Page, address: string): Promise<void> {
  const before = await lastMail(address)
  await typeEmail(page, address)
  await typeCode(page, codeOf(await nextCodeMail(page.context(), address, before)))
}

export const walletFrameIn = (page: Page): FrameLocator => modal(page).frameLocator('iframe[src*="//wallet.postern."]')

/** What the wallet's own frame draws, over the modal's card. */
export const approvalOf = (page: Page): Locator => walletFrameIn(page).getByRole('main', { name: 'Approve' })

/** The readable approval of a request. Throws the outcome if that ends first. */
export async function shown(page: Page, sent: Promise<Outcome>): Promise<Locator> {
  const early = sent.then((outcome) => {
    throw new Error(`It ended before it was shown: ${JSON.stringify(outcome)}`)
  })
  const approval = approvalOf(page)
  await Promise.race([
    expect(approval.getByRole('button', { name: 'Decline' })).toBeVisible({ timeout: 60_000 }),
    early,
  ])
  await expect(approval.getByText('Reading the request')).toBeHidden()
  return approval
}

/** In the frame. */
export const approveButton = (page: Page): Locator =>
  approvalOf(page).getByRole('button', { name: 'Approve', exact: true })

/** In the frame, of a request that is approved in the wallet's own window. */
export const continueButton = (page: Page): Locator =>
  approvalOf(page).getByRole('button', { name: 'Continue in your wallet' })

/**
 * With the wheel, as a user does: Approve waits until everything was seen, and once more when a fact comes late.
 * `rest`: what is left below, in CSS pixels.
 */
async function readToEnd(page: Page, approval: Locator, button: Locator, rest: () => Promise<number>): Promise<void> {
  await expect(approval).toBeVisible({ timeout: 60_000 })
  await expect(button).toBeVisible()
  let tries = 0
  await expect(async () => {
    await approval.hover({ position: { x: 20, y: 20 } })
    // As users do if Approve waits: it waits without the focus, too.
    if (tries++ > 2) await approval.click({ position: { x: 20, y: 20 } })
    await page.mouse.wheel(0, 5_000)
    await expect.poll(rest, { timeout: 2_000 }).toBeLessThan(8)
    await expect(button).toBeEnabled({ timeout: 2_000 })
  }).toPass({ intervals: [50, 100, 200], timeout: 60_000 })
}

export async function approveInFrame(page: Page): Promise<void> {
  const [approval, button] = [approvalOf(page), approveButton(page)]
  await readToEnd(page, approval, button, () =>
    approval.evaluate((main) => main.scrollHeight - main.scrollTop - main.clientHeight),
  )
  await press(button)
}

/** The window of each page that stays open for its next request. */
const openWindows = new WeakMap<Page, Page>()

/** Where the card says: in the frame or in the wallet's own window. `read` checks the approval first, there. */
export async function approveRequest(page: Page, read?: (approval: Locator) => Promise<unknown>): Promise<void> {
  await expect(approveButton(page).or(continueButton(page))).toBeVisible({ timeout: 60_000 })
  // Until then the card has an Approve that waits, wherever the request belongs.
  await expect(approvalOf(page).getByText('Reading the request')).toBeHidden()
  if (await approveButton(page).isVisible()) {
    await read?.(approvalOf(page))
    return approveInFrame(page)
  }
  const isLast = !(await approvalOf(page)
    .getByText(/^\d+ of \d+$/)
    .isVisible())
  const popup = await approvalWindow(page)
  await expect(popup.getByRole('button', { name: 'Approve', exact: true })).toBeVisible()
  await read?.(popup.getByRole('main'))
  await approveInWindow(popup)
  if (isLast) await untilClosed(popup)
}

async function approvalWindow(page: Page): Promise<Page> {
  const before = openWindows.get(page)
  const popup = before?.isClosed() === false ? before : await openApprovalWindow(page)
  openWindows.set(page, popup)
  return popup
}

export const declineRequest = (page: Page): Promise<void> =>
  press(approvalOf(page).getByRole('button', { name: 'Decline', exact: true }))

/**
 * Watches inside the page or frame for text that may disappear again. Resolves with the function that waits for it.
 * `body` is the page's or frame's.
 */
export async function listenFor(body: Locator, words: string): Promise<() => Promise<void>> {
  const watch = await body.evaluateHandle((element, words) => {
    const stand = () => element.textContent?.includes(words) === true
    let stood = stand()
    const said = new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => {
        const before = stood
        stood = stand()
        if (before || !stood) return
        observer.disconnect()
        resolve()
      })
      observer.observe(element, { subtree: true, childList: true, characterData: true })
    })
    return { said }
  }, words)
  return () => watch.evaluate(({ said }) => said)
}

/** With {@link listenFor}. */
export async function untilSaid<R>(body: Locator, words: string, act: () => Promise<R>): Promise<R> {
  const said = await listenFor(body, words)
  const [done] = await Promise.all([act(), said()])
  return done
}

/** The signed bytes, by name. */
export async function bytesOnShow(page: Page, name: string): Promise<string> {
  const details = approvalOf(page).getByText('Raw data')
  const field = approvalOf(page).getByRole('textbox', { name, exact: true })
  if (!(await field.isVisible())) await press(details)
  return field.inputValue()
}

/** Makes Chromium like Firefox and Safari: no frame learns what covers it. */
export async function withoutOcclusionReports(page: Page): Promise<void> {
  if (page.context().browser()?.browserType().name() !== 'chromium') return
  await page.context().addInitScript(() => {
    Reflect.deleteProperty(IntersectionObserver.prototype, 'trackVisibility')
    Reflect.deleteProperty(IntersectionObserver.prototype, 'delay')
    Reflect.deleteProperty(IntersectionObserverEntry.prototype, 'isVisible')
  })
}

/** The wallet's own window, opened from its frame. */
export const openApprovalWindow = (page: Page): Promise<Page> => opening(page, () => press(continueButton(page)))

/** In the window, the document scrolls. */
export async function approveInWindow(popup: Page): Promise<void> {
  const button = popup.getByRole('button', { name: 'Approve', exact: true })
  await readToEnd(popup, popup.getByRole('main'), button, () =>
    popup.evaluate(() => document.body.scrollHeight - window.scrollY - window.innerHeight),
  )
  await pressToEnd(button)
}

/** `read` checks the approval first, in the frame or in the window. */
export async function askAndApprove(
  page: Page,
  sent: Promise<Outcome>,
  read?: (approval: Locator) => Promise<unknown>,
): Promise<Outcome> {
  await shown(page, sent)
  await approveRequest(page, read)
  return sent
}

export type Accounts = { readonly eip155: Address; readonly solana: string; readonly bip122: string }

/** On three chains, with the modal closed. */
export async function signedIn(page: Page, address = newAddress()): Promise<Accounts> {
  await openConnect(page)
  await signInByEmail(page, address)
  return accountsOf(page)
}

/** Closes the modal. */
export async function accountsOf(page: Page): Promise<Accounts> {
  for (const namespace of ['eip155', 'solana', 'bip122'] as const)
    await expect.poll(() => statusIn(page, namespace), { timeout: 60_000 }).toBe('connected')
  const [eip155 = ''] = await addressesIn(page, 'eip155')
  const [solana = ''] = await addressesIn(page, 'solana')
  const [bip122 = ''] = await addressesIn(page, 'bip122')
  if (!isAddress(eip155)) throw new Error(`${eip155} is not an address`)
  await inDapp(page, (postern) => postern.close())
  await expect(card(page)).toBeHidden()
  return { eip155, solana, bip122 }
}

export const newEvmAddress = (): Address => privateKeyToAddress(generatePrivateKey())

/** Throws unless the result is hex bytes. */
export function bytesOf(outcome: Outcome): Hex {
  if (!('result' in outcome) || !isHex(outcome.result)) throw new Error(`Not hex bytes: ${JSON.stringify(outcome)}`)
  return outcome.result
}

/** Verified on the chain. */
export async function signs(page: Page, account = '', message = 'Hello'): Promise<void> {
  if (!isAddress(account)) throw new Error(`${account} is not an address`)
  const signed = requestIn(page, 'eip155', 'personal_sign', [toHex(message), account])
  const outcome = await askAndApprove(page, signed, (approval) => expect(approval).toContainText(message))
  expect(await evm.verifyMessage({ address: account, message, signature: bytesOf(outcome) })).toBe(true)
}

/** In the account view. */
export async function chooseAccount(page: Page, { from, to }: { from: string; to: string }): Promise<void> {
  await press(modal(page).getByRole('button', { name: new RegExp(`^Account type.*${from}`) }))
  await expect(card(page, 'Account type')).toBeVisible()
  await press(modal(page).getByRole('button', { name: new RegExp(`^${to}`) }))
}

/** EIP-4361. */
export function signInMessage({ host, account, chainId }: { host: string; account: string; chainId: number }): string {
  return [
    `${host} wants you to sign in with your Ethereum account:`,
    account,
    '',
    'Welcome.',
    '',
    `URI: http://${host}`,
    'Version: 1',
    `Chain ID: ${chainId}`,
    'Nonce: 8Xq2kPz7w1',
    'Issued At: 2026-01-01T00:00:00.000Z',
  ].join('\n')
}
