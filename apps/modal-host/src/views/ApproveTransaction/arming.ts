/**
 * Whether a press on Approve can be meant: the button was really seen for a while.
 *
 * 1. It arms only after it was wholly visible for 500 ms without a break. Each request on show is watched anew.
 * 2. Where the browser tells (IntersectionObserver v2), visible means that nothing lies over it and nothing distorts it, in this frame or in the page
 *    around it. Elsewhere it means that it is not scrolled away; where there is no observer at all, time alone counts.
 * 3. It disarms at once when it is covered, and when the window loses the focus or is hidden: what took its place may have lured the next press.
 *    The time then starts again.
 */
export const armingDelay = 500

/** Least time between two looks of the browser that IntersectionObserver v2 allows, in ms. */
const observerDelay = 100

/** Calls `onArmed` with each change; disarmed until told otherwise. */
export function watchArming(target: Element, onArmed: (armed: boolean) => void): () => void {
  const page = target.ownerDocument
  const window = page.defaultView
  if (window === null) return () => undefined
  let timer: ReturnType<typeof setTimeout> | null = null
  let armed = false
  let seen = !('IntersectionObserver' in window)
  let here = true

  const tell = (next: boolean) => {
    if (next === armed) return
    armed = next
    onArmed(next)
  }
  const look = () => {
    const fit = seen && here && page.visibilityState !== 'hidden'
    if (!fit) {
      if (timer !== null) clearTimeout(timer)
      timer = null
      tell(false)
    } else if (timer === null && !armed) {
      timer = setTimeout(() => {
        timer = null
        tell(true)
      }, armingDelay)
    }
  }
  const onBlur = () => {
    here = false
    look()
  }
  const onFocus = () => {
    here = true
    look()
  }

  const stopObserving = observe(window, target, (visible) => {
    seen = visible
    look()
  })
  window.addEventListener('blur', onBlur)
  window.addEventListener('focus', onFocus)
  page.addEventListener('visibilitychange', look)
  look()
  return () => {
    if (timer !== null) clearTimeout(timer)
    stopObserving()
    window.removeEventListener('blur', onBlur)
    window.removeEventListener('focus', onFocus)
    page.removeEventListener('visibilitychange', look)
  }
}

function observe(
  window: Window & Partial<Pick<typeof globalThis, 'IntersectionObserver'>>,
  target: Element,
  onSeen: (visible: boolean) => void,
): () => void {
  const Observer = window.IntersectionObserver
  if (Observer === undefined) return () => undefined
  // `trackVisibility` and `delay` are of version 2; an older browser reads past them.
  const options = { threshold: [0, 0.5, 1], trackVisibility: true, delay: observerDelay }
  const observer = new Observer((entries) => {
    const last = entries.at(-1)
    if (last !== undefined) onSeen(isSeen(last))
  }, options)
  observer.observe(target)
  return () => observer.disconnect()
}

/** A pixel may be lost to rounding where the page is zoomed. */
const whole = 0.98

function isSeen(entry: IntersectionObserverEntry): boolean {
  const tracked: unknown = 'isVisible' in entry ? entry.isVisible : true
  return entry.isIntersecting && entry.intersectionRatio >= whole && tracked === true
}
