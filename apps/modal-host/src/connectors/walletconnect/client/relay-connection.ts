type Connecting = { connect(relayUrl?: string): Promise<void> }

/**
 * While offline, the library (2.21.8 and 2.25) connects for every request, and a failed attempt subscribes again:
 * hundreds of sockets a second.
 */
export function connectOnceAtATime(relayer: object): void {
  if (!canConnect(relayer)) return
  const connect = relayer.connect.bind(relayer)
  let connecting: Promise<void> | null = null
  relayer.connect = (relayUrl) => {
    connecting ??= connect(relayUrl).finally(() => {
      connecting = null
    })
    return connecting
  }
}

/**
 * Connects again, even if the connection seems well: the library takes up to 30 s to notice that a browser cut it. Does
 * nothing for a client that needs no relay.
 */
export function reconnect({ relayer }: { readonly relayer: Relayer }, watch: { renew(): void }): void {
  const { connected, provider, subscriber } = relayer
  if (!subscriber.hasAnyTopics) return
  if (!connected) {
    // Offline, or closed meanwhile.
    relayer.transportOpen().catch(() => undefined)
    return
  }
  watch.renew()
  // The library then connects. Its own restart waits for the cut socket to close, up to a minute.
  provider.events.emit('disconnect')
  provider.disconnect().catch(() => undefined)
}

type Relayer = {
  readonly connected: boolean
  readonly subscriber: { readonly hasAnyTopics: boolean }
  transportOpen(): Promise<void>
  readonly provider: { readonly events: { emit(event: 'disconnect'): unknown }; disconnect(): Promise<void> }
}

/** A closed client must not connect for a request under way. */
export function connectNoMore(relayer: object): void {
  if (canConnect(relayer)) relayer.connect = () => Promise.reject(new Error('The client was closed'))
}

function canConnect(relayer: object): relayer is Connecting {
  return 'connect' in relayer && typeof relayer.connect === 'function'
}
