import { loadAdapter } from '@postern/chains/adapters'
import type { PageWallet } from '@postern/protocol'
import type { Connector, PageConnectorDependencies } from './connector'

/** A file of its own, so that the entry chunk does not list every connector chunk. */
export async function loadPageConnector(wallet: PageWallet, deps: PageConnectorDependencies): Promise<Connector> {
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
