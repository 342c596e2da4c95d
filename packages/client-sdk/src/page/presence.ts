/** Anywhere in the page. */
const userEvents = ['pointermove', 'pointerdown', 'keydown', 'scroll']

/**
 * Calls `onPresent` once. Returns a function that cancels it.
 *
 * 1. Waits until the page has loaded, then for an event of the user, then for an idle moment.
 * 2. A user who asked the browser to save data is never reported.
 */
export function awaitPresence(window: Window & typeof globalThis, onPresent: () => void): () => void {
  const { document, requestIdleCallback = window.setTimeout, cancelIdleCallback = window.clearTimeout } = window
  const navigator: Navigator & { readonly connection?: { readonly saveData?: boolean } } = window.navigator
  let idleCallback = 0

  function stopListening(): void {
    for (const event of userEvents) window.removeEventListener(event, onUserEvent, true)
  }

  function onUserEvent(): void {
    if (document.readyState !== 'complete') return
    stopListening()
    idleCallback = requestIdleCallback(onPresent)
  }

  if (!navigator.connection?.saveData) for (const event of userEvents) window.addEventListener(event, onUserEvent, true)
  return () => {
    stopListening()
    cancelIdleCallback(idleCallback)
  }
}
