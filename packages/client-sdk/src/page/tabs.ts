/** Hosts also use `modal/channel.ts`. */
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
