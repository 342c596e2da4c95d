/** What a visitor does with Postern, in the words of a story. */
import { expect, type FrameLocator, type Locator, type Page } from '@playwright/test'

type Instance = NonNullable<Window['Postern']>

/** The instance that the script tag made in the dapp's page. */
const instanceIn = (page: Page) =>
  page.evaluateHandle((): Instance => {
    const { Postern } = window
    if (Postern === undefined) throw new Error('There is no Postern in this page.')
    return Postern
  })

/** Does in the dapp's page what the dapp's own code would do with its instance. */
export async function inDapp<R>(page: Page, act: (postern: Instance) => R | Promise<R>): Promise<R> {
  return (await instanceIn(page)).evaluate(act)
}

/** The modal's frame on a dapp's page. */
export const modal = (page: Page): FrameLocator => page.frameLocator('iframe[src*="//modal.postern.localhost"]')

/** The card in the modal. It carries the view's title as its name. */
export const card = (page: Page, title?: string | RegExp): Locator =>
  modal(page).getByRole('dialog', title === undefined ? {} : { name: title })

/** The alert that the SDK draws in the page itself. */
export const pageAlert = (page: Page): Locator => page.getByRole('alertdialog')

/** The button of the dapp that opens the modal. */
export const connectButton = (page: Page): Locator => page.getByRole('button', { name: /^connect( wallet)?$/i })

/** The row of a wallet in the modal; its name begins with the wallet's. */
export const walletRow = (page: Page, wallet: string): Locator =>
  modal(page).getByRole('button', { name: new RegExp(`^${wallet}\\b`) })

/** The question that a devnet wallet asks its owner. */
export const walletPrompt = (page: Page, wallet = 'Devnet Wallet'): Locator =>
  page.getByRole('dialog', { name: new RegExp(wallet) })

export const approve = (page: Page, wallet?: string): Promise<void> => answer(page, 'Approve', wallet)

export const reject = (page: Page, wallet?: string): Promise<void> => answer(page, 'Reject', wallet)

async function answer(page: Page, button: 'Approve' | 'Reject', wallet?: string): Promise<void> {
  const prompt = walletPrompt(page, wallet)
  // Chromium sends clicks by what it last drew: a click in the same frame as the prompt would land in the modal's frame below it.
  await prompt.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  await prompt.getByRole('button', { name: button }).click()
}

export async function openConnect(page: Page): Promise<void> {
  await connectButton(page).click()
  await expect(card(page, 'Connect')).toBeVisible()
}

/** Connects a wallet from the dapp's button to the closed modal. */
export async function connect(page: Page, wallet = 'Devnet Wallet'): Promise<void> {
  await openConnect(page)
  await walletRow(page, wallet).click()
  await approve(page, wallet)
  await expect(card(page)).toBeHidden()
  await expect.poll(() => status(page)).toBe('connected')
}

/** Opens the modal the way a dapp does, whatever it shows then. */
export async function openModal(page: Page): Promise<void> {
  await inDapp(page, (postern) => postern.open())
  await expect(card(page)).toBeVisible()
}

/** Connected: opens the account and picks another network there. */
export async function switchFromModal(page: Page, network: string): Promise<void> {
  await openModal(page)
  await modal(page)
    .getByRole('button', { name: /Network$/ })
    .click()
  await expect(card(page, 'Choose network')).toBeVisible()
  await modal(page)
    .getByRole('button', { name: new RegExp(`^${network}\\b`) })
    .click()
}

/** CAIP-2 id of the network that the EVM connection is on, or null. */
export const chainId = (page: Page): Promise<string | null> =>
  inDapp(page, (postern) => {
    const connection = postern.getSnapshot().connections.eip155
    return connection?.status === 'connected' ? connection.networkId : null
  })

/** Status of the EVM connection as the dapp sees it. */
export const status = (page: Page): Promise<string> =>
  inDapp(page, (postern) => postern.getSnapshot().connections.eip155?.status ?? 'disconnected')

/** The active account as the dapp sees it, or null. */
export const address = (page: Page): Promise<string | null> =>
  inDapp(page, (postern) => {
    const connection = postern.getSnapshot().connections.eip155
    return connection?.status === 'connected' ? (connection.accounts[0]?.address ?? null) : null
  })

/** A request of the dapp to Postern's EIP-1193 provider: what came back, or the error's code and message. */
export async function request(page: Page, method: string, params?: readonly unknown[]): Promise<Outcome> {
  return (await instanceIn(page)).evaluate(
    (postern, [method, params]) =>
      postern.eip155.request(params === undefined ? { method } : { method, params }).then(
        (result) => ({ result }),
        (error: { code?: unknown; message?: unknown }) => ({ code: error.code, message: error.message }),
      ),
    [method, params] as const,
  )
}

export type Outcome = { readonly result: unknown } | { readonly code: unknown; readonly message: unknown }
