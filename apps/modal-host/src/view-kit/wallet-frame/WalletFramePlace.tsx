import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type FramePlace, messageMark, walletFrameId } from '../../snapshot/frame-place'
import { useActions, useSnapshot } from '../host-context'
import styles from './wallet-frame-place.module.css'

type WalletFramePlaceProps = {
  /** Id of the request that the frame draws. */
  readonly id: string
  /** In CSS px; null until drawn. */
  readonly height: number | null
  readonly label: string
  /** Shown until it is drawn. */
  readonly children: ReactNode
}

/**
 * The part of the view over which the wallet's frame lies.
 *
 * 1. The frame follows this place in every animation frame, cut to what the card shows of it, above a message of the
 *    card.
 * 2. The frame is visible only while it has drawn this request and the card is in use; an alert hides it.
 * 3. An invisible button is the frame's tab stop in the dialog. At the frame's ends, focus returns to the dialog.
 * 4. A visible frame gets the focus when it appears, and when the page focuses the modal while no control has it: a
 *    busy page opens the modal late, and takes the focus from the wallet. Without the focus, Approve waits.
 */
export function WalletFramePlace({ id, height, label, children }: WalletFramePlaceProps) {
  const { placeWalletFrame, focusWalletFrame, close } = useActions()
  const exit = useSnapshot((snapshot) => snapshot.walletFrameExit)
  const place = useRef<HTMLDivElement>(null)
  const isDrawn = height !== null
  const [isVisible, setVisible] = useState(false)
  // Rules 1 and 2.
  useEffect(() => {
    const element = place.current
    if (element === null) return
    let last = ''
    let frame = 0
    const follow = () => {
      const next = placeOf(element, isDrawn)
      const key = JSON.stringify(next)
      if (key !== last) {
        placeWalletFrame(next)
        setVisible(next?.isVisible === true)
      }
      last = key
      frame = requestAnimationFrame(follow)
    }
    follow()
    return () => {
      cancelAnimationFrame(frame)
      placeWalletFrame(null)
    }
  }, [isDrawn, placeWalletFrame])
  // Rule 4.
  useEffect(() => {
    if (!isVisible || id === '') return
    let next = 0
    const leave = () => cancelAnimationFrame(next)
    const enter = () => {
      leave()
      // Runs after the shell has focused the view's heading, and a press its control.
      next = requestAnimationFrame(() => {
        if (document.hasFocus() && document.activeElement?.matches(controls) !== true) focusWalletFrame()
      })
    }
    enter()
    window.addEventListener('focus', enter)
    window.addEventListener('blur', leave)
    return () => {
      leave()
      window.removeEventListener('focus', enter)
      window.removeEventListener('blur', leave)
    }
  }, [isVisible, id, focusWalletFrame])
  const handled = useRef(exit?.key)
  useEffect(() => {
    if (exit === null || exit.key === handled.current) return
    handled.current = exit.key
    if (exit.by === 'escape') close()
    else neighbour(place.current, exit.by)?.focus()
  }, [exit, close])
  return (
    <div
      ref={place}
      className={styles.frame}
      style={height === null ? undefined : { blockSize: `${height}px` }}
      aria-owns={isDrawn ? walletFrameId : undefined}
    >
      <button type="button" className={styles.stop} onFocus={focusWalletFrame} onClick={focusWalletFrame}>
        {label}
      </button>
      {!isDrawn && (
        <div className={styles.reading} aria-busy="true">
          {children}
        </div>
      )}
    </div>
  )
}

const controls = 'button, a[href], input'

/** Rule 1: null while the place is out of view. */
function placeOf(element: HTMLElement, isDrawn: boolean): FramePlace | null {
  const card = element.closest<HTMLElement>('[role=dialog]')
  if (card === null || element.closest('[inert]') !== null) return null
  const box = element.getBoundingClientRect()
  const clip = visibleBox(element, card)
  const top = Math.max(box.top, clip.top)
  const bottom = Math.min(box.bottom, clip.bottom)
  const { borderEndEndRadius: radius } = getComputedStyle(card)
  // The card is rounded only at its own end.
  const isAtEnd = Math.abs(bottom - card.getBoundingClientRect().bottom) < 1
  return {
    left: box.left,
    top,
    width: box.width,
    height: Math.max(bottom - top, 0),
    radius: isAtEnd ? `0 0 ${radius} ${radius}` : '0',
    isVisible: isDrawn,
  }
}

function visibleBox(element: HTMLElement, card: HTMLElement): { readonly top: number; readonly bottom: number } {
  let { top, bottom } = card.getBoundingClientRect()
  for (let box = element.parentElement; box !== null && box !== card; box = box.parentElement) {
    if (getComputedStyle(box).overflowY === 'visible') continue
    const rect = box.getBoundingClientRect()
    top = Math.max(top, rect.top)
    bottom = Math.min(bottom, rect.bottom)
  }
  const message = card.querySelector(`[${messageMark}]`)?.getBoundingClientRect()
  return { top, bottom: message === undefined ? bottom : Math.min(bottom, message.top) }
}

/** Rule 3: after the last control comes the first. */
function neighbour(place: HTMLElement | null, by: 'forwards' | 'backwards'): HTMLElement | undefined {
  if (place === null) return undefined
  const found = place.closest('[role=dialog]')?.querySelectorAll<HTMLElement>(controls)
  const stops = [...(found ?? [])].filter((stop) => !place.contains(stop) && stop.closest('[inert]') === null)
  const isAfter = (stop: HTMLElement) => (place.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  if (by === 'forwards') return stops.find(isAfter) ?? stops[0]
  return stops.findLast((stop) => !isAfter(stop)) ?? stops.at(-1)
}
