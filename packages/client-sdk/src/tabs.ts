/**
 * The tabs of one dapp tell each other that a session changed; what it is now, each reads for itself. A message may be here before what was
 * written can be read, so the `storage` event has a look as well: it comes when it can.
 * Browsers without `BroadcastChannel`, or that deny it, have the `storage` event alone.
 */
export function openTabs(
  window: Pick<Window, 'addEventListener' | 'removeEventListener'> & {
    readonly BroadcastChannel?: typeof BroadcastChannel
  },
  prefix: string,
  onChanged: () => void,
): { tell(): void; close(): void } {
  let channel: BroadcastChannel | undefined
  // Without a key it was all cleared.
  const onStorage = ({ key }: StorageEvent) => {
    if (key === null || key.startsWith(prefix)) onChanged()
  }
  window.addEventListener('storage', onStorage)
  try {
    const { BroadcastChannel } = window
    if (BroadcastChannel !== undefined) {
      channel = new BroadcastChannel(prefix)
      channel.onmessage = onChanged
    }
  } catch {
    // Denied: the storage event is left.
  }
  return {
    tell: () => channel?.postMessage(null),
    close() {
      window.removeEventListener('storage', onStorage)
      channel?.close()
    },
  }
}
