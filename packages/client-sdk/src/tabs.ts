/**
 * Reports that another tab wrote under `prefix`; read the new value yourself. Returns a stop function.
 * Hosts also use a channel (`modal/channel.ts`).
 */
export function followTabs(
  window: Pick<Window, 'addEventListener' | 'removeEventListener'>,
  prefix: string,
  onChanged: () => void,
): () => void {
  // Null: all storage was cleared.
  const onStorage = ({ key }: StorageEvent) => {
    if (key === null || key.startsWith(prefix)) onChanged()
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}
