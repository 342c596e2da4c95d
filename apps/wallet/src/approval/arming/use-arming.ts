import type { CodeGate } from '@postern/ui/code-field'
import { type HTMLAttributes, type RefObject, useEffect, useRef, useState } from 'react'
import type { WatchArming } from './arming'

type Arming = {
  readonly armed: boolean
  /**
   * A press or key counts only if the button is armed from its start to its end. This does not depend on what React has
   * drawn, which may be late.
   */
  readonly wrapper: HTMLAttributes<HTMLDivElement> & { readonly ref: RefObject<HTMLDivElement | null> }
}

export function useArming(watch: WatchArming, isReady = true): Arming {
  const ref = useRef<HTMLDivElement>(null)
  const [armed, setArmed] = useState(false)
  const isArmed = useRef(false)
  /** Null for a press without a start, as with assistive technology. */
  const began = useRef<boolean | null>(null)
  useEffect(() => {
    const onArmed = (next: boolean) => {
      isArmed.current = next
      if (!next && began.current === true) began.current = false
      setArmed(next)
    }
    onArmed(false)
    if (!isReady || ref.current === null) return
    return watch(ref.current, onArmed)
  }, [isReady, watch])
  return {
    armed,
    wrapper: {
      ref,
      onPointerDownCapture() {
        began.current = isArmed.current
      },
      onKeyDownCapture(event) {
        if (event.key !== 'Enter' && event.key !== ' ') return
        // A held key does not approve.
        if (event.repeat) event.preventDefault()
        else began.current = isArmed.current
      },
      onClickCapture(event) {
        const hasBegun = began.current ?? event.detail === 0
        if (!hasBegun || !isArmed.current) event.stopPropagation()
        began.current = null
      },
    },
  }
}

/** Digits count while all of the card is visible, and are complete once it is armed. */
export function useCodeGate(watch: WatchArming): CodeGate & { readonly ref: RefObject<HTMLDivElement | null> } {
  const ref = useRef<HTMLDivElement>(null)
  // The state is drawn later, so a key could slip in between.
  const current = useRef<CodeGate['state']>('covered')
  const [state, setState] = useState(current.current)
  useEffect(() => {
    let [isVisible, isArmed] = [false, false]
    const update = () => {
      current.current = !isVisible ? 'covered' : isArmed ? 'armed' : 'visible'
      setState(current.current)
    }
    update()
    if (ref.current === null) return
    return watch(
      ref.current,
      (armed) => {
        isArmed = armed
        update()
      },
      (visible) => {
        isVisible = visible
        update()
      },
    )
  }, [watch])
  return { ref, state, now: () => current.current }
}

const slowAfterMs = 2_500

export function useIsLate(isWaiting: boolean): boolean {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    setIsLate(false)
    if (!isWaiting) return
    const timer = setTimeout(() => setIsLate(true), slowAfterMs)
    return () => clearTimeout(timer)
  }, [isWaiting])
  return isLate
}
