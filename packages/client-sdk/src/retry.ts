import { hasRestoring, type State } from './state'

/** While the page is visible, between two tries. */
const retryIntervalMs = 30_000

/**
 * Calls `retry` for the connections of an earlier visit after the modal could not load: when the network or the user
 * returns, and every {@link retryIntervalMs}. Not under an alert, which offers the same. Returns a function that ends it.
 */
export function retryRestoring(
  window: Window & typeof globalThis,
  state: Pick<State, 'get' | 'subscribe'>,
  retry: () => void,
): () => void {
  const { document } = window
  let stopWaiting: (() => void) | undefined

  const isNeeded = () => state.get().phase === 'failed' && hasRestoring(state.get())

  function tryAgain(): void {
    if (isNeeded() && document.visibilityState === 'visible' && !document.querySelector('postern-alert')) retry()
  }

  function wait(): () => void {
    const timer = window.setInterval(tryAgain, retryIntervalMs)
    window.addEventListener('online', tryAgain)
    window.addEventListener('focus', tryAgain)
    return () => {
      window.clearInterval(timer)
      window.removeEventListener('online', tryAgain)
      window.removeEventListener('focus', tryAgain)
    }
  }

  const unsubscribe = state.subscribe(() => {
    if (isNeeded()) stopWaiting ??= wait()
    else if (state.get().phase === 'ready') {
      stopWaiting?.()
      stopWaiting = undefined
    }
  })
  return () => {
    unsubscribe()
    stopWaiting?.()
  }
}
