import { type PointerEvent, type RefObject, useRef } from 'react'

export type Release = { readonly distance: number; readonly speed: number }
const closingDistance = 120
const closingSpeed = 0.6

export function closes({ distance, speed }: Release): boolean {
  return distance > closingDistance || (distance > 0 && speed > closingSpeed)
}

type Drag = { readonly pointer: number; readonly startY: number; lastY: number; lastTime: number; speed: number }

/** If `onClose` refuses, the sheet springs back. */
export function useSheetDrag(card: RefObject<HTMLElement | null>, onClose: () => void) {
  const drag = useRef<Drag | null>(null)
  const place = (distance: number) => card.current?.style.setProperty('--dragged', `${Math.max(0, distance)}px`)
  const end = (event: PointerEvent<HTMLElement>) => {
    const held = drag.current
    if (held === null || held.pointer !== event.pointerId) return
    drag.current = null
    card.current?.removeAttribute('data-dragging')
    card.current?.style.removeProperty('--dragged')
    if (event.type === 'pointerup' && closes({ distance: event.clientY - held.startY, speed: held.speed })) onClose()
  }
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      const onControl = event.target instanceof Element && event.target.closest('button, a, input') !== null
      if (!event.isPrimary || event.button !== 0 || onControl) return
      event.currentTarget.setPointerCapture(event.pointerId)
      const { pointerId: pointer, clientY: startY, timeStamp: lastTime } = event
      drag.current = { pointer, startY, lastY: startY, lastTime, speed: 0 }
      card.current?.setAttribute('data-dragging', '')
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const held = drag.current
      if (held === null || held.pointer !== event.pointerId) return
      const passed = Math.max(1, event.timeStamp - held.lastTime)
      held.speed = (event.clientY - held.lastY) / passed
      held.lastY = event.clientY
      held.lastTime = event.timeStamp
      place(event.clientY - held.startY)
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
}
