import type { PageWallet } from '@postern/protocol'
import type { StandardNamespace } from '@postern/protocol/namespaces'
import { lazyProvider } from '../discovery/lazy-provider'
import { isSource, maxNamesakes, maxWallets, readIcon, type WalletProvider } from '../discovery/wallet-provider'
import { fromStandardChain } from '../shared/standard-chains'
import type { Namespace } from '../types/index'
import { finder as bip122 } from './bip122/find'
import type { Finder, Source } from './contract'
import { finder as solana } from './solana/find'

export const finders: Readonly<Record<StandardNamespace, Finder>> = { solana, bip122 }

export type FoundWallet = { readonly wallet: PageWallet; readonly provider: WalletProvider }

export type WalletsOptions = {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener' | 'dispatchEvent'> & {
    readonly navigator: object
  }
  readonly randomId: () => string
  readonly namespaces: readonly StandardNamespace[]
  readonly ownName: string
  readonly adapt: (source: Source) => Promise<WalletProvider>
  readonly onChange: () => void
}

type Standard = { readonly wallet: object; readonly found: readonly FoundWallet[] }

/**
 * Finds the page's Solana and Bitcoin wallets: of the Wallet Standard, or Bitcoin extensions on the window.
 *
 * 1. `register` never throws and returns an unregister function. A wallet's fields are read once and copied. One that
 *    throws, lacks a member or has an invalid one is ignored.
 * 2. An icon that is not a `data:` image is omitted.
 * 3. Of a name, the first {@link maxNamesakes} in each namespace are listed: nothing proves which wallet owns the name.
 *    Postern's own, and more than {@link maxWallets}, are ignored.
 * 4. A Bitcoin wallet that registers and is also on the window is listed once.
 * 5. A wallet keeps its id until it is gone. Its adapter loads on the first request.
 */
export function findWallets(options: WalletsOptions) {
  const { window, randomId, namespaces, ownName, adapt, onChange } = options
  const standard = new Set<Standard>()
  const injected = new Map<object, FoundWallet>()

  function add(source: Source, wallet: Omit<PageWallet, 'id'>): FoundWallet {
    return { wallet: Object.freeze({ id: randomId(), ...wallet }), provider: lazyProvider(() => adapt(source)) }
  }

  const registered = () => [...standard].flatMap(({ found }) => found)

  function register(...wallets: readonly unknown[]): () => void {
    const added = wallets.slice(0, maxWallets).flatMap((wallet) => {
      try {
        return isSource(wallet) && standard.size < maxWallets ? [registerOne(wallet)] : []
      } catch {
        // Hostile or broken.
        return []
      }
    })
    if (added.some(({ found }) => found.length > 0)) onChange()
    return () => {
      const gone = added.filter((each) => standard.delete(each))
      if (gone.some(({ found }) => found.length > 0)) onChange()
    }
  }

  function registerOne(wallet: object): Standard {
    const existing = [...standard].find((each) => each.wallet === wallet)
    if (existing !== undefined) return existing
    const fresh = { wallet, found: read(wallet) }
    if (fresh.found.length > 0) standard.add(fresh)
    return fresh
  }

  function read(wallet: object): FoundWallet[] {
    const name: unknown = Reflect.get(wallet, 'name')
    const icon = readIcon(Reflect.get(wallet, 'icon'))
    const features: unknown = Reflect.get(wallet, 'features')
    const chains: unknown = Reflect.get(wallet, 'chains')
    // For a key with a leading line break, the host would reject the whole list.
    if (typeof name !== 'string' || !/^./.test(name) || name.length > 240 || name === ownName) return []
    if (!isSource(features) || !Array.isArray(chains)) return []
    const has = (feature: string) => isSource(Reflect.get(features, feature))
    const networks = chains.slice(0, maxWallets).flatMap((chain) => fromStandardChain(chain) ?? [])
    return namespaces.flatMap((namespace) => {
      const { kind, methods: methodsOf } = finders[namespace]
      const methods = methodsOf(has)
      const namesakes = registered().filter((other) => isNamed(other.wallet, namespace, name))
      if (methods.length === 0 || namesakes.length >= maxNamesakes) return []
      const own = networks.filter((id) => id.startsWith(`${namespace}:`))
      return add(
        { kind, source: wallet },
        {
          namespace,
          type: 'ANNOUNCED',
          name,
          key: `standard:${name}`,
          ...icon,
          ...(own.length > 0 && { networks: own }),
          methods,
        },
      )
    })
  }

  function onWindow(): FoundWallet[] {
    return namespaces.flatMap((namespace) =>
      (finders[namespace].injected?.(window) ?? []).flatMap(({ source, kind, ...wallet }) => {
        if (registered().some((other) => isNamed(other.wallet, namespace, wallet.name))) return []
        const known = injected.get(source) ?? add({ kind, source }, { namespace, type: 'INJECTED', ...wallet })
        injected.set(source, known)
        return known
      }),
    )
  }

  const all = () => [...registered(), ...onWindow()]

  const onRegister = (event: Event) => {
    try {
      Reflect.get(event, 'detail')({ register })
    } catch {
      // The wallet's own error.
    }
  }
  const { navigator } = window
  const restore = followLegacyList(navigator, register)
  window.addEventListener('wallet-standard:register-wallet', onRegister)
  window.addEventListener('load', onChange)
  window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: Object.freeze({ register }) }))

  return {
    list: (): PageWallet[] => all().map(({ wallet }) => wallet),
    get: (id: string): WalletProvider | undefined => all().find(({ wallet }) => wallet.id === id)?.provider,
    stop() {
      restore()
      window.removeEventListener('wallet-standard:register-wallet', onRegister)
      window.removeEventListener('load', onChange)
    },
  }
}

function isNamed(wallet: PageWallet, namespace: Namespace, name: string): boolean {
  return wallet.namespace === namespace && plainName(wallet.name) === plainName(name)
}

/** Some wallets add "wallet" to only one of their names. */
function plainName(name: string): string {
  return name.toLowerCase().replace(/ wallet$/, '')
}

/** `navigator.wallets` predates events. Other libraries read the same array. */
function followLegacyList(navigator: object, register: (...wallets: readonly unknown[]) => () => void): () => void {
  const call = (callbacks: readonly unknown[]) => {
    for (const callback of callbacks.slice(0, maxWallets)) {
      try {
        if (typeof callback === 'function') callback({ register })
      } catch {
        // The wallet's own error.
      }
    }
  }
  try {
    const list: unknown = Reflect.get(navigator, 'wallets') ?? []
    if (!Array.isArray(list)) return () => {}
    Reflect.set(navigator, 'wallets', list)
    call(list)
    const push = (...callbacks: unknown[]) => {
      call(callbacks)
      return Array.prototype.push.apply(list, callbacks)
    }
    list.push = push
    return () => {
      if (list.push === push) Reflect.deleteProperty(list, 'push')
    }
  } catch {
    return () => {}
  }
}
