import { originText, safeSymbol, upperAmount } from '@postern/chains/amount-text'
import { shortAddress } from '@postern/chains/text'
import type { ApprovalSubject } from '@postern/protocol'
import { Fact, Facts } from '@postern/ui/facts'
import { useLocale, useText } from '@postern/ui/locales/text'
import { NetworkPicture } from '@postern/ui/picture'
import { Unseen } from '@postern/ui/unseen'
import { useLayoutEffect, useRef, useState } from 'react'
import type { Intent } from '../../../intent/intent'
import type { Approval } from '../../../snapshot/contract'
import { useSnapshot } from '../../../view-kit/host-context'
import { useFocusFallback } from '../../../view-kit/use-focus-fallback'
import { withIndex } from '../../../view-kit/with-index'
import styles from './ApproveTransaction.module.css'
import { Decision } from './Decision'
import { Headline } from './Headline'
import { Failed, Sent } from './Outcome'
import { Raw } from './Raw'
import { StepFacts } from './StepFacts'
import { sends } from './sends'
import { useStepTitle } from './step-title'
import { Warnings } from './Warnings'

/** Read top down: requester, amounts, recipient, cost, warnings; then the decision. */
export default function ApproveTransaction() {
  const approvals = useSnapshot((snapshot) => snapshot.approvals)
  const first = approvals[0] ?? null
  const [last, setLast] = useState(first)
  if (first !== null && first !== last) setLast(first)
  // The view briefly outlives its request.
  const approval = first ?? last
  const place = useRef<HTMLDivElement>(null)
  useFocusFallback(place, `${approval?.request.id} ${approval?.status.kind}`)
  const id = approval?.request.id
  // Start each request at its top.
  useLayoutEffect(() => {
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
        <Request approval={approval} waiting={approvals.length} />
      )}
    </div>
  )
}

function Request({ approval, waiting }: { readonly approval: Approval; readonly waiting: number }) {
  const { request, intent } = approval
  const network = useSnapshot(({ networks }) =>
    networks.find(({ caipNetworkId }) => caipNetworkId === request.networkId),
  )
  const networkName = network?.name ?? request.networkId
  return (
    <>
      <Asker approval={approval} waiting={waiting} />
      {intent === null ? (
        <Reading />
      ) : (
        <>
          <Headline intent={intent} network={networkName} />
          <Warnings warnings={intent.warnings} />
          <Steps intent={intent} />
        </>
      )}
      <Around approval={approval} network={networkName} imageUrl={network?.assets?.imageUrl} />
      {intent !== null && <Raw raw={intent.raw} />}
      <Decision approval={approval} />
    </>
  )
}

/** The claimed name, and the real origin. */
function Asker({ approval: { request, asker }, waiting }: { readonly approval: Approval; readonly waiting: number }) {
  const t = useText()
  const name = useSnapshot((snapshot) => snapshot.metadata?.name)
  const origin = originText(request.origin)
  const queue = waiting > 1 && <p className={styles.queue}>{t('approve.queue', { count: waiting })}</p>
  if (asker === 'visitor')
    return (
      <div className={styles.asker}>
        {queue}
        <p className={styles.name}>{t('approve.own')}</p>
        <p className={styles.origin}>{t('approve.ownText', { origin })}</p>
      </div>
    )
  return (
    <div className={styles.asker}>
      {queue}
      {name !== undefined && (
        <p className={styles.name} title={name}>
          <bdi>{name}</bdi>
        </p>
      )}
      <p className={styles.origin}>
        <bdi className={styles.host}>{origin}</bdi>{' '}
        {t(sends(request.subject) ? 'approve.asksSend' : 'approve.asksSign')}
      </p>
    </div>
  )
}

function Steps({ intent: { steps } }: { readonly intent: Intent }) {
  const t = useText()
  const title = useStepTitle()
  const several = steps.length > 1
  return (
    <ol className={styles.steps}>
      {withIndex(steps).map(({ index, item: step }) => (
        <li key={index} className={styles.step}>
          {several && (
            <h2 className={styles.stepTitle}>{t('approve.step', { step: index + 1, title: title(step) })}</h2>
          )}
          <Facts label={title(step)}>
            <StepFacts step={step} />
          </Facts>
        </li>
      ))}
    </ol>
  )
}

function Around({
  approval: { request, intent },
  network,
  imageUrl,
}: {
  readonly approval: Approval
  readonly network: string
  readonly imageUrl: string | undefined
}) {
  const t = useText()
  const locale = useLocale()
  // Outputs list their own exact fee.
  const hasFeeStep = intent?.steps.some((step) => step.kind === 'outputs' && step.fee !== undefined) ?? false
  const fee = hasFeeStep ? null : (intent?.fee ?? null)
  const address = addressOf(request.subject)
  return (
    <Facts label={t('approve.details')}>
      <Fact name={t('account.network')}>
        <span className={styles.network}>
          <NetworkPicture src={imageUrl} size="small" />
          {network}
        </span>
      </Fact>
      <Fact name={t('approve.account')}>
        <bdi title={address}>
          <Unseen>{address}</Unseen>
          <span aria-hidden="true">{shortAddress(address)}</span>
        </bdi>
      </Fact>
      {fee !== null && (
        <Fact
          name={t(fee.sponsored ? 'approve.fee' : 'approve.feeAtMost')}
          {...(fee.sponsored && { tone: 'good' as const })}
        >
          {fee.sponsored ? (
            t('approve.sponsored')
          ) : (
            <bdi>
              {upperAmount(fee.amount, locale) ?? fee.amount.raw}
              {fee.amount.symbol !== undefined && `\u00A0${safeSymbol(fee.amount.symbol)}`}
            </bdi>
          )}
        </Fact>
      )}
    </Facts>
  )
}

function Reading() {
  const t = useText()
  return (
    <div className={styles.reading} aria-busy="true">
      <Unseen>{t('approve.reading')}</Unseen>
      <span className={styles.skeletonHeadline} />
      <span className={styles.skeletonFacts} />
    </div>
  )
}

function addressOf(subject: ApprovalSubject): string {
  return 'from' in subject ? subject.from : subject.address
}

/** `scrollIntoView` would also scroll the card. */
function scrollToTop(inside: HTMLElement | null): void {
  for (let box = inside?.parentElement ?? null; box !== null; box = box.parentElement) box.scrollTop = 0
}
