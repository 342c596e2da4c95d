import type { PageWallet } from '@postern/protocol'
import { type Connector, type PageConnectorDependencies, stableIdOf } from './connector'
import { lazyConnector } from './lazy'

/**
 * Its summary at once, its code on first use. `isMulti`: the wallet is in other namespaces too (spec §3, MULTI_CHAIN).
 */
export function createPageConnector(wallet: PageWallet, isMulti: boolean, deps: PageConnectorDependencies): Connector {
  const { id, name, type, icon, namespace } = wallet
  const summary = {
    id,
    name,
    type: isMulti ? ('MULTI_CHAIN' as const) : type,
    ...(icon !== undefined && { imageUrl: icon }),
    pageWallet: id,
    namespace,
    stableId: stableIdOf(wallet),
  }
  return lazyConnector(summary, async () => (await import('./load-page-connector')).loadPageConnector(wallet, deps))
}
