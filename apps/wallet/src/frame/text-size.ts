/** Whether the pages around the frame show its text too small to read. */
export type TextSize = {
  isTooSmall(): boolean
  /** After a change that may matter. Returns the unsubscribe. */
  subscribe(listener: () => void): () => void
}

/** Of the text's own size. */
const minTextScale = 0.75

/**
 * By `devicePixelRatio`, which CSS `zoom` around the frame changes with the user's own zoom. On a screen with more pixels
 * than one for each CSS pixel it tells only of text that is smaller still.
 */
export function createTextSize(window: Pick<Window, 'devicePixelRatio' | 'matchMedia'>): TextSize {
  const isTooSmall = () => window.devicePixelRatio < minTextScale
  return {
    isTooSmall,
    subscribe(listener) {
      const query = window.matchMedia(`(max-resolution: ${minTextScale}dppx)`)
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
  }
}
