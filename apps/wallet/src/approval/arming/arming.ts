/**
 * Time that the card must be visible before a press on Approve counts, in ms.
 *
 * 1. Approve arms after all targets (card and button) were fully visible for 800 ms without a break. A new request or a
 *    change of content restarts the delay.
 * 2. With IntersectionObserver v2, visible means not covered or distorted, in this frame or the page around it.
 *    Otherwise it means not scrolled away; without any observer, only time counts.
 * 3. Approve disarms when a target is covered, or the window is hidden or loses focus, which may lure the user into the
 *    next press. The delay also restarts when the window gains focus or changes its size: the user may have aimed at
 *    what was there before.
 * 4. Approve disarms when the window moved under the pointer: the pointer moved in the window but not on the screen; in
 *    a frame, also when the mouse's first event is on the button. A touch is compared with the previous touch on the
 *    card.
 * 5. A target that is not visible is observed again after half a second: Chromium does not always report that a cover
 *    is gone, and a slow machine reports late.
 */
export const armingDelayMs = 800

/**
 * Reports when a press on `button` (the wrapper of Approve or a field) starts or stops to count, and whether all of the
 * card is visible. Returns the unsubscribe.
 */
export type WatchArming = (
  button: Element,
  onArmed: (armed: boolean) => void,
  onVisible?: (visible: boolean) => void,
) => () => void

/** Rule 5, in ms. */
const observeAgainMs = 500

/** Minimum of IntersectionObserver v2, in ms. */
const observerDelay = 100

export type Pointer = {
  subscribe(onEvent: (event: PointerEvent, before: PointerEvent | null) => void): () => void
  stop(): void
}

const pointerEvents = ['pointermove', 'pointerover', 'pointerdown'] as const

export function followPointer(window: Window): Pointer {
  let last: PointerEvent | null = null
  const subscribers = new Set<Parameters<Pointer['subscribe']>[0]>()
  const look = (event: PointerEvent) => {
    const before = last
    last = event
    for (const onEvent of subscribers) onEvent(event, before)
  }
  for (const event of pointerEvents) window.addEventListener(event, look, true)
  return {
    subscribe(onEvent) {
      subscribers.add(onEvent)
      return () => void subscribers.delete(onEvent)
    },
    stop() {
      for (const event of pointerEvents) window.removeEventListener(event, look, true)
    },
  }
}

/**
 * Starts disarmed.
 * @param targets the last one is the button
 * @param inFrame a frame's pointer, followed since before the request; no page moves the wallet's own window
 * @param onVisible starts with false; without an observer, true at once
 */
export function watchArming(
  targets: readonly [Element, ...Element[]],
  onArmed: (armed: boolean) => void,
  inFrame?: Pointer,
  onVisible?: (visible: boolean) => void,
): () => void {
  const page = targets[0].ownerDocument
  const window = page.defaultView
  if (window === null) return () => undefined
  let timer: ReturnType<typeof setTimeout> | null = null
  let armed = false
  let visible = false
  const canObserve = 'IntersectionObserver' in window
  const unseen = new Set<Element>(canObserve ? targets : [])

  const tell = (next: boolean) => {
    if (next === armed) return
    armed = next
    onArmed(next)
  }
  const disarm = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    tell(false)
  }
  const check = () => {
    if (visible !== (unseen.size === 0)) {
      visible = !visible
      onVisible?.(visible)
    }
    const fit = unseen.size === 0 && page.hasFocus() && page.visibilityState !== 'hidden'
    if (!fit) disarm()
    else if (timer === null && !armed) {
      timer = setTimeout(() => {
        timer = null
        tell(true)
      }, armingDelayMs)
    }
  }
  const restart = () => {
    disarm()
    check()
  }

  let polling: ReturnType<typeof setTimeout> | null = null
  const { stop: stopObserving, again } = observe(window, targets, (target, visible) => {
    if (visible) unseen.delete(target)
    else unseen.add(target)
    check()
    polling ??= setTimeout(() => {
      polling = null
      if (unseen.size > 0) again()
    }, observeAgainMs)
  })
  const pointer = inFrame ?? followPointer(window)
  const button = targets.at(-1)
  const lastOfKind = new Map<string, PointerEvent>()
  const stopMovement = pointer.subscribe((event, before) => {
    const isKnown = before !== null && before.pointerId === event.pointerId
    const last = lastOfKind.get(event.pointerType)
    lastOfKind.set(event.pointerType, event)
    if (isKnown) {
      if (hasMoved(before, event)) restart()
    } else if (event.pointerType !== 'mouse') {
      if (last !== undefined && isElsewhere(last, event)) restart()
    } else if (inFrame !== undefined && isMouseOn(button, event)) restart()
  })
  for (const event of restarts) window.addEventListener(event, restart)
  page.addEventListener('visibilitychange', check)
  check()
  return () => {
    if (timer !== null) clearTimeout(timer)
    if (polling !== null) clearTimeout(polling)
    stopObserving()
    stopMovement()
    if (inFrame === undefined) pointer.stop()
    for (const event of restarts) window.removeEventListener(event, restart)
    page.removeEventListener('visibilitychange', check)
  }
}

const restarts = ['blur', 'focus', 'resize'] as const

function isMouseOn(element: Element | undefined, { pointerType, target }: PointerEvent): boolean {
  return pointerType === 'mouse' && target instanceof Node && element?.contains(target) === true
}

/** With a page zoom of 25 %, one screen pixel is four CSS pixels. */
const maxZoomOut = 5
/** Rounding, in CSS px. */
const slack = 2

/** Rule 4. A page cannot see where its frame is. */
function hasMoved(before: PointerEvent, now: PointerEvent): boolean {
  const moved = (inWindow: number, onScreen: number) => Math.abs(inWindow) > Math.abs(onScreen) * maxZoomOut + slack
  return (
    moved(now.clientX - before.clientX, now.screenX - before.screenX) ||
    moved(now.clientY - before.clientY, now.screenY - before.screenY)
  )
}

/** Half a finger's width, in CSS px: a zoomed page's window and screen coordinates differ. */
const touchSlack = 24

/** Rule 4: whether the window moved on the screen between two pointers. */
function isElsewhere(before: PointerEvent, now: PointerEvent): boolean {
  const x = now.screenX - now.clientX - (before.screenX - before.clientX)
  const y = now.screenY - now.clientY - (before.screenY - before.clientY)
  return Math.abs(x) > touchSlack || Math.abs(y) > touchSlack
}

function observe(
  window: Window & Partial<Pick<typeof globalThis, 'IntersectionObserver'>>,
  targets: readonly Element[],
  onSeen: (target: Element, visible: boolean) => void,
): { stop(): void; again(): void } {
  const Observer = window.IntersectionObserver
  if (Observer === undefined) return { stop() {}, again() {} }
  const options = { threshold: [0, 0.5, 1], trackVisibility: true, delay: observerDelay }
  const observer = new Observer((entries) => {
    for (const entry of entries) onSeen(entry.target, isSeen(entry))
  }, options)
  const start = () => {
    for (const target of targets) observer.observe(target)
  }
  start()
  return {
    stop: () => observer.disconnect(),
    again() {
      observer.disconnect()
      start()
    },
  }
}

/** Zoomed pages round a pixel away. */
const minVisibleRatio = 0.98

function isSeen(entry: IntersectionObserverEntry): boolean {
  const tracked: unknown = 'isVisible' in entry ? entry.isVisible : true
  return entry.isIntersecting && entry.intersectionRatio >= minVisibleRatio && tracked === true
}
