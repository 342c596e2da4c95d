import type { BrowserContext, Frame, FrameLocator, Locator, Page } from '@playwright/test'
import { expect } from './expect'

type Instance = NonNullable<Window['Postern']>

/** Created by the script tag. */
const instanceIn = (page: Page) =>
  page.evaluateHandle((): Instance => {
    const { Postern } = window
    if (Postern === undefined) throw new Error('There is no Postern in this page.')
    return Postern
  })

/** Like the dapp's own code. */
export async function inDapp<R>(page: Page, act: (postern: Instance) => R | Promise<R>): Promise<R> {
  return (await instanceIn(page)).evaluate(act)
}

/** At the origin of the tests' gateways, or of `gateway dev`. */
export const modal = (page: Page): FrameLocator =>
  page.frameLocator('iframe[src*="//modal.postern.localhost"], iframe[src^="http://127.0.0.1:44"]')

/** Named by the view's title. */
export const card = (page: Page, title?: string | RegExp): Locator =>
  modal(page).getByRole('dialog', title === undefined ? {} : { name: title })

export const pageAlert = (page: Page): Locator => page.getByRole('alertdialog')

export const connectButton = (page: Page): Locator => page.getByRole('button', { name: /^connect( wallet)?$/i })

/** Its name begins with the wallet's. */
export const walletRow = (page: Page, wallet: string): Locator =>
  modal(page).getByRole('button', { name: new RegExp(`^${wallet}\\b`) })

export const walletPrompt = (page: Page, wallet = 'Devnet Wallet'): Locator =>
  page.getByRole('dialog', { name: new RegExp(wallet) })

export const approve = (page: Page, wallet?: string): Promise<void> => answer(page, 'Approve', wallet)

export const reject = (page: Page, wallet?: string): Promise<void> => answer(page, 'Reject', wallet)

export const unlock = (page: Page, wallet?: string): Promise<void> => answer(page, 'Unlock', wallet)

async function answer(page: Page, button: 'Approve' | 'Reject' | 'Unlock', wallet?: string): Promise<void> {
  await press(walletPrompt(page, wallet).getByRole('button', { name: button }))
}

/**
 * Replaces the text of a field, key by key. `fill()` in Firefox sets the text without an event that React sees, so its
 * state would keep the old one.
 */
export async function type(field: Locator, text: string): Promise<void> {
  if ((await field.inputValue()) !== '') await field.press('ControlOrMeta+a')
  await field.pressSequentially(text)
}

/** Two animation frames, for reading or typing. For clicks, and with a fake clock, use {@link press}. */
export async function untilDrawn(locator: Locator): Promise<void> {
  await locator.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
}

/**
 * Until a browser has drawn a change, it routes the pointer to the previous target and silently loses the click: so move
 * the pointer first, and click once it has arrived. Firefox ignores a move to where the pointer is already, also if
 * another element is there now: so the next try comes from elsewhere.
 */
export async function press(target: Locator): Promise<void> {
  await expect(async () => {
    await target.hover()
    const hasArrived = () => target.evaluate((element) => element.matches(':hover'))
    try {
      // A slow browser draws the change later: a pointer that left at once would never arrive.
      await expect.poll(hasArrived, { intervals: [20, 50, 100], timeout: 500 }).toBe(true)
    } catch (error) {
      await target.page().mouse.move(0, 0)
      throw error
    }
  }).toPass({ intervals: [0], timeout: 30_000 })
  await target.click()
}

/**
 * Returns the window that `act` opens. The wait and the act fail as one: a test ends at the first failure that nothing
 * awaits yet, as when the page is closed during the act.
 */
export async function opening(page: Page, act: () => Promise<unknown>): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), act()])
  return popup
}

/** As {@link opening}, of a window that does not know its opener. */
export async function openingTab(context: BrowserContext, act: () => Promise<unknown>): Promise<Page> {
  const [tab] = await Promise.all([context.waitForEvent('page'), act()])
  return tab
}

/** Resolves once the former document is gone. The SDK may replace a frame that takes long to load. */
export async function reloadFrame(frame: Frame | undefined): Promise<void> {
  if (frame === undefined) throw new Error('The frame is not there.')
  const former = await frame.evaluateHandle(() => document)
  // real time: the frame reloads after this call has returned
  await frame.evaluate(() => void setTimeout(() => location.reload()))
  await expect.poll(() => former.evaluate(() => 'there').catch(() => 'gone')).toBe('gone')
}

export const chooseWallet = (page: Page, wallet: string): Promise<void> => press(walletRow(page, wallet))

export async function openConnect(page: Page): Promise<void> {
  await press(connectButton(page))
  await expect(card(page, 'Connect')).toBeVisible()
}

/** Until the modal has closed. */
export async function connect(page: Page, wallet = 'Devnet Wallet'): Promise<void> {
  await openConnect(page)
  await chooseWallet(page, wallet)
  await approve(page, wallet)
  await expect(card(page)).toBeHidden()
  await expect.poll(() => status(page)).toBe('connected')
}

/** Even if others are connected. */
export async function connectIn(page: Page, namespace: Namespace, wallet: string): Promise<void> {
  await inDapp(page, (postern) => postern.open({ view: 'Connect' }))
  await chooseWallet(page, wallet)
  await approve(page, wallet)
  await expect(card(page)).toBeHidden()
  await expect.poll(() => statusIn(page, namespace)).toBe('connected')
}

/** With its default view. */
export async function openModal(page: Page): Promise<void> {
  await inDapp(page, (postern) => postern.open())
  await expect(card(page)).toBeVisible()
}

/** CAIP-2 id, or null. */
export const chainId = (page: Page): Promise<string | null> =>
  inDapp(page, (postern) => {
    const connection = postern.getSnapshot().connections.eip155
    return connection?.status === 'connected' ? connection.networkId : null
  })

/** As the dapp sees it. */
export const status = (page: Page): Promise<string> => statusIn(page, 'eip155')

export type Namespace = 'eip155' | 'solana' | 'bip122'

export async function statusIn(page: Page, namespace: Namespace): Promise<string> {
  return (await instanceIn(page)).evaluate(
    (postern, namespace) => postern.getSnapshot().connections[namespace]?.status ?? 'disconnected',
    namespace,
  )
}

export const connected = (page: Page): Promise<string[]> =>
  inDapp(page, (postern) =>
    Object.entries(postern.getSnapshot().connections)
      .flatMap(([namespace, connection]) => (connection?.status === 'connected' ? namespace : []))
      .sort(),
  )

export async function addressesIn(page: Page, namespace: Namespace): Promise<string[]> {
  return (await instanceIn(page)).evaluate((postern, namespace) => {
    const connection = postern.getSnapshot().connections[namespace]
    return connection?.status === 'connected' ? connection.accounts.map(({ address }) => address) : []
  }, namespace)
}

export const address = (page: Page): Promise<string | null> =>
  inDapp(page, (postern) => {
    const connection = postern.getSnapshot().connections.eip155
    return connection?.status === 'connected' ? (connection.accounts[0]?.address ?? null) : null
  })

/** EIP-1193; returns the result, or the error's code and message. */
export const request = (page: Page, method: string, params?: readonly unknown[]): Promise<Outcome> =>
  requestIn(page, 'eip155', method, params)

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

/** A text member of the result, or the result. Throws the outcome if it is not a text. */
export function textOf(outcome: Outcome, member?: string): string {
  const result = 'result' in outcome ? outcome.result : undefined
  const found: unknown =
    member === undefined ? result : typeof result === 'object' && result !== null ? Reflect.get(result, member) : result
  if (typeof found !== 'string') throw new Error(`No ${member ?? 'text'}: ${JSON.stringify(outcome)}`)
  return found
}

export type Outcome = { readonly result: unknown } | { readonly code: unknown; readonly message: unknown }
