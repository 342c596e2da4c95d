import type { ConnectorSummary, Namespace } from '@postern/protocol'
import { lazily } from '@postern/protocol/lazily'
import type { Connector } from './connector'

/**
 * A connector whose summary is available at once; its functions load on first use.
 *
 * 1. Every call goes to the one loaded connector; after a failed load the next call loads again.
 * 2. Subscribe before calling to receive every event of that call. Before the load there are no events: to learn a
 *    wallet's state, call it.
 * 3. A listener removed before the code loads is never called.
 */
export function lazyConnector(
  summary: ConnectorSummary & { readonly namespace: Namespace; readonly stableId: string },
  load: () => Promise<Connector>,
): Connector {
  const loaded = lazily(load)
  return {
    ...summary,
    connect: async (signal) => (await loaded()).connect(signal),
    reconnect: async (signal) => (await loaded()).reconnect(signal),
    disconnect: async () => (await loaded()).disconnect(),
    switchNetwork: async (network, signal) => (await loaded()).switchNetwork(network, signal),
    request: async (method, params, signal) => (await loaded()).request(method, params, signal),
    listen(listener) {
      let stop: (() => void) | null = null
      let isLeft = false
      loaded().then(
        (connector) => {
          if (!isLeft) stop = connector.listen(listener)
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
