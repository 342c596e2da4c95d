/** Calls back when the user may be back after the browser cut the page's connections. Returns its unsubscribe. */
export type OnPageReturn = (listener: () => void) => () => void

/** A shorter absence leaves connections alone. */
export const shortAbsenceMs = 3_000

type Page = Pick<Window, 'addEventListener' | 'removeEventListener'> & {
  readonly document: Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>
}

/**
 * 1. The page is visible again after {@link shortAbsenceMs}: phones freeze hidden pages, and close their sockets
 *    without an event.
 * 2. The page comes out of the back-forward cache.
 * 3. The device is online again.
 */
export function pageReturns(window: Page, now: () => number): OnPageReturn {
  const { document } = window
  return (listener) => {
    let hiddenSince = document.visibilityState === 'hidden' ? now() : null
    const onVisibility = () => {
      if (document.visibilityState === 'hidden') hiddenSince = now()
      else if (hiddenSince !== null) {
        const absence = now() - hiddenSince
        hiddenSince = null
        if (absence >= shortAbsenceMs) listener()
      }
    }
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) listener()
    }
    document.addEventListener('visibilitychange', onVisibility)
    window.addEventListener('pageshow', onShow)
    window.addEventListener('online', listener)
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      window.removeEventListener('pageshow', onShow)
      window.removeEventListener('online', listener)
    }
  }
}
