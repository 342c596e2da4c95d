import { type RefObject, useLayoutEffect, useRef } from 'react'

/** If the pressed button disappears, `place` gets the focus. It needs `tabIndex={-1}`. */
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
