import type { PageWallet } from '@postern/protocol'
import { lazyProvider } from '../../discovery/lazy-provider'
import { isSource, readIcon, type WalletProvider } from '../../discovery/wallet-provider'
import { wrap } from '../../discovery/wrap'
import type { Found } from '../../namespaces/eip155/find'
import type { ExternalConnector } from '../../types/index'

/**
 * The dapp's wallets with their own SDK (docs/guides/external-connectors.md).
 *
 * 1. A wallet that lacks a member or repeats an id is ignored.
 * 2. `load` is called once, on the first request. After a failure the next request calls it again.
 * 3. A listener added before loading hears events from then on.
 */
export function readExternals(connectors: readonly ExternalConnector[], randomId: () => string): Found[] {
  const found = new Map<string, Found>()
  for (const connector of connectors) {
    const { id, name, icon, namespace, load } = connector
    if (typeof id !== 'string' || !/^.{1,64}$/.test(id) || found.has(id) || namespace !== 'eip155') continue
    if (typeof name !== 'string' || name === '' || name.length > 256 || typeof load !== 'function') continue
    const wallet: PageWallet = {
      id: randomId(),
      namespace,
      type: 'EXTERNAL',
      name,
      key: `external:${id}`,
      ...readIcon(icon),
    }
    found.set(id, { wallet: Object.freeze(wallet), source: connector, provider: lazyProvider(() => providerOf(load)) })
  }
  return [...found.values()]
}

async function providerOf(load: ExternalConnector['load']): Promise<WalletProvider> {
  const source: unknown = await load()
  const provider = isSource(source) ? wrap(source) : undefined
  if (provider === undefined) throw new TypeError('load() of the connector did not return an EIP-1193 provider')
  return provider
}
