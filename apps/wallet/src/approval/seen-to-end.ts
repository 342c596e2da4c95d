/**
 * Reports whether the user has seen all of the content around `inside`, down to its end.
 *
 * 1. Content that fits is seen. Other content is seen once it was scrolled to its end.
 * 2. Another size of the window starts again: a page could enlarge the frame for a moment.
 */
export function watchSeenToEnd(inside: Element, onSeen: (seen: boolean) => void): () => void {
  const { ownerDocument } = inside
  const window = ownerDocument.defaultView
  const scroller = scrollerOf(inside)
  if (window === null || scroller === null) return () => undefined
  const atEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= slack
  let seen = false
  const tell = (next: boolean) => {
    if (next === seen) return
    seen = next
    onSeen(next)
  }
  const onScroll = () => {
    if (atEnd()) tell(true)
  }
  const onResize = () => tell(atEnd())
  // The document's own scrolling is an event of the document.
  ownerDocument.addEventListener('scroll', onScroll, { capture: true, passive: true })
  window.addEventListener('resize', onResize)
  onResize()
  return () => {
    ownerDocument.removeEventListener('scroll', onScroll, { capture: true })
    window.removeEventListener('resize', onResize)
  }
}

/** Zoomed pages scroll to fractions of a pixel. In CSS px. */
const slack = 8

/** The nearest element around it that scrolls; in the wallet's own window the document. */
function scrollerOf(inside: Element): Element | null {
  const { body, defaultView, scrollingElement } = inside.ownerDocument
  for (let around = inside.parentElement; around !== body && around !== null; around = around.parentElement) {
    if (defaultView === null) break
    const { overflowY } = defaultView.getComputedStyle(around)
    if (overflowY === 'auto' || overflowY === 'scroll') return around
  }
  return scrollingElement
}
