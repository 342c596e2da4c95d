/** Calls `listener` when the user leaves for another window, tab or page. Returns the unsubscribe. */
export function onLeave(listener: () => void): () => void {
  const hidden = () => document.visibilityState === 'hidden' && listener()
  addEventListener('blur', listener)
  addEventListener('pagehide', listener)
  document.addEventListener('visibilitychange', hidden)
  return () => {
    removeEventListener('blur', listener)
    removeEventListener('pagehide', listener)
    document.removeEventListener('visibilitychange', hidden)
  }
}
