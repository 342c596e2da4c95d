import type { PageWallet } from '@postern/protocol'

/** A wallet's provider as far as we trust it: functions that may throw anything, and answer anything. */
export type WalletProvider = {
  request(args: { method: string; params?: unknown }): Promise<unknown>
  /** Returns what ends the listening. */
  on(event: string, listener: (data: unknown) => void): () => void
}

export type Discovery = {
  list(): PageWallet[]
  /** Undefined when there is no such wallet, or no longer. */
  get(id: string): WalletProvider | undefined
  stop(): void
}

export type DiscoveryOptions = {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener' | 'dispatchEvent'> & {
    readonly ethereum?: unknown
  }
  readonly randomId: () => string
  /** The own provider, which is no wallet. */
  readonly own: object
  readonly onChange: () => void
}

type Found = { readonly wallet: PageWallet; readonly source: object; readonly provider: WalletProvider }

/** Postern's own reverse domain name. */
export const ownRdns = 'dev.postern.wallet'

/** More than any visitor has; a page that announces without end is not followed. */
const mostWallets = 64
const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Finds the wallets of this page: those announced by EIP-6963, and the legacy `window.ethereum` (with its `providers`).
 *
 * 1. An announcement is read once and copied; nothing of it is read again. One that throws, lacks a field or has a wrong one is ignored.
 * 2. An icon that is no `data:` image is left out, so that it cannot become a request.
 * 3. The first announcement of a uuid, a reverse domain name or a provider stands; later ones are ignored, so are our own.
 * 4. A legacy provider is a wallet unless the same object is announced. Once the page drops it, it is gone.
 * 5. A wallet keeps its id for as long as the page lives.
 */
export function discoverPageWallets({ window, randomId, own, onChange }: DiscoveryOptions): Discovery {
  const announced: Found[] = []
  const uuids = new Set<string>()
  const legacy = new Map<object, Found>()

  function onAnnounce(event: Event): void {
    try {
      const detail = Reflect.get(event, 'detail')
      const { info, provider: source } = detail
      const { uuid, name, icon, rdns } = info
      if (announced.length >= mostWallets || !isSource(source) || source === own) return
      if (![uuid, name, rdns].every((value) => typeof value === 'string' && value !== '' && value.length <= 256)) return
      if (!uuidPattern.test(uuid) || rdns === ownRdns || uuids.has(uuid)) return
      if (announced.some((found) => found.source === source || found.wallet.rdns === rdns)) return
      const provider = wrap(source)
      if (provider === undefined) return
      uuids.add(uuid)
      const wallet: PageWallet = { id: randomId(), namespace: 'eip155', type: 'ANNOUNCED', name, rdns }
      if (typeof icon === 'string' && icon.length <= 65_536 && /^data:image\//.test(icon)) wallet.icon = icon
      announced.push({ wallet: Object.freeze(wallet), source, provider })
      onChange()
    } catch {
      // A hostile or broken announcement is no wallet.
    }
  }

  function present(): Found[] {
    return legacySources(window).flatMap((source) => {
      if (source === own || announced.some((found) => found.source === source)) return []
      const known = legacy.get(source)
      if (known !== undefined) return [known]
      const provider = wrap(source)
      if (provider === undefined) return []
      const wallet: PageWallet = { id: randomId(), namespace: 'eip155', type: 'INJECTED', name: 'Browser wallet' }
      const found = { wallet: Object.freeze(wallet), source, provider }
      legacy.set(source, found)
      return [found]
    })
  }

  const all = () => [...announced, ...present()]

  window.addEventListener('eip6963:announceProvider', onAnnounce)
  window.addEventListener('ethereum#initialized', onChange)
  window.dispatchEvent(new Event('eip6963:requestProvider'))

  return {
    list: () =>
      all()
        .slice(0, mostWallets)
        .map(({ wallet }) => wallet),
    get: (id) => all().find(({ wallet }) => wallet.id === id)?.provider,
    stop() {
      window.removeEventListener('eip6963:announceProvider', onAnnounce)
      window.removeEventListener('ethereum#initialized', onChange)
    },
  }
}

function legacySources(window: { readonly ethereum?: unknown }): object[] {
  try {
    const root = window.ethereum
    if (!isSource(root)) return []
    const several: unknown = Reflect.get(root, 'providers')
    const sources = Array.isArray(several) && several.length > 0 ? several.slice(0, mostWallets) : [root]
    return [...new Set(sources.filter(isSource))]
  } catch {
    return []
  }
}

function isSource(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

/** Takes the provider's functions once, so that a later swap of them does not reach us. */
function wrap(source: object): WalletProvider | undefined {
  const take = (name: string): ((...args: unknown[]) => unknown) | undefined => {
    const member: unknown = Reflect.get(source, name)
    return typeof member === 'function' ? (...args) => Reflect.apply(member, source, args) : undefined
  }
  const [request, on, off] = [take('request'), take('on'), take('removeListener')]
  if (request === undefined) return undefined
  return {
    request: async (args) => request(args),
    on(event, listener) {
      on?.(event, listener)
      return () => off?.(event, listener)
    },
  }
}
