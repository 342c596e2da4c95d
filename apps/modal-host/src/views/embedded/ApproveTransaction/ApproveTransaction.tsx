import { useText } from '@postern/ui/locales/text'
import { Unseen } from '@postern/ui/unseen'
import { useEffect, useRef, useState } from 'react'
import { useSnapshot } from '../../../view-kit/host-context'
import { useFocusFallback } from '../../../view-kit/use-focus-fallback'
import { WalletFramePlace } from '../../../view-kit/wallet-frame/WalletFramePlace'
import skeleton from '../../../view-kit/wallet-frame/wallet-frame-place.module.css'
import styles from './ApproveTransaction.module.css'
import { Failed, Sent } from './Outcome'

/** The wallet's frame draws the question and takes the approval; this view shows the outcome. */
export default function ApproveTransaction() {
  const t = useText()
  const first = useSnapshot((snapshot) => snapshot.approvals[0] ?? null)
  const [last, setLast] = useState(first)
  if (first !== null && first !== last) setLast(first)
  // The view briefly outlives its request.
  const approval = first ?? last
  const place = useRef<HTMLDivElement>(null)
  useFocusFallback(place, `${approval?.request.id} ${approval?.status.kind}`)
  const id = approval?.request.id
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
        <WalletFramePlace
          id={approval.request.id}
          height={first === null ? null : approval.height}
          label={t('approve.toRequest')}
        >
          <Unseen>{t('approve.reading')}</Unseen>
          <span className={skeleton.skeletonHeadline} />
          <span className={skeleton.skeletonFacts} />
        </WalletFramePlace>
      )}
    </div>
  )
}

/** `scrollIntoView` would also scroll the card. */
function scrollToTop(inside: HTMLElement | null): void {
  for (let box = inside?.parentElement ?? null; box !== null; box = box.parentElement) box.scrollTop = 0
}
