/** The visitor's telephone: the devnet's mobile wallet, in a browser context of its own. */
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { expect } from './expect'

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
