/** The devnet's mobile wallet in its own browser context. */
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { allowClipboard, clipboardText, paste } from './clipboard'
import { expect } from './expect'
import { card, chooseWallet, modal, openConnect, press } from './postern'

type Wallet = NonNullable<Window['devnetMobileWallet']>

export const mobileWalletOrigin = 'http://mobile-wallet.localhost:8551'

/** A custom wallet, for a row with links. */
export const mobileWalletEntry = {
  id: 'dev.postern.mobile-wallet',
  name: 'Devnet Mobile Wallet',
  homepage: `${mobileWalletOrigin}/`,
  mobile_link: `${mobileWalletOrigin}/`,
  webapp_link: `${mobileWalletOrigin}/`,
} as const

export type PhoneOptions = {
  /** Index in the devnet's mnemonic. */
  readonly account: number
  /** Default: the devnet's. */
  readonly relay?: string | undefined
}

/** Its storage is in the context. */
export async function openWallet(context: BrowserContext, { account, relay }: PhoneOptions): Promise<Page> {
  const phone = await context.newPage()
  const query = new URLSearchParams({ account: String(account), ...(relay !== undefined && { relay }) })
  await phone.goto(`${mobileWalletOrigin}/?${query}`)
  await phone.waitForFunction(() => window.devnetMobileWallet !== undefined)
  return phone
}

/** For steps whose interface is not under test. */
export async function inWallet<R>(phone: Page, act: (wallet: Wallet) => R | Promise<R>): Promise<R> {
  const wallet = await phone.evaluateHandle((): Wallet => {
    const { devnetMobileWallet } = window
    if (devnetMobileWallet === undefined) throw new Error('There is no wallet in this page.')
    return devnetMobileWallet
  })
  return wallet.evaluate(act)
}

export async function pair(phone: Page, uri: string): Promise<void> {
  await paste(phone.getByLabel('Link or QR text'), uri)
  await phone.getByRole('button', { name: 'Connect' }).click()
}

/** The clipboard survives tests, and an earlier link would pair with a closed page: overwrite it first. */
export async function copiedLink(page: Page): Promise<string> {
  await allowClipboard(page)
  await page.evaluate(() => navigator.clipboard.writeText('Nothing was copied yet'))
  await press(modal(page).getByRole('button', { name: /^(Copy link|Link copied)$/ }))
  const copied = () => clipboardText(page)
  await expect.poll(copied).toMatch(/^wc:[0-9a-f]{64}@2\?/)
  return copied()
}

/** By the copied link and an approval on the phone, until the modal has closed. */
export async function connectPhone(page: Page, phone: Page): Promise<void> {
  await connectByLink(page, phone)
  await expect(card(page)).toBeHidden()
}

/** Up to the approval on the phone. */
export async function connectByLink(page: Page, phone: Page, question = 'Connect to this site'): Promise<void> {
  await openConnect(page)
  await chooseWallet(page, 'WalletConnect')
  await pair(phone, await copiedLink(page))
  await approveOnPhone(phone, question)
}

/** The phone's prompt. */
export const sheet = (phone: Page, title?: string): Locator =>
  phone.getByRole('dialog', title === undefined ? {} : { name: title })

export async function approveOnPhone(phone: Page, title?: string): Promise<void> {
  await sheet(phone, title).getByRole('button', { name: 'Approve' }).click()
}

export async function rejectOnPhone(phone: Page, title?: string): Promise<void> {
  await sheet(phone, title).getByRole('button', { name: 'Reject' }).click()
}

export const receivedBy = (phone: Page): Promise<readonly string[]> =>
  inWallet(phone, (wallet) => wallet.snapshot().received.map(({ method }) => method))

const sessionsOf = (phone: Page): Promise<number> => inWallet(phone, (wallet) => wallet.sessions().length)

export async function waitForSessions(phone: Page, count: number): Promise<void> {
  await expect.poll(() => sessionsOf(phone)).toBe(count)
}
