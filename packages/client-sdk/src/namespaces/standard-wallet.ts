import type { Providers } from '../adapters/providers'
import { icon, ownName } from '../providers/announce'
import type { Account, Namespace, PosternOptions, Snapshot } from '../types'
import { standardChains, toStandardChain } from './chains'

export type StandardWalletOptions = {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener' | 'dispatchEvent'>
  readonly networks: PosternOptions['networks']
  /** The namespaces of these networks, without EVM. */
  readonly wanted: readonly Namespace[]
  readonly getSnapshot: () => Snapshot
  readonly subscribe: (listener: () => void) => () => void
  /** Brings the code that answers. */
  readonly load: () => Promise<Providers>
}

/** An account as Wallet Standard has it. */
export type StandardAccount = {
  readonly address: string
  readonly publicKey: Uint8Array
  readonly chains: readonly string[]
  readonly features: readonly string[]
}

type OnChange = (change: { readonly accounts: readonly StandardAccount[] }) => void

const solanaSigning = ['solana:signMessage', 'solana:signTransaction', 'solana:signAndSendTransaction']
const bitcoinSigning = ['bitcoin:signMessage', 'bitcoin:signTransaction']

/**
 * Registers Postern as a wallet of Wallet Standard, so that apps written for it see us without an adapter. Returns what ends it.
 *
 * 1. Every app of the page is offered the wallet, whichever came first. It is one object, so that who has it already knows it.
 * 2. `standard:connect` is Solana's, as apps use it, and opens the modal; silent, it answers with who is connected. Bitcoin's is
 *    `bitcoin:connect`.
 * 3. `accounts` are those of the live connections: the same objects until one changes, and then a `change` event tells.
 * 4. The chains are those that the dapp configured and the standard has a name for.
 */
export function registerStandardWallet(options: StandardWalletOptions): () => void {
  const { window, wanted, load } = options
  const listeners = new Set<OnChange>()
  const chains = [...new Set(options.networks.flatMap(standardNames))]
  let known = '[]'
  let accounts: readonly StandardAccount[] = Object.freeze([])

  /** Keeps `accounts` what the snapshot says. The keys are decoded by code that comes with the first of them. */
  async function look(): Promise<void> {
    const { connections } = options.getSnapshot()
    const live = wanted.flatMap((namespace) => {
      const connection = connections[namespace]
      return connection?.status === 'connected' ? connection.accounts : []
    })
    const now = JSON.stringify(live)
    if (now === known) return
    known = now
    const keyOf = live.length > 0 ? (await load().catch(notKnown)).keyOf : () => new Uint8Array()
    if (known !== now) return
    accounts = Object.freeze(live.map((account) => toStandard(account, keyOf(account))))
    for (const listener of [...listeners]) {
      try {
        listener({ accounts })
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }

    /** The code did not come: who looks next asks for it again. */
    function notKnown(cause: unknown): never {
      if (known === now) known = ''
      throw cause
    }
  }

  function toStandard({ namespace, address }: Account, publicKey: Uint8Array): StandardAccount {
    const prefix = namespace === 'solana' ? 'solana:' : 'bitcoin:'
    return Object.freeze({
      address,
      publicKey,
      chains: chains.filter((chain) => chain.startsWith(prefix)),
      features: namespace === 'solana' ? solanaSigning : bitcoinSigning,
    })
  }

  const feature = (name: string, members: object) => ({ [name]: Object.freeze({ version: '1.0.0', ...members }) })
  const connect =
    (name: 'solana' | 'bip122') =>
    async (input: { silent?: boolean; purposes?: string[] } = {}) => {
      const shared = await (await load()).connect(name, input.silent === true, input.purposes)
      await look()
      return { accounts: accounts.filter(({ address }) => shared.includes(address)) }
    }
  const disconnect = (name: 'solana' | 'bip122') => async () => (await load())[name].disconnect()
  const sign = (name: string, more?: object) =>
    feature(name, {
      [name.slice(name.indexOf(':') + 1)]: async (...inputs: unknown[]) => (await load()).sign(name, inputs),
      ...more,
    })
  const on = (event: string, listener: OnChange) => {
    const own: OnChange = (change) => listener(change)
    if (event === 'change') listeners.add(own)
    return () => {
      listeners.delete(own)
    }
  }
  const versions = { supportedTransactionVersions: Object.freeze(['legacy', 0]) }
  const wallet = Object.freeze({
    version: '1.0.0',
    name: ownName,
    icon,
    chains: Object.freeze(chains),
    features: Object.freeze({
      ...feature('standard:events', { on }),
      ...(wanted.includes('solana') && {
        ...feature('standard:connect', { connect: connect('solana') }),
        ...feature('standard:disconnect', { disconnect: disconnect('solana') }),
        ...Object.assign({}, ...solanaSigning.map((name) => sign(name, /Tran/.test(name) ? versions : {}))),
      }),
      ...(wanted.includes('bip122') && {
        ...feature('bitcoin:connect', { connect: connect('bip122') }),
        ...feature('bitcoin:disconnect', { disconnect: disconnect('bip122') }),
        ...feature('bitcoin:events', { on }),
        ...Object.assign({}, ...bitcoinSigning.map((name) => sign(name))),
      }),
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
      // What an app makes of it is its own.
    }
  }
  window.addEventListener('wallet-standard:app-ready', onAppReady)
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: offer }))
  const unsubscribe = options.subscribe(() => void look().catch(() => {}))
  void look().catch(() => {})
  return () => {
    unsubscribe()
    listeners.clear()
    window.removeEventListener('wallet-standard:app-ready', onAppReady)
  }
}

/** The standard's name of a configured network: of an alias (`solana-devnet`) or of a CAIP-2 id. None where it has none. */
function standardNames(network: PosternOptions['networks'][number]): string[] {
  const id = typeof network === 'string' ? network : network.id
  const [, family, kind = 'mainnet'] = /^(solana|bitcoin)(?:-(\w+))?$/.exec(id) ?? []
  const name = family === undefined ? toStandardChain(id) : `${family}:${kind}`
  return name !== undefined && Object.hasOwn(standardChains, name) ? [name] : []
}
