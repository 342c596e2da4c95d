import { useEffect, useRef, useState } from 'react'
import { useSnapshot } from '../../../view-kit/host-context'
import { useFocusFallback } from '../../../view-kit/use-focus-fallback'
import styles from './ApproveTransaction.module.css'
import { Failed, Sent } from './Outcome'
import { WalletFramePlace } from './WalletFramePlace'

/** The wallet's frame draws the question and takes the approval; this view shows the outcome. */
export default function ApproveTransaction() {
  const first = useSnapshot((snapshot) => snapshot.approvals[0] ?? null)
  const [last, setLast] = useState(first)
  if (first !== null && first !== last) setLast(first)
  // The view briefly outlives its request.
  const approval = first ?? last
  const place = useRef<HTMLDivElement>(null)
  useFocusFallback(place, `${approval?.request.id} ${approval?.status.kind}`)
  const id = approval?.request.id
  // Start each request at its top.
  useEffect(() => {
    if (id !== undefined) scrollToTop(place.current)
  }, [id])
  if (approval === null) return null
  const { status } = approval
  return (
    <div ref={place} className={styles.approve} tabIndex={-1}>
      {status.kind === 'sent' || status.kind === 'ended' ? (
        <Sent approval={approval} status={status} />
      ) : status.kind === 'failed' ? (
        <Failed approval={approval} status={status} />
      ) : (
        <WalletFramePlace approval={approval} isOver={first === null} />
      )}
    </div>
  )
}

/** `scrollIntoView` would also scroll the card. */
function scrollToTop(inside: HTMLElement | null): void {
  for (let box = inside?.parentElement ?? null; box !== null; box = box.parentElement) box.scrollTop = 0
}
