/**
 * Calls back when another tab of the dapp wrote something under `prefix`: what it is now, each reads for itself. Returns what ends the listening.
 * A page with a host hears of a session's change by a channel too (`modal/channel.ts`).
 */
export function followTabs(
  window: Pick<Window, 'addEventListener' | 'removeEventListener'>,
  prefix: string,
  onChanged: () => void,
): () => void {
  // Without a key it was all cleared.
  const onStorage = ({ key }: StorageEvent) => {
    if (key === null || key.startsWith(prefix)) onChanged()
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}
