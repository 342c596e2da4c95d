import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Keeps the focus of somebody whose button went away because they pressed it: when `state` changes and the focus is nowhere, `place` takes it.
 * `place` needs `tabIndex={-1}`.
 */
export function useKeptFocus(place: RefObject<HTMLElement | null>, state: string): void {
  const before = useRef(state)
  useLayoutEffect(() => {
    if (before.current === state) return
    before.current = state
    const { activeElement, body } = document
    if ((activeElement !== null && activeElement !== body) || place.current?.closest('[inert]')) return
    place.current?.focus({ preventScroll: true })
  }, [place, state])
}
