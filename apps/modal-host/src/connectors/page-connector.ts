import { onceLoaded } from '@postern/base/once-loaded'
import type { ConnectorSummary, Namespace, PageWallet } from '@postern/protocol'
import { notLoaded } from '@postern/protocol/failure'
import { type Connector, type ConnectorCalls, type PageConnectorDependencies, stableIdOf } from './connector'
import type { CreatePageDialect } from './page/page-calls'

/** Loads the code on first use. `isMulti`: the wallet is in other namespaces too (spec §3, MULTI_CHAIN). */
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
  return connectorOnceLoaded(summary, () => loadCalls(wallet, deps).catch(notLoaded))
}

const dialects = {
  eip155: async () => (await import('./eip155/page-wallet')).createEip155Dialect,
  solana: async () => (await import('./solana/page-wallet')).createSolanaDialect,
  bip122: async () => (await import('./bip122/page-wallet')).createBip122Dialect,
} satisfies Record<Namespace, () => Promise<CreatePageDialect>>

async function loadCalls(wallet: PageWallet, deps: PageConnectorDependencies): Promise<ConnectorCalls> {
  const [{ createPageCalls }, createDialect] = await Promise.all([
    import('./page/page-calls'),
    dialects[wallet.namespace](),
  ])
  return createPageCalls(wallet, deps, (link) => createDialect(link, deps))
}

/**
 * A connector whose functions load on first use.
 *
 * 1. After a failed load the next call loads again.
 * 2. Subscribe before calling to receive every event of that call. Before the load there are no events.
 * 3. A listener removed before the code loads is never called.
 */
export function connectorOnceLoaded(
  summary: ConnectorSummary & { readonly namespace: Namespace; readonly stableId: string },
  load: () => Promise<ConnectorCalls>,
): Connector {
  const { call } = onceLoaded(load)
  return {
    ...summary,
    connect: (...args) => call((calls) => calls.connect(...args)),
    reconnect: (...args) => call((calls) => calls.reconnect(...args)),
    disconnect: (...args) => call((calls) => calls.disconnect(...args)),
    switchNetwork: (...args) => call((calls) => calls.switchNetwork(...args)),
    request: (...args) => call((calls) => calls.request(...args)),
    listen(listener) {
      let stop: (() => void) | null = null
      let isLeft = false
      const hear: typeof listener = (event) => {
        if (!isLeft) listener(event)
      }
      call(({ listen }) => listen(hear)).then(
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
