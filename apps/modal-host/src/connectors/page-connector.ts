import type { PageWallet } from '@postern/protocol'
import { type Connector, type PageConnectorDependencies, stableIdOf } from './connector'
import { lazyConnector } from './lazy'

/**
 * The connector of a wallet of the page: what is shown of it at once, what speaks its namespace's dialect on first use.
 * `isMulti`: the same wallet is there in other namespaces too (spec §3, MULTI_CHAIN).
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
