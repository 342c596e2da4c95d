import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Focuses `place`, which needs `tabIndex={-1}`, if the pressed button disappears. */
export function useFocusFallback(place: RefObject<HTMLElement | null>, state: string): void {
  const before = useRef(state)
  useLayoutEffect(() => {
    if (before.current === state) return
    before.current = state
    const { activeElement, body } = document
    if ((activeElement !== null && activeElement !== body) || place.current?.closest('[inert]')) return
    place.current?.focus({ preventScroll: true })
  }, [place, state])
}
