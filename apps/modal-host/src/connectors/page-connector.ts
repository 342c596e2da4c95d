import type { PageWallet } from '@postern/protocol'
import { loadAdapter } from '../chains/adapters'
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
  switch (wallet.namespace) {
    case 'eip155': {
      const [{ createPageWalletConnector }, adapter] = await Promise.all([
        import('./page-wallet'),
        loadAdapter('eip155'),
      ])
      return createPageWalletConnector(wallet, { ...deps, adapter })
    }
    case 'solana':
      return (await import('./page-solana')).createPageSolanaConnector(wallet, deps)
    case 'bip122':
      return (await import('./page-bitcoin')).createPageBitcoinConnector(wallet, deps)
  }
}
