/** Calls `listener` when the user leaves the window: for another window, another tab or another page. Returns its unsubscribe. */
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
