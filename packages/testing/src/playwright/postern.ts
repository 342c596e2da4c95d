import type { Namespace, Postern, Snapshot } from '@postern/client'
import type { FrameLocator, Locator, Page } from 'playwright-core'
import * as z from 'zod/mini'

export type PosternInPage = {
  /** The modal's frame, for anything without a function here. */
  readonly modal: FrameLocator
  /** Opens the modal like `postern.open()`, and waits until it shows. */
  open(): Promise<void>
  /** Presses a wallet's row in Connect. The row's name begins with the wallet's. */
  chooseWallet(name: string): Promise<void>
  /** Opens the modal, chooses the wallet and waits until it is connected and the modal has closed. */
  connect(wallet: string, namespace?: Namespace): Promise<void>
  /**
   * Signs in to the embedded wallet by email, from the open modal.
   * `readCode` returns the email's six digits; it is called after the address is entered.
   */
  signInByEmail(address: string, readCode: () => string | Promise<string>): Promise<void>
  /** The state of the dapp's instance. */
  snapshot(): Promise<Snapshot>
  /** Waits until an account of the namespace (default: `eip155`) is connected; returns its address. */
  account(namespace?: Namespace): Promise<string>
}

const Accounts = z.array(z.string()).check(z.minLength(1))

/**
 * Postern in a page of Playwright: what a user does in the modal.
 *
 * @param options.projectId of the instance, if the page has several
 * @example
 * await postern(page).connect('Test Wallet')
 */
export function postern(page: Page, { projectId }: { readonly projectId?: string } = {}): PosternInPage {
  const modal = page.frameLocator('iframe[title="Connect wallet"]')
  const card = modal.getByRole('dialog')

  async function open(): Promise<void> {
    const instance = await instanceIn(page, projectId)
    await instance.evaluate((found) => found.open())
    await card.waitFor()
  }

  async function chooseWallet(name: string): Promise<void> {
    await press(modal.getByRole('button', { name: new RegExp(`^${escapePattern(name)}(?!\\w)`) }))
  }

  async function account(namespace: Namespace = 'eip155'): Promise<string> {
    const instance = await instanceIn(page, projectId)
    const addresses = await instance.evaluate(
      (found, namespace) =>
        new Promise<string[]>((resolve) => {
          const look = () => {
            const connection = found.getSnapshot().connections[namespace]
            if (connection?.status !== 'connected') return
            stop()
            resolve(connection.accounts.map(({ address }) => address))
          }
          const stop = found.subscribe(look)
          look()
        }),
      namespace,
    )
    const [address = ''] = Accounts.parse(addresses)
    return address
  }

  return {
    modal,
    open,
    chooseWallet,
    account,
    async connect(wallet, namespace) {
      await open()
      await chooseWallet(wallet)
      await account(namespace)
      await card.waitFor({ state: 'hidden' })
    },
    async signInByEmail(address, readCode) {
      const field = modal.getByRole('textbox', { name: 'Email address' })
      await field.fill(address)
      await field.press('Enter')
      const frame = modal.frameLocator('iframe[title="Wallet"]')
      const digits = frame.getByRole('textbox', { name: '6-digit code' })
      // A card that still grows drops the digits.
      await frame.locator('[data-armed]').waitFor()
      await digits.pressSequentially(await readCode())
      await account()
    },
    snapshot: async () => (await instanceIn(page, projectId)).evaluate((found) => found.getSnapshot()),
  }
}

/** Waits for the dapp's instance, by npm or by script tag. */
async function instanceIn(page: Page, projectId: string | undefined) {
  await page.waitForFunction(hasInstance, projectId)
  return page.evaluateHandle((project): Postern => {
    const registry: unknown = Reflect.get(window, Symbol.for('postern.registry.1'))
    const isRegistry = (value: unknown): value is { instances: Map<string, { readonly postern: Postern }> } =>
      typeof value === 'object' && value !== null && 'instances' in value && value.instances instanceof Map
    const instances = isRegistry(registry) ? registry.instances : new Map()
    const entry = project === undefined ? [...instances.values()][0] : instances.get(project)
    if (entry === undefined) throw new Error('The page destroyed its instance of Postern.')
    return entry.postern
  }, projectId)
}

/** Runs in the page. The key is that of `@postern/client`'s registry. */
function hasInstance(project: string | undefined): boolean {
  const registry: unknown = Reflect.get(window, Symbol.for('postern.registry.1'))
  if (typeof registry !== 'object' || registry === null || !('instances' in registry)) return false
  const { instances } = registry
  return instances instanceof Map && (project === undefined ? instances.size > 0 : instances.has(project))
}

/**
 * Moves the pointer first, and clicks once it has arrived.
 * Until a browser has drawn a change, it sends the click to the previous target.
 */
async function press(target: Locator): Promise<void> {
  for (let tries = 0; tries < maxHovers; tries += 1) {
    await target.hover()
    if (await target.evaluate((element) => element.matches(':hover'))) break
    await target.page().mouse.move(0, 0)
  }
  await target.click()
}

const maxHovers = 50

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
