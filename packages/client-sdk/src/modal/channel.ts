/**
 * The tabs of one dapp tell each other that a session changed. A message may be here before what was written can be read, so the `storage` event
 * has a look as well (`tabs.ts`): it comes when it can, and is all there is to hear for a page that has no host to ask.
 *
 * 1. The channel opens with `listen`, or with the first `tell`; whoever tells does not hear it.
 * 2. Browsers without `BroadcastChannel`, or that deny it, have the `storage` event alone.
 */
export function createChannel(
  window: { readonly BroadcastChannel?: typeof BroadcastChannel },
  name: string,
  onChanged: () => void,
): { listen(): void; tell(): void; close(): void } {
  let channel: BroadcastChannel | undefined
  function listen(): void {
    try {
      const { BroadcastChannel } = window
      if (channel !== undefined || BroadcastChannel === undefined) return
      channel = new BroadcastChannel(name)
      channel.onmessage = onChanged
    } catch {
      // Denied: the storage event is left.
    }
  }
  return {
    listen,
    tell() {
      listen()
      channel?.postMessage(null)
    },
    close: () => channel?.close(),
  }
}
