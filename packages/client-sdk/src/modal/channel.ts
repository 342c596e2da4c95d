/**
 * Tells the dapp's other tabs that a session changed.
 * A message can arrive before the stored value is readable, so `tabs.ts` also listens to `storage` events.
 *
 * 1. The channel opens with `listen` or the first `notify`. The sender does not hear its own message.
 * 2. Browsers without `BroadcastChannel`, and pages without a host, use only `storage` events.
 */
export function createChannel(
  window: { readonly BroadcastChannel?: typeof BroadcastChannel },
  name: string,
  onChanged: () => void,
): { listen(): void; notify(): void; close(): void } {
  let channel: BroadcastChannel | undefined
  function listen(): void {
    try {
      const { BroadcastChannel } = window
      if (channel !== undefined || BroadcastChannel === undefined) return
      channel = new BroadcastChannel(name)
      channel.onmessage = onChanged
    } catch {
      // Denied.
    }
  }
  return {
    listen,
    notify() {
      listen()
      channel?.postMessage(null)
    },
    close: () => channel?.close(),
  }
}
