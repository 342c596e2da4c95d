import type { PageWallet } from '@postern/protocol'
import { sendsTransaction } from '@postern/protocol/methods'
import { isSource, maxWallets, type WalletProvider } from '../../discovery/wallet-provider'
import { wrap } from '../../discovery/wrap'
import type { Discovery, Found } from '../../namespaces/eip155/find'
import type { ExternalConnector, Namespace } from '../../types/index'
import { readExternals } from './external-wallets'

export type CollectOptions = {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener'> & { readonly ethereum?: unknown }
  readonly randomId: () => string
  readonly announced: Pick<Discovery, 'found'>
  /** Never listed. */
  readonly ownProvider: object
  readonly connectors: readonly ExternalConnector[]
  /** Undefined until loaded. */
  readonly namespaces: () => Pick<CollectedWallets, 'list' | 'get'> | undefined
  readonly onChange: () => void
}

export type CollectedWallets = {
  list(): PageWallet[]
  get(id: string): WalletProvider | undefined
  namespaceOf(id: string): Namespace | undefined
  stop(): void
}

/**
 * The page's wallets: announced, legacy (`window.ethereum`), the dapp's own and other namespaces'.
 *
 * 1. A legacy provider, also one of its `providers`, is listed while the page has it, unless the same object is
 *    announced. One that appears without an event is a change on the next read.
 * 2. A wallet keeps its id for the lifetime of the page.
 * 3. The list has at most {@link maxWallets}, the host's limit.
 */
export function collectWallets(options: CollectOptions): CollectedWallets {
  const { window, randomId, announced, ownProvider, onChange, namespaces } = options
  const legacy = new Map<object, Found>()
  const externals = readExternals(options.connectors, randomId)

  function present(): Found[] {
    try {
      return legacySources(window).flatMap((source) => {
        if (source === ownProvider || announced.found.some((found) => found.source === source)) return []
        const existing = legacy.get(source)
        if (existing !== undefined) return [existing]
        const provider = wrap(source)
        if (provider === undefined) return []
        const wallet: PageWallet = { id: randomId(), namespace: 'eip155', type: 'INJECTED', name: 'Browser wallet' }
        const found = { wallet: Object.freeze(wallet), source, provider }
        legacy.set(source, found)
        // Stored first, so that reading the list again is no change.
        onChange()
        return [found]
      })
    } catch {
      // Hostile or broken.
      return []
    }
  }

  const evm = () => [...externals, ...announced.found, ...present()]
  const list = () => [...evm().map(({ wallet }) => wallet), ...(namespaces()?.list() ?? [])].slice(0, maxWallets)

  window.addEventListener('ethereum#initialized', onChange)
  return {
    list,
    get: (id) => evm().find(({ wallet }) => wallet.id === id)?.provider ?? namespaces()?.get(id),
    namespaceOf: (id) => list().find((wallet) => wallet.id === id)?.namespace,
    stop: () => window.removeEventListener('ethereum#initialized', onChange),
  }
}

function legacySources({ ethereum: root }: { readonly ethereum?: unknown }): object[] {
  if (!isSource(root)) return []
  const several: unknown = Reflect.get(root, 'providers')
  const sources = Array.isArray(several) && several.length > 0 ? several.slice(0, maxWallets) : [root]
  return [...new Set(sources.filter(isSource))]
}

export function notifyOnSend(provider: WalletProvider, onSent: () => void): WalletProvider {
  return {
    on: provider.on,
    async request(args) {
      const answer = await provider.request(args)
      if (sendsTransaction(args.method, args.params)) onSent()
      return answer
    },
  }
}
