export type TextSize = {
  isTooSmall(): boolean
  subscribe(listener: () => void): () => void
}

/** Of the text's own size. */
const minTextScale = 0.75

/** By `devicePixelRatio`, which includes CSS `zoom` around the frame. On a dense screen, only a smaller zoom is detected. */
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
