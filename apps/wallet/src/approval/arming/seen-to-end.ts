/**
 * Reports, at once and on change, whether the user has seen the content to the end of `last`.
 *
 * 1. Content that does not fit must be scrolled to its end, above the bar and in the window.
 * 2. A resize resets this: a page could enlarge the frame for a moment.
 * @param bar covers the bottom of what scrolls; in a low window it follows the content
 */
export function watchSeenToEnd(last: Element, bar: Element, onSeen: (seen: boolean) => void): () => void {
  const { ownerDocument } = last
  const window = ownerDocument.defaultView
  if (window === null) return () => undefined
  const atEnd = () => {
    const lowest = Math.min(bar.getBoundingClientRect().top, window.innerHeight)
    return last.getBoundingClientRect().bottom <= lowest + slack
  }
  let seen: boolean | null = null
  const tell = (next: boolean) => {
    if (next === seen) return
    seen = next
    onSeen(next)
  }
  const onScroll = () => {
    if (atEnd()) tell(true)
  }
  const onResize = () => tell(atEnd())
  // In the wallet's own window, the document scrolls.
  ownerDocument.addEventListener('scroll', onScroll, { capture: true, passive: true })
  window.addEventListener('resize', onResize)
  onResize()
  return () => {
    ownerDocument.removeEventListener('scroll', onScroll, { capture: true })
    window.removeEventListener('resize', onResize)
  }
}

/** In CSS px: zoomed pages scroll to fractions. */
const slack = 1
