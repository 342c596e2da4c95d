import type { ApprovalRequest } from '@postern/protocol'
import { Button, ButtonPair } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { useEffect, useRef, useState } from 'react'
import type { Intent } from '../intent/intent'
import styles from './approval.module.css'
import type { WatchArming } from './arming'
import { sends } from './sends'

/** Delay before the reason is shown, in ms. */
const slowAfterMs = 2_500

export type DecisionProps = {
  readonly request: ApprovalRequest
  /** Null until decoded. */
  readonly intent: Intent | null
  /** Approved, and not yet signed. */
  readonly isSigning: boolean
  readonly onApprove: () => void
  readonly onReject: () => void
  /** Decides when a press on Approve counts. */
  readonly watch: WatchArming
}

/** Approve needs to have been visible. A blocked request can only be rejected. */
export function Decision(props: DecisionProps) {
  const t = useText()
  const { request, intent, onReject } = props
  if (request.blocked !== undefined)
    return (
      <div className={styles.decision}>
        <Button tone="primary" onPress={onReject}>
          {t('approve.reject')}
        </Button>
      </div>
    )
  // Another request or later warnings start the time again.
  return <Choice key={`${request.id} ${JSON.stringify(intent?.warnings)}`} {...props} />
}

function Choice({ request, intent, isSigning, onApprove, onReject, watch }: DecisionProps) {
  const t = useText()
  const place = useRef<HTMLDivElement>(null)
  const [armed, setArmed] = useState(false)
  const [late, setLate] = useState(false)
  const began = useRef(false)
  const isRead = intent !== null
  const isWaiting = !isSigning
  useEffect(() => {
    setArmed(false)
    if (!isRead || !isWaiting || place.current === null) return
    return watch(place.current, setArmed)
  }, [isRead, isWaiting, watch])
  useEffect(() => {
    setLate(false)
    if (armed || !isRead || !isWaiting) return
    const timer = setTimeout(() => setLate(true), slowAfterMs)
    return () => clearTimeout(timer)
  }, [armed, isRead, isWaiting])
  return (
    <div className={styles.decision}>
      <p className={styles.late} role="status">
        {late ? t('approve.covered') : ''}
      </p>
      <ButtonPair>
        <Button tone="secondary" disabled={!isWaiting} onPress={onReject}>
          {t('approve.reject')}
        </Button>
        <div
          ref={place}
          // Ignores presses that began before arming; keys have no start.
          onPointerDownCapture={() => {
            began.current = armed
          }}
          onClickCapture={(event) => {
            if (event.detail > 0 && !began.current) event.stopPropagation()
          }}
        >
          <Button tone="primary" disabled={!armed} busy={!isWaiting} onPress={onApprove}>
            {t(isWaiting ? 'approve.approve' : sends(request.subject) ? 'approve.sending' : 'approve.signing')}
          </Button>
        </div>
      </ButtonPair>
    </div>
  )
}
