import type { PageWallet } from '@postern/protocol'
import { isSource, maxNamesakes, maxWallets, readIcon, type WalletProvider } from '../../discovery/wallet-provider'
import { wrap } from '../../discovery/wrap'
import { ownRdns } from './announce'

export type Found = { readonly wallet: PageWallet; readonly source: object; readonly provider: WalletProvider }

export type Discovery = {
  readonly found: readonly Found[]
  stop(): void
}

export type DiscoveryOptions = {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener' | 'dispatchEvent'>
  readonly randomId: () => string
  /** Never listed. */
  readonly ownProvider: object
  readonly onChange: () => void
}

const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * Finds wallets that announce themselves by EIP-6963.
 *
 * 1. An announcement is read once and copied. One that throws, lacks a field or has an invalid one is ignored.
 * 2. An icon that is not a `data:` image is omitted: it would make a request.
 * 3. The first announcement of a uuid or a provider wins; Postern's own is ignored. Of a reverse domain name, the first
 *    {@link maxNamesakes} are listed: nothing proves which wallet owns the name, so the user chooses.
 * 4. A wallet keeps its id for the lifetime of the page.
 */
export function discoverWallets({ window, randomId, ownProvider, onChange }: DiscoveryOptions): Discovery {
  const found: Found[] = []
  const uuids = new Set<string>()

  function onAnnounce(event: Event): void {
    try {
      const detail = Reflect.get(event, 'detail')
      const { info, provider: source } = detail
      const { uuid, name, icon, rdns } = info
      if (found.length >= maxWallets || !isSource(source) || source === ownProvider) return
      if (![uuid, name, rdns].every((value) => typeof value === 'string' && value !== '' && value.length <= 256)) return
      if (!uuidPattern.test(uuid) || rdns === ownRdns || uuids.has(uuid)) return
      if (found.some((other) => other.source === source)) return
      if (found.filter((other) => other.wallet.rdns === rdns).length >= maxNamesakes) return
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
