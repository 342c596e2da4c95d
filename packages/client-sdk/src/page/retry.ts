import { hasRestoring, type State } from '../state/state'

/** While the page is visible. */
const retryIntervalMs = 30_000

/**
 * Retries earlier connections after the modal could not load. Returns a stop function.
 * It retries when the network or the user returns, and every {@link retryIntervalMs}, but not while an alert offers it.
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
