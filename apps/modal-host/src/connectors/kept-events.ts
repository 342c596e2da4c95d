import type { Connector, ConnectorEvent, KeptEvents } from './connector'

/** Call before asking a wallet outside the page: it may end the session between its answer and the listener. */
export function keepEvents(connector: Pick<Connector, 'listen'>): KeptEvents {
  const kept: ConnectorEvent[] = []
  let isDropped = false
  let deliver = (event: ConnectorEvent): void => {
    kept.push(event)
  }
  const stop = connector.listen((event) => deliver(event))
  const drop = () => {
    isDropped = true
    stop()
  }
  return {
    deliver(listener) {
      deliver = listener
      for (const event of kept.splice(0)) if (!isDropped) listener(event)
      return drop
    },
    drop,
  }
}
