/**
 * The tabs of one dapp tell each other that a session changed; what it is now, each reads for itself.
 * Browsers without `BroadcastChannel`, or that deny it, have one tab.
 */
export function openTabs(
  window: { readonly BroadcastChannel?: typeof BroadcastChannel },
  prefix: string,
  onChanged: () => void,
): { tell(): void; close(): void } {
  try {
    const { BroadcastChannel } = window
    if (BroadcastChannel === undefined) throw new TypeError('No BroadcastChannel')
    const channel = new BroadcastChannel(prefix)
    channel.onmessage = () => onChanged()
    return {
      tell: () => channel.postMessage(null),
      close() {
        channel.onmessage = null
        channel.close()
      },
    }
  } catch {
    return { tell() {}, close() {} }
  }
}
