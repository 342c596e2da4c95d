/**
 * Time that Approve must be visible before a press counts, in ms.
 *
 * 1. It arms only after it was fully visible for 500 ms without a break. Each request is watched separately.
 * 2. If the browser can tell (IntersectionObserver v2), visible means not covered or distorted, in this frame or in the
 *    page around it. Elsewhere it means not scrolled away; without any observer, only time counts.
 * 3. It disarms at once when it is covered, and when the window loses focus or is hidden, because the user may be lured
 *    into the next press. The delay then restarts.
 */
export const armingDelayMs = 500

/** Min interval of IntersectionObserver v2, in ms. */
const observerDelay = 100

/** Starts disarmed. */
export function watchArming(target: Element, onArmed: (armed: boolean) => void): () => void {
  const page = target.ownerDocument
  const window = page.defaultView
  if (window === null) return () => undefined
  let timer: ReturnType<typeof setTimeout> | null = null
  let armed = false
  let seen = !('IntersectionObserver' in window)
  let mounted = true

  const tell = (next: boolean) => {
    if (next === armed) return
    armed = next
    onArmed(next)
  }
  const check = () => {
    const fit = seen && mounted && page.visibilityState !== 'hidden'
    if (!fit) {
      if (timer !== null) clearTimeout(timer)
      timer = null
      tell(false)
    } else if (timer === null && !armed) {
      timer = setTimeout(() => {
        timer = null
        tell(true)
      }, armingDelayMs)
    }
  }
  const onBlur = () => {
    mounted = false
    check()
  }
  const onFocus = () => {
    mounted = true
    check()
  }

  const stopObserving = observe(window, target, (visible) => {
    seen = visible
    check()
  })
  window.addEventListener('blur', onBlur)
  window.addEventListener('focus', onFocus)
  page.addEventListener('visibilitychange', check)
  check()
  return () => {
    if (timer !== null) clearTimeout(timer)
    stopObserving()
    window.removeEventListener('blur', onBlur)
    window.removeEventListener('focus', onFocus)
    page.removeEventListener('visibilitychange', check)
  }
}

function observe(
  window: Window & Partial<Pick<typeof globalThis, 'IntersectionObserver'>>,
  target: Element,
  onSeen: (visible: boolean) => void,
): () => void {
  const Observer = window.IntersectionObserver
  if (Observer === undefined) return () => undefined
  // Version 2 options; older browsers ignore them.
  const options = { threshold: [0, 0.5, 1], trackVisibility: true, delay: observerDelay }
  const observer = new Observer((entries) => {
    const last = entries.at(-1)
    if (last !== undefined) onSeen(isSeen(last))
  }, options)
  observer.observe(target)
  return () => observer.disconnect()
}

/** Zoomed pages lose a pixel to rounding. */
const minVisibleRatio = 0.98

function isSeen(entry: IntersectionObserverEntry): boolean {
  const tracked: unknown = 'isVisible' in entry ? entry.isVisible : true
  return entry.isIntersecting && entry.intersectionRatio >= minVisibleRatio && tracked === true
}
