import type { ConnectorSummary, Namespace, PageWallet } from '@postern/protocol'
import { notLoaded } from '@postern/protocol/failure'
import { onceLoaded } from '@postern/protocol/once-loaded'
import { type Connector, type PageConnectorDependencies, stableIdOf } from './connector'

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
  return connectorOnceLoaded(summary, () => loadDialect(wallet, deps).catch(notLoaded))
}

/** Loads the connector for the wallet's namespace. */
async function loadDialect(wallet: PageWallet, deps: PageConnectorDependencies): Promise<Connector> {
  switch (wallet.namespace) {
    case 'eip155': {
      const [{ createPageEvmConnector }, { loadAdapter }] = await Promise.all([
        import('./eip155/page-wallet'),
        import('@postern/chains/adapters'),
      ])
      return createPageEvmConnector(wallet, { ...deps, adapter: await loadAdapter('eip155') })
    }
    case 'solana':
      return (await import('./solana/page-wallet')).createPageSolanaConnector(wallet, deps)
    case 'bip122':
      return (await import('./bip122/page-wallet')).createPageBitcoinConnector(wallet, deps)
  }
}

/**
 * A connector whose summary is available at once; its functions load on first use.
 *
 * 1. Every call goes to the one loaded connector; after a failed load the next call loads again.
 * 2. Subscribe before calling to receive every event of that call. Before the load there are no events: to learn a
 *    wallet's state, call it.
 * 3. A listener removed before the code loads is never called.
 */
export function connectorOnceLoaded(
  summary: ConnectorSummary & { readonly namespace: Namespace; readonly stableId: string },
  load: () => Promise<Connector>,
): Connector {
  const { call } = onceLoaded(load)
  return {
    ...summary,
    connect: call.connect,
    reconnect: call.reconnect,
    disconnect: call.disconnect,
    switchNetwork: call.switchNetwork,
    request: call.request,
    listen(listener) {
      let stop: (() => void) | null = null
      let isLeft = false
      call
        .listen((event) => {
          if (!isLeft) listener(event)
        })
        .then(
          (leave) => {
            if (isLeft) leave()
            else stop = leave
          },
          // The call that needs the code reports the failure.
          () => {},
        )
      return () => {
        isLeft = true
        stop?.()
      }
    },
  }
}
