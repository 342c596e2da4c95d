import { type HTMLAttributes, type RefObject, useEffect, useRef, useState } from 'react'
import type { WatchArming } from './arming'

type Arming = {
  readonly armed: boolean
  /** For the element around the button. A press or key that began before the arming is ignored. */
  readonly wrapper: HTMLAttributes<HTMLDivElement> & { readonly ref: RefObject<HTMLDivElement | null> }
}

/** @param isReady while false, it is not armed. */
export function useArming(watch: WatchArming, isReady = true): Arming {
  const ref = useRef<HTMLDivElement>(null)
  const [armed, setArmed] = useState(false)
  /** Whether the press began when armed; null without a start, as with assistive technology. */
  const began = useRef<boolean | null>(null)
  useEffect(() => {
    setArmed(false)
    if (!isReady || ref.current === null) return
    return watch(ref.current, setArmed)
  }, [isReady, watch])
  return {
    armed,
    wrapper: {
      ref,
      onPointerDownCapture() {
        began.current = armed
      },
      onKeyDownCapture(event) {
        if (event.key !== 'Enter' && event.key !== ' ') return
        // A key that repeats because it is held down does not approve.
        if (event.repeat) event.preventDefault()
        else began.current = armed
      },
      onClickCapture(event) {
        if (began.current === false || (event.detail > 0 && began.current === null)) event.stopPropagation()
        began.current = null
      },
    },
  }
}
