import { Button, ButtonPair } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { useEffect, useRef, useState } from 'react'
import type { Approval } from '../../../snapshot/contract'
import { useActions } from '../../../view-kit/host-context'
import styles from './ApproveTransaction.module.css'
import { watchArming } from './arming'
import { sends } from './sends'

/** Delay before the reason is shown, in ms. */
const slowAfterMs = 2_500

/** Approve needs to have been visible. A blocked request can only be rejected. */
export function Decision({ approval }: { readonly approval: Approval }) {
  const t = useText()
  const { reject } = useActions()
  const { request } = approval
  if (request.blocked !== undefined)
    return (
      <div className={styles.decision}>
        <Button tone="primary" onPress={() => reject(request.id)}>
          {t('approve.reject')}
        </Button>
      </div>
    )
  // Later warnings start the time again.
  return <Choice key={`${request.id} ${JSON.stringify(approval.intent?.warnings)}`} approval={approval} />
}

function Choice({ approval: { request, intent, status } }: { readonly approval: Approval }) {
  const t = useText()
  const { approve, reject } = useActions()
  const place = useRef<HTMLDivElement>(null)
  const [armed, setArmed] = useState(false)
  const [late, setLate] = useState(false)
  const began = useRef(false)
  const isRead = intent !== null
  const isWaiting = status.kind === 'waiting'
  useEffect(() => {
    setArmed(false)
    if (!isRead || !isWaiting || place.current === null) return
    const card = place.current.closest('[role=dialog]')
    return watchArming(card === null ? [place.current] : [card, place.current], setArmed)
  }, [isRead, isWaiting])
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
        <Button tone="secondary" disabled={!isWaiting} onPress={() => reject(request.id)}>
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
          <Button tone="primary" disabled={!armed} busy={!isWaiting} onPress={() => approve(request.id)}>
            {t(isWaiting ? 'approve.approve' : sends(request.subject) ? 'approve.sending' : 'approve.signing')}
          </Button>
        </div>
      </ButtonPair>
    </div>
  )
}
