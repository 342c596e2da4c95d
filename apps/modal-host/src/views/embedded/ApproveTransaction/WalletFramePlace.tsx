import { useText } from '@postern/ui/locales/text'
import { Unseen } from '@postern/ui/unseen'
import { useEffect, useRef } from 'react'
import type { Approval } from '../../../snapshot/contract'
import { type FramePlace, messageMark, walletFrameId } from '../../../snapshot/frame-place'
import { useActions, useSnapshot } from '../../../view-kit/host-context'
import styles from './ApproveTransaction.module.css'

/**
 * The part of the view over which the wallet's frame lies.
 *
 * 1. The frame follows this place in every animation frame, cut to what the card shows of it: the frame scrolls inside. It
 *    ends above a message of the card, which it would hide.
 * 2. It is visible only while the wallet has drawn this request and the card is in use; an alert hides it.
 * 3. An unseen button is its tab stop in the dialog: focus goes on into the frame, and comes back at its ends.
 */
export function WalletFramePlace({ approval, isOver }: { readonly approval: Approval; readonly isOver: boolean }) {
  const t = useText()
  const { placeWalletFrame, focusWalletFrame, close } = useActions()
  const exit = useSnapshot((snapshot) => snapshot.walletFrameExit)
  const place = useRef<HTMLDivElement>(null)
  const { height, request } = approval
  const isDrawn = height !== null && !isOver
  // 1, 2
  useEffect(() => {
    const element = place.current
    if (element === null) return
    let last = ''
    let frame = 0
    const follow = () => {
      const next = placeOf(element, isDrawn)
      const key = JSON.stringify(next)
      if (key !== last) placeWalletFrame(next)
      last = key
      frame = requestAnimationFrame(follow)
    }
    follow()
    return () => {
      cancelAnimationFrame(frame)
      placeWalletFrame(null)
    }
  }, [isDrawn, placeWalletFrame])
  // 3: a request that appears while the modal has the focus
  useEffect(() => {
    if (!isDrawn || request.id === '') return
    // After the shell has focused the view's heading.
    const next = requestAnimationFrame(() => {
      if (document.hasFocus()) focusWalletFrame()
    })
    return () => cancelAnimationFrame(next)
  }, [isDrawn, request.id, focusWalletFrame])
  const handled = useRef(exit?.key)
  useEffect(() => {
    if (exit === null || exit.key === handled.current) return
    handled.current = exit.key
    if (exit.by === 'escape') close()
    else headerButton(place.current, exit.by)?.focus()
  }, [exit, close])
  return (
    <div
      ref={place}
      className={styles.frame}
      style={height === null ? undefined : { blockSize: `${height}px` }}
      aria-owns={walletFrameId}
    >
      <button type="button" className={styles.stop} onFocus={focusWalletFrame} onClick={focusWalletFrame}>
        {t('approve.toRequest')}
      </button>
      {!isDrawn && (
        <div className={styles.reading} aria-busy="true">
          <Unseen>{t('approve.reading')}</Unseen>
          <span className={styles.skeletonHeadline} />
          <span className={styles.skeletonFacts} />
        </div>
      )}
    </div>
  )
}

/** 1: null while the place cannot be seen. */
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

/** 3: the dialog's other controls are in its header. */
function headerButton(place: HTMLElement | null, by: 'forwards' | 'backwards'): HTMLElement | undefined {
  const buttons = place?.closest('[role=dialog]')?.querySelectorAll<HTMLElement>('header button')
  return [...(buttons ?? [])].at(by === 'forwards' ? 0 : -1)
}
