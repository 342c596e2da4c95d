/** What a visitor does with Postern, in the words of a story. */
import type { FrameLocator, Locator, Page } from '@playwright/test'
import { expect } from './expect'

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

export const unlock = (page: Page, wallet?: string): Promise<void> => answer(page, 'Unlock', wallet)

async function answer(page: Page, button: 'Approve' | 'Reject' | 'Unlock', wallet?: string): Promise<void> {
  await press(walletPrompt(page, wallet).getByRole('button', { name: button }))
}

/**
 * Until an element had two frames to be painted in: for what is read, or typed. Chromium sends clicks by what it last drew, which may be older still,
 * and where a story holds the clock frames are the clock's own; for those there is {@link press}.
 */
export async function untilDrawn(locator: Locator): Promise<void> {
  await locator.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}

/**
 * Clicks in a frame that has just appeared, in a prompt above one, or in the page where one has just gone. Until Chromium drew that for the first time, it sends what the
 * pointer does to the one that was there before, and a click is lost without a word; so the pointer comes first, and the click once it has arrived.
 */
export async function press(target: Locator): Promise<void> {
  await expect(async () => {
    await target.hover()
    expect(await target.evaluate((element) => element.matches(':hover')), 'the pointer has arrived').toBe(true)
  }).toPass({ intervals: [20, 50, 100], timeout: 30_000 })
  await target.click()
}

/** Presses a wallet's row where wallets are chosen. */
export const chooseWallet = (page: Page, wallet: string): Promise<void> => press(walletRow(page, wallet))

export async function openConnect(page: Page): Promise<void> {
  await press(connectButton(page))
  await expect(card(page, 'Connect')).toBeVisible()
}

/** Connects a wallet from the dapp's button to the closed modal. */
export async function connect(page: Page, wallet = 'Devnet Wallet'): Promise<void> {
  await openConnect(page)
  await chooseWallet(page, wallet)
  await approve(page, wallet)
  await expect(card(page)).toBeHidden()
  await expect.poll(() => status(page)).toBe('connected')
}

/** Connects a wallet of any namespace, whoever else is connected. */
export async function connectIn(page: Page, namespace: Namespace, wallet: string): Promise<void> {
  await inDapp(page, (postern) => postern.open({ view: 'Connect' }))
  await chooseWallet(page, wallet)
  await approve(page, wallet)
  await expect(card(page)).toBeHidden()
  await expect.poll(() => statusIn(page, namespace)).toBe('connected')
}

/** Opens the modal the way a dapp does, whatever it shows then. */
export async function openModal(page: Page): Promise<void> {
  await inDapp(page, (postern) => postern.open())
  await expect(card(page)).toBeVisible()
}

/** Connected: opens the account and picks another network there. */
export async function switchFromModal(page: Page, network: string): Promise<void> {
  await openModal(page)
  await press(modal(page).getByRole('button', { name: /Network$/ }))
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
export const status = (page: Page): Promise<string> => statusIn(page, 'eip155')

export type Namespace = 'eip155' | 'solana' | 'bip122'

/** Status of a namespace's connection as the dapp sees it. */
export async function statusIn(page: Page, namespace: Namespace): Promise<string> {
  return (await instanceIn(page)).evaluate(
    (postern, namespace) => postern.getSnapshot().connections[namespace]?.status ?? 'disconnected',
    namespace,
  )
}

/** The namespaces that somebody is connected in, as the dapp sees it, in the order of their names. */
export const connected = (page: Page): Promise<string[]> =>
  inDapp(page, (postern) =>
    Object.entries(postern.getSnapshot().connections)
      .flatMap(([namespace, connection]) => (connection?.status === 'connected' ? namespace : []))
      .sort(),
  )

/** Addresses of a namespace's connection, the active one first. */
export async function addressesIn(page: Page, namespace: Namespace): Promise<string[]> {
  return (await instanceIn(page)).evaluate((postern, namespace) => {
    const connection = postern.getSnapshot().connections[namespace]
    return connection?.status === 'connected' ? connection.accounts.map(({ address }) => address) : []
  }, namespace)
}

/** The active account as the dapp sees it, or null. */
export const address = (page: Page): Promise<string | null> =>
  inDapp(page, (postern) => {
    const connection = postern.getSnapshot().connections.eip155
    return connection?.status === 'connected' ? (connection.accounts[0]?.address ?? null) : null
  })

/** A request of the dapp to Postern's EIP-1193 provider: what came back, or the error's code and message. */
export const request = (page: Page, method: string, params?: readonly unknown[]): Promise<Outcome> =>
  requestIn(page, 'eip155', method, params)

/** The same to the provider of any namespace. */
export async function requestIn(
  page: Page,
  namespace: Namespace,
  method: string,
  params?: readonly unknown[] | object,
): Promise<Outcome> {
  return (await instanceIn(page)).evaluate(
    (postern, [namespace, method, params]) =>
      postern[namespace].request(params === undefined ? { method } : { method, params }).then(
        (result) => ({ result }),
        (error: { code?: unknown; message?: unknown }) => ({ code: error.code, message: error.message }),
      ),
    [namespace, method, params] as const,
  )
}

/** A text in what came back, by its name; or what came back itself. Fails, saying how the request ended, where there is none. */
export function textOf(outcome: Outcome, member?: string): string {
  const result = 'result' in outcome ? outcome.result : undefined
  const found: unknown =
    member === undefined ? result : typeof result === 'object' && result !== null ? Reflect.get(result, member) : result
  if (typeof found !== 'string') throw new Error(`No ${member ?? 'text'}: ${JSON.stringify(outcome)}`)
  return found
}

export type Outcome = { readonly result: unknown } | { readonly code: unknown; readonly message: unknown }
