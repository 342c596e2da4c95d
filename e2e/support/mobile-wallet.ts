/** The visitor's telephone: the devnet's mobile wallet, in a browser context of its own. */
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { expect } from './expect'
import { card, chooseWallet, modal, openConnect, press } from './postern'

type Wallet = NonNullable<Window['devnetMobileWallet']>

export const mobileWalletOrigin = 'http://mobile-wallet.localhost:8551'

/** What a dapp lists so that the wallet has a row of its own, with links. */
export const mobileWalletEntry = {
  id: 'dev.postern.mobile-wallet',
  name: 'Devnet Mobile Wallet',
  homepage: `${mobileWalletOrigin}/`,
  mobile_link: `${mobileWalletOrigin}/`,
  webapp_link: `${mobileWalletOrigin}/`,
} as const

export type PhoneOptions = {
  /** Index of the account in the devnet's phrase. */
  readonly account: number
  /** The relay where it meets dapps; the devnet's own unless told otherwise. */
  readonly relay?: string | undefined
}

/** Opens the wallet; what it keeps is in the context. */
export async function openWallet(context: BrowserContext, { account, relay }: PhoneOptions): Promise<Page> {
  const phone = await context.newPage()
  const query = new URLSearchParams({ account: String(account), ...(relay !== undefined && { relay }) })
  await phone.goto(`${mobileWalletOrigin}/?${query}`)
  await phone.waitForFunction(() => window.devnetMobileWallet !== undefined)
  return phone
}

/** Does what its owner would do by hand, where the hand is not what the test is about. */
export async function inWallet<R>(phone: Page, act: (wallet: Wallet) => R | Promise<R>): Promise<R> {
  const wallet = await phone.evaluateHandle((): Wallet => {
    const { devnetMobileWallet } = window
    if (devnetMobileWallet === undefined) throw new Error('There is no wallet in this page.')
    return devnetMobileWallet
  })
  return wallet.evaluate(act)
}

export async function pair(phone: Page, uri: string): Promise<void> {
  await phone.getByLabel('Link or QR text').fill(uri)
  await phone.getByRole('button', { name: 'Connect' }).click()
}

/**
 * The text of the code on show, by way of the clipboard, as a visitor hands it on. The clipboard outlives a test, and the link of an earlier one
 * pairs with a page that is gone: so what is in it is written over first.
 */
export async function copiedLink(page: Page): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate(() => navigator.clipboard.writeText('Nothing was copied yet'))
  await press(modal(page).getByRole('button', { name: /^(Copy link|Link copied)$/ }))
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toMatch(/^wc:[0-9a-f]{64}@2\?/)
  return copied()
}

/** From the dapp's button, by the copied link and a yes on the telephone, to the closed modal. */
export async function connectPhone(page: Page, phone: Page): Promise<void> {
  await connectByLink(page, phone)
  await expect(card(page)).toBeHidden()
}

/** The same to the yes on the telephone, whatever comes then. */
export async function connectByLink(page: Page, phone: Page, question = 'Connect to this site'): Promise<void> {
  await openConnect(page)
  await chooseWallet(page, 'WalletConnect')
  await pair(phone, await copiedLink(page))
  await approveOnPhone(phone, question)
}

/** The question on the telephone's screen. */
export const sheet = (phone: Page, title?: string): Locator =>
  phone.getByRole('dialog', title === undefined ? {} : { name: title })

export async function approveOnPhone(phone: Page, title?: string): Promise<void> {
  await sheet(phone, title).getByRole('button', { name: 'Approve' }).click()
}

export async function rejectOnPhone(phone: Page, title?: string): Promise<void> {
  await sheet(phone, title).getByRole('button', { name: 'Reject' }).click()
}

/** Methods that dapps asked the wallet for, in their order. */
export const receivedBy = (phone: Page): Promise<readonly string[]> =>
  inWallet(phone, (wallet) => wallet.snapshot().received.map(({ method }) => method))

export const sessionsOf = (phone: Page): Promise<number> => inWallet(phone, (wallet) => wallet.sessions().length)

export async function waitForSessions(phone: Page, count: number): Promise<void> {
  await expect.poll(() => sessionsOf(phone)).toBe(count)
}
