import type { StandardNamespace } from '@postern/protocol/namespaces'
import { callAll } from '../shared/call-all'
import { noop } from '../shared/noop'
import type { PosternOptions, Snapshot } from '../types/index'
import { standard as bip122 } from './bip122/standard'
import type { Providers, StandardAccount, StandardFacts } from './contract'
import type { Identity } from './eip155/announce'
import { standard as solana } from './solana/standard'

export const standards: Readonly<Record<StandardNamespace, StandardFacts>> = { solana, bip122 }

export type StandardWalletOptions = {
  readonly identity: Identity
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener' | 'dispatchEvent'>
  readonly networks: PosternOptions['networks']
  readonly namespace: StandardNamespace
  readonly getSnapshot: () => Snapshot
  readonly subscribe: (listener: () => void) => () => void
  readonly load: () => Promise<Providers>
}

type OnChange = (change: { readonly accounts: readonly StandardAccount[] }) => void

/**
 * Registers a Wallet Standard wallet, for apps without an adapter. Returns a stop function.
 *
 * 1. Every app gets the same wallet object, in any load order, and at once: wallet-adapter misses wallets that register
 *    between its render and its effect.
 * 2. Each namespace has its own wallet: Solana apps take a wallet's first account, whatever its chain.
 * 3. `standard:connect` is for Solana, as apps expect, and opens the modal. If silent, it returns the connected
 *    accounts. `bitcoin:connect` returns the accounts in the order of the requested purposes.
 * 4. `accounts` lists a live connection's accounts. They stay the same objects until one changes; then `change` fires.
 * 5. The chains are the configured networks of the namespace that have a standard name.
 */
export function registerStandardWallet(options: StandardWalletOptions): () => void {
  const { window, namespace, load } = options
  const { scope, signing, idPrefixes } = standards[namespace]
  const listeners = new Set<OnChange>()
  const chains = [...new Set(options.networks.flatMap((network) => standardNames(network, idPrefixes)))]
  let known = '[]'
  let accounts: readonly StandardAccount[] = Object.freeze([])

  async function update(): Promise<void> {
    const connection = options.getSnapshot().connections[namespace]
    const live = connection?.status === 'connected' ? connection.accounts : []
    const now = JSON.stringify(live)
    if (now === known) return
    known = now
    try {
      const next = live.length > 0 ? (await load()).standardAccounts(namespace, live, chains, Object.keys(signing)) : []
      if (known !== now) return
      accounts = Object.freeze(next)
    } catch (cause) {
      // The next call retries.
      if (known === now) known = ''
      throw cause
    }
    callAll(listeners, { accounts })
  }

  const feature = (name: string, members: object) => ({ [name]: Object.freeze({ version: '1.0.0', ...members }) })
  const connect = async (input: { silent?: boolean; purposes?: string[] } = {}) => {
    const shared = await (await load()).connect(namespace, input.silent === true, input.purposes)
    await update()
    return { accounts: shared.flatMap((address) => accounts.filter((account) => account.address === address)) }
  }
  const accountOf = async (address: unknown) => {
    await update()
    return accounts.find((account) => account.address === address)
  }
  const disconnect = async () => (await load())[namespace].disconnect()
  const sign = ([name, members]: readonly [string, object]) =>
    feature(name, {
      [name.slice(name.indexOf(':') + 1)]: async (...inputs: unknown[]) => (await load()).sign(name, inputs, accountOf),
      ...members,
    })
  const on = (event: string, listener: OnChange) => {
    const own: OnChange = (change) => listener(change)
    if (event === 'change') listeners.add(own)
    return () => {
      listeners.delete(own)
    }
  }
  const wallet = Object.freeze({
    version: '1.0.0',
    ...options.identity,
    chains: Object.freeze(chains),
    features: Object.freeze({
      ...feature('standard:events', { on }),
      ...feature(`${scope}:events`, { on }),
      ...feature(`${scope}:connect`, { connect }),
      ...feature(`${scope}:disconnect`, { disconnect }),
      ...Object.assign({}, ...Object.entries(signing).map(sign)),
    }),
    get accounts() {
      return accounts
    },
  })

  const offer = ({ register }: { register: (...wallets: object[]) => void }) => register(wallet)
  const onAppReady = (event: Event) => {
    try {
      offer(Reflect.get(event, 'detail'))
    } catch {
      // The app's own error.
    }
  }
  window.addEventListener('wallet-standard:app-ready', onAppReady)
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: offer }))
  const tryUpdate = () => void update().catch(noop)
  const unsubscribe = options.subscribe(tryUpdate)
  tryUpdate()
  return () => {
    unsubscribe()
    listeners.clear()
    window.removeEventListener('wallet-standard:app-ready', onAppReady)
  }
}

export function idOf(network: PosternOptions['networks'][number]): string {
  return typeof network === 'string' ? network : String(network.id)
}

function standardNames(network: PosternOptions['networks'][number], idPrefixes: StandardFacts['idPrefixes']): string[] {
  const id = idOf(network)
  const ofAlias = id.includes('-') ? id.replace('-', ':') : `${id}:mainnet`
  return Object.entries(idPrefixes).flatMap(([name, prefix]) =>
    name === ofAlias || id.startsWith(prefix) ? [name] : [],
  )
}
