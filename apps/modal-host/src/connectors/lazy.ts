import type { ConnectorSummary, Namespace } from '@postern/protocol'
import { lazily } from '@postern/protocol/lazily'
import type { Connector } from './connector'

/**
 * A connector whose summary is there at once, and whose functions come with their first use.
 *
 * 1. Every call goes to the one connector that was loaded; what could not be loaded is loaded again by the next call.
 * 2. Who listens before a call hears everything that comes of that call. Before anything was loaded nothing is heard, and nothing is lost:
 *    whoever wants to know where a wallet stands asks it, which loads.
 * 3. A listener that left before the code arrived is never called.
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
        // The call that needs the code fails by itself, and says so.
        () => {},
      )
      return () => {
        isLeft = true
        stop?.()
      }
    },
  }
}
