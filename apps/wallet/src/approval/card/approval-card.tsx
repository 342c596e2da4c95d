import { shortAddress } from '@postern/chains/text'
import type { ApprovalSubject } from '@postern/protocol'
import { Fact, Facts } from '@postern/ui/facts'
import { type TextKey, useLocale, useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import { originText } from '@postern/ui/origin-text'
import { NetworkPicture } from '@postern/ui/picture'
import { SiteSentence, SiteText } from '@postern/ui/site-text'
import { Unseen } from '@postern/ui/unseen'
import { useRef } from 'react'
import type { Intent } from '../../intent/intent'
import { sends } from '../description/sends'
import { feeText } from './amount-text'
import styles from './approval.module.css'
import { ContinueInWindow, type ContinueInWindowProps } from './continue-in-window'
import { Decision, type DecisionProps } from './decision'
import { Headline } from './headline'
import { OwnAddresses } from './own-addresses'
import { Raw } from './raw'
import { StepFacts } from './step-facts'
import { useStepTitle } from './step-title'
import { Warnings } from './warnings'
import { withIndex } from './with-index'

export type ApprovalCardProps = Omit<DecisionProps, 'lastFacts'> & {
  readonly network: { readonly name: string; readonly imageUrl?: string | undefined }
  /** `visitor`: a view of the modal asks. */
  readonly asker: 'dapp' | 'visitor'
  readonly dappName: string | undefined
  /** Includes this one. */
  readonly queued: number
  readonly elsewhere?: Omit<ContinueInWindowProps, 'onReject'> | undefined
}

export function ApprovalCard(props: ApprovalCardProps) {
  const { request, intent, network, elsewhere, retry, onReject } = props
  /** The raw data below need not be seen before Approve. */
  const lastFacts = useRef<HTMLDivElement>(null)
  const t = useText()
  return (
    <div className={styles.approve}>
      <Asker {...props} />
      {retry !== undefined ? (
        <div role="status">
          <Notice
            tone="warn"
            title={<SiteSentence of={(site) => t('approve.unreachable', { network: site(network.name) })} />}
          />
        </div>
      ) : intent === null ? (
        <Reading />
      ) : (
        <>
          <Headline intent={intent} network={network.name} />
          <Warnings warnings={intent.warnings} fee={intent.fee} />
          <OwnAddresses value={intent.own ?? []}>
            <Steps intent={intent} />
          </OwnAddresses>
        </>
      )}
      <div ref={lastFacts}>
        <Around request={request} intent={intent} network={network} />
      </div>
      {intent !== null && <Raw raw={intent.raw} />}
      {elsewhere === undefined ? (
        <Decision {...props} lastFacts={lastFacts} />
      ) : (
        <ContinueInWindow {...elsewhere} onReject={onReject} />
      )}
    </div>
  )
}

/** The real origin before the name that the dapp claims. */
function Asker({ request, asker, dappName, queued }: ApprovalCardProps) {
  const t = useText()
  const origin = originText(request.origin)
  const queue = queued > 1 && <p className={styles.queue}>{t('approve.queue', { count: queued })}</p>
  if (asker === 'visitor')
    return (
      <div className={styles.asker}>
        {queue}
        <p className={styles.host}>
          <SiteText text={origin} />
        </p>
        <p className={styles.origin}>{t('approve.ownText')}</p>
      </div>
    )
  return (
    <div className={styles.asker}>
      {queue}
      <p className={styles.host}>
        <SiteText text={origin} />
      </p>
      <p className={styles.origin}>{t(asksOf(request.subject))}</p>
      {dappName !== undefined && (
        <p className={styles.claim} title={dappName}>
          <SiteSentence of={(site) => t('approve.claim', { name: site(dappName) })} />
        </p>
      )}
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

function Around({ request, intent, network }: Pick<ApprovalCardProps, 'request' | 'intent' | 'network'>) {
  const t = useText()
  const locale = useLocale()
  // Outputs list their own exact fee.
  const hasFeeStep = intent?.steps.some((step) => step.kind === 'outputs' && step.fee !== undefined) ?? false
  const fee = hasFeeStep ? null : (intent?.fee ?? null)
  const isForEveryNetwork = intent?.warnings.some(({ kind }) => kind === 'everyNetwork') ?? false
  const address = addressOf(request.subject)
  if (address === null) return null
  return (
    <Facts label={t('approve.details')}>
      <Fact name={t('account.network')} {...(isForEveryNetwork && { tone: 'warn' as const })}>
        {isForEveryNetwork ? (
          t('approve.everyNetwork')
        ) : (
          <span className={styles.network}>
            <NetworkPicture src={network.imageUrl} size="small" />
            <SiteText text={network.name} />
          </span>
        )}
      </Fact>
      <Fact name={t('approve.account')}>
        <bdi title={address}>
          <Unseen>{address}</Unseen>
          <span aria-hidden="true">{shortAddress(address)}</span>
        </bdi>
      </Fact>
      {fee === 'unknown' && (
        <Fact name={t('approve.fee')} tone="warn">
          {t('approve.unknownFee')}
        </Fact>
      )}
      {fee !== null && fee !== 'unknown' && (
        <Fact
          name={t(fee.sponsored ? 'approve.fee' : 'approve.feeAtMost')}
          {...(fee.sponsored && { tone: 'good' as const })}
        >
          {fee.sponsored ? (
            t('approve.sponsored')
          ) : (
            <bdi>
              {fee.amount.symbol ? feeText(fee.amount, locale) : t('approve.units', { amount: fee.amount.raw })}
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

function asksOf(subject: ApprovalSubject): TextKey {
  if (subject.kind === 'user') return 'approve.asksUser'
  return sends(subject) ? 'approve.asksSend' : 'approve.asksSign'
}

function addressOf(subject: ApprovalSubject): string | null {
  if (subject.kind === 'user' || subject.kind === 'unprepared') return null
  return 'from' in subject ? subject.from : subject.address
}
