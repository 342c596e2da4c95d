import type { PageWallet } from '@postern/protocol'

/** Its functions may throw or return anything. */
export type WalletProvider = {
  request(args: { method: string; params?: unknown }): Promise<unknown>
  /** Returns an unsubscribe function. */
  on(event: string, listener: (data: unknown) => void): () => void
}

export type Found = { readonly wallet: PageWallet; readonly source: object; readonly provider: WalletProvider }

export type Discovery = {
  /** In order of arrival. */
  readonly found: readonly Found[]
  stop(): void
}

export type DiscoveryOptions = {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener' | 'dispatchEvent'>
  readonly randomId: () => string
  /** Postern's own provider, which is not a wallet. */
  readonly own: object
  readonly onChange: () => void
}

export const ownRdns = 'dev.postern.wallet'

/** Beyond any user's count; stops endless announcements. */
export const mostWallets = 64
const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Finds the wallets that announce themselves by EIP-6963.
 *
 * 1. Read an announcement once and copy it. Ignore one that throws, lacks a field or has an invalid one.
 * 2. Omit an icon that is not a `data:` image, so that it cannot cause a request.
 * 3. The first announcement of a uuid, a reverse domain name or a provider wins. Ignore later ones and Postern's own.
 * 4. A wallet keeps its id for the lifetime of the page.
 */
export function discoverPageWallets({ window, randomId, own, onChange }: DiscoveryOptions): Discovery {
  const found: Found[] = []
  const uuids = new Set<string>()

  function onAnnounce(event: Event): void {
    try {
      const detail = Reflect.get(event, 'detail')
      const { info, provider: source } = detail
      const { uuid, name, icon, rdns } = info
      if (found.length >= mostWallets || !isSource(source) || source === own) return
      if (![uuid, name, rdns].every((value) => typeof value === 'string' && value !== '' && value.length <= 256)) return
      if (!uuidPattern.test(uuid) || rdns === ownRdns || uuids.has(uuid)) return
      if (found.some((other) => other.source === source || other.wallet.rdns === rdns)) return
      const provider = wrap(source)
      if (provider === undefined) return
      uuids.add(uuid)
      const wallet: PageWallet = {
        id: randomId(),
        namespace: 'eip155',
        type: 'ANNOUNCED',
        name,
        rdns,
        ...readIcon(icon),
      }
      found.push({ wallet: Object.freeze(wallet), source, provider })
      onChange()
    } catch {
      // Hostile or broken.
    }
  }

  window.addEventListener('eip6963:announceProvider', onAnnounce)
  window.dispatchEvent(new Event('eip6963:requestProvider'))

  return {
    found,
    stop() {
      window.removeEventListener('eip6963:announceProvider', onAnnounce)
    },
  }
}

/** Only a `data:` image, so that an icon cannot cause a request. */
export function readIcon(icon: unknown): Pick<PageWallet, 'icon'> {
  return typeof icon === 'string' && icon.length <= 65_536 && /^data:image\//.test(icon) ? { icon } : {}
}

export function isSource(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

/** Reads functions once, so that a later swap has no effect. */
export function wrap(source: object): WalletProvider | undefined {
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
