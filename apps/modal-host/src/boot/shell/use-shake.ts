import { limits } from '@postern/protocol'
import { type RefObject, useEffect, useRef } from 'react'
import { useSnapshot } from '../../view-kit/host-context'

const swings = [0, -8, 7, -6, 5, -3, 2, 0]

export function useShake(card: RefObject<HTMLElement | null>): void {
  const refused = useSnapshot((snapshot) => snapshot.refusedCloses)
  const seen = useRef(refused)
  useEffect(() => {
    if (refused <= seen.current) return
    seen.current = refused
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
    card.current?.animate(
      swings.map((swing) => ({ transform: `translateX(${swing}px)` })),
      { duration: limits.shake, easing: 'ease-out', composite: 'add' },
    )
  }, [refused, card])
}
