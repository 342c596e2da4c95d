import type { ApprovalRequest, ApprovalSubject } from '@postern/protocol'
import { Button, ButtonPair } from '@postern/ui/button'
import { type TextKey, useText } from '@postern/ui/locales/text'
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Intent } from '../../intent/intent'
import type { WatchArming } from '../arming/arming'
import { watchSeenToEnd } from '../arming/seen-to-end'
import { useArming, useIsLate } from '../arming/use-arming'
import { sends } from '../description/sends'
import styles from './approval.module.css'

export type DecisionProps = {
  readonly request: ApprovalRequest
  readonly intent: Intent | null
  readonly isSigning: boolean
  readonly onApprove: () => void
  readonly onReject: () => void
  readonly retry?: { readonly isBusy: boolean; readonly onRetry: () => void } | undefined
  readonly watch: WatchArming
  /** Must be seen before Approve. */
  readonly lastFacts: RefObject<HTMLElement | null>
}

export function Decision(props: DecisionProps) {
  const t = useText()
  const { request, intent, retry, onReject } = props
  if (retry !== undefined)
    return (
      <div className={styles.decision}>
        <ButtonPair>
          <Button tone="secondary" onPress={onReject}>
            {t('approve.reject')}
          </Button>
          <Button tone="primary" busy={retry.isBusy} onPress={retry.onRetry}>
            {t('tryAgain')}
          </Button>
        </ButtonPair>
      </div>
    )
  if (request.blocked !== undefined)
    return (
      <div className={styles.decision}>
        <Button tone="primary" onPress={onReject}>
          {t('approve.reject')}
        </Button>
      </div>
    )
  // A new request or content restarts the delay and must be seen.
  return <Choice key={`${request.id} ${JSON.stringify(intent)}`} {...props} />
}

/**
 * 1. If Approve does not arm in time, a line says why.
 * 2. The line keeps its place: a card that shrinks when Approve arms would be resized by the page, which disarms
 *    Approve; and Firefox ends a scroll to the end when the document shrinks.
 */
function Choice({ request, intent, isSigning, onApprove, onReject, watch, lastFacts }: DecisionProps) {
  const t = useText()
  const [seen, setSeen] = useState<boolean | null>(null)
  const isRead = intent !== null
  const isWaiting = !isSigning
  const { armed, wrapper } = useArming(watch, isRead && isWaiting && seen === true)
  const bar = useRef<HTMLDivElement>(null)
  useEffect(() => {
    setSeen(null)
    if (!isRead || lastFacts.current === null || bar.current === null) return
    return watchSeenToEnd(lastFacts.current, bar.current, setSeen)
  }, [isRead, lastFacts])
  const isLate = useIsLate(!armed && isRead && isWaiting && seen === true)
  const mustScroll = isRead && isWaiting && seen === false
  const line: TextKey | null = mustScroll ? 'approve.scroll' : isLate ? 'approve.covered' : null
  const [lastLine, setLastLine] = useState(line)
  if (line !== null && line !== lastLine) setLastLine(line)
  return (
    <div ref={bar} className={styles.decision}>
      <p className={styles.late} role="status">
        {line !== null && t(line)}
      </p>
      {line === null && lastLine !== null && (
        <p className={styles.late} data-unseen="" aria-hidden="true">
          {t(lastLine)}
        </p>
      )}
      <ButtonPair>
        <Button tone="secondary" disabled={!isWaiting} onPress={onReject}>
          {t('approve.reject')}
        </Button>
        <div {...wrapper}>
          <Button tone="primary" disabled={!armed} busy={!isWaiting} onPress={onApprove}>
            {t(isWaiting ? 'approve.approve' : busyOf(request.subject))}
          </Button>
        </div>
      </ButtonPair>
    </div>
  )
}

function busyOf(subject: ApprovalSubject): TextKey {
  if (subject.kind === 'user') return 'approve.sharing'
  return sends(subject) ? 'approve.sending' : 'approve.signing'
}
