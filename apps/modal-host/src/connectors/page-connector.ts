import type { PageWallet } from '@postern/protocol'
import { loadAdapter } from '../chains/adapters'
import { LinkFailure } from '../link/failure'
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
  return lazyConnector(summary, () => load(wallet, deps))
}

async function load(wallet: PageWallet, deps: PageConnectorDependencies): Promise<Connector> {
  if (wallet.namespace !== 'eip155') throw new LinkFailure('ADAPTER_NOT_FOUND')
  const [{ createPageWalletConnector }, adapter] = await Promise.all([
    import('./page-wallet'),
    loadAdapter(wallet.namespace),
  ])
  return createPageWalletConnector(wallet, { ...deps, adapter })
}
