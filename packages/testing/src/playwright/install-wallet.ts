import { toProviderRpcError } from '@postern/evm-wallet/rpc-error'
import type { BrowserContext, Page } from 'playwright-core'
import { createTestWallet } from '../wallets/test-wallet'
import type { Announced, TestWallet, TestWalletOptions } from '../wallets/types'

type Answer =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }

const eventNames = ['accountsChanged', 'chainChanged', 'disconnect'] as const

/**
 * Installs a test wallet in a page, or in every page of a context. Call it before `page.goto`.
 *
 * 1. The wallet runs in the test's process, survives reloads, and asks the node from there, so that no policy of the
 *    page applies. The page gets a provider without keys, announced by EIP-6963.
 * 2. Only the page itself has the wallet: not its frames, such as the modal.
 * 3. Several wallets in one page need a different `rdns` each.
 *
 * @example
 * const wallet = await installWallet(page, { behaviour: 'wait' })
 * await page.goto('http://localhost:5173/')
 * const question = await wallet.question('eth_requestAccounts')
 * question.approve()
 */
export async function installWallet(target: Page | BrowserContext, options?: TestWalletOptions): Promise<TestWallet> {
  const wallet = createTestWallet(options)
  const { info, provider } = wallet
  const binding = `posternTestWallet/${info.rdns}`
  await target.exposeBinding(binding, async ({ frame }, args): Promise<Answer> => {
    if (frame.parentFrame() !== null) return { error: { code: 4100, message: 'The wallet is for the page only.' } }
    return provider.request(args).then(
      (result) => ({ result: result ?? null }),
      (error: unknown) => ({ error: detailsOf(error) }),
    )
  })
  await target.addInitScript(announceInPage, { binding, info })
  for (const event of eventNames) {
    provider.on(event, (data) => {
      for (const page of 'pages' in target ? target.pages() : [target])
        page.evaluate(dispatchInPage, { binding, event, data: plain(data) }).catch(() => {
          // The page is closed or leaves; the next one reads the wallet's state.
        })
    })
  }
  return wallet
}

function detailsOf(error: unknown): { code: number; message: string; data?: unknown } {
  const { code, message, data } = toProviderRpcError(error)
  return { code, message, ...(data !== undefined && { data }) }
}

/** `disconnect` carries an error. */
function plain(data: unknown): unknown {
  return data instanceof Error ? detailsOf(data) : data
}

/** Runs in the page: it may use nothing from outside. */
function announceInPage({ binding, info }: { readonly binding: string; readonly info: Announced }): void {
  if (window.top !== window) return
  const listeners = new Map<string, Set<(data: unknown) => void>>()
  const ask: unknown = Reflect.get(window, binding)
  const provider = {
    async request(args: unknown): Promise<unknown> {
      if (typeof ask !== 'function') throw new Error('The test wallet is gone.')
      const answer = await ask(args)
      if (!('error' in answer)) return answer.result
      const { message, code, data } = answer.error
      throw Object.assign(new Error(message), { code, data })
    },
    on(event: string, listener: (data: unknown) => void) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
      return provider
    },
    removeListener(event: string, listener: (data: unknown) => void) {
      listeners.get(event)?.delete(listener)
      return provider
    },
  }
  window.addEventListener(binding, (message) => {
    if (!(message instanceof CustomEvent)) return
    for (const listener of [...(listeners.get(message.detail.event) ?? [])]) listener(message.detail.data)
  })
  // Pages without TLS have no `crypto.randomUUID`.
  const random = [...crypto.getRandomValues(new Uint8Array(6))].map((byte) => byte.toString(16).padStart(2, '0'))
  const uuid = `00000000-0000-4000-8000-${random.join('')}`
  const detail = Object.freeze({ info: Object.freeze({ uuid, ...info }), provider })
  const tell = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', tell)
  tell()
}

/** Runs in the page. */
function dispatchInPage({ binding, ...detail }: { readonly binding: string; event: string; data: unknown }): void {
  window.dispatchEvent(new CustomEvent(binding, { detail }))
}
