import { explorerUrl } from '@postern/chains/adapter'
import { Button, ButtonLink, ButtonPair } from '@postern/ui/button'
import { ErrorMessage } from '@postern/ui/error-message'
import { Fact, Facts } from '@postern/ui/facts'
import { HeroTile } from '@postern/ui/hero-tile'
import { CautionIcon } from '@postern/ui/icons'
import { useText } from '@postern/ui/locales/text'
import { Message, MessageGlyph } from '@postern/ui/message'
import { ProgressPicture } from '@postern/ui/progress'
import { ReceiptIcon } from '@postern/ui/view-icons'
import type { Approval } from '../../../snapshot/contract'
import { HashButton } from '../../../view-kit/HashButton'
import { useActions, useSnapshot } from '../../../view-kit/host-context'
import { useErrorMessage } from '../../../view-kit/messages/error-message'
import { sentKeyOn, useOutcomeText } from '../../../view-kit/messages/outcome-text'
import styles from './ApproveTransaction.module.css'

type Status<K extends Approval['status']['kind']> = Extract<Approval['status'], { kind: K }>

/** One view, so that screen readers announce the change. */
export function Sent({ approval, status }: { readonly approval: Approval; readonly status: Status<'sent' | 'ended'> }) {
  const t = useText()
  const { reject } = useActions()
  const { id, networkId } = approval.request
  const network = useSnapshot(({ networks }) => networks.find(({ caipNetworkId }) => caipNetworkId === networkId))
  const outcomeText = useOutcomeText(network?.name ?? networkId, isSponsored(approval))
  const { hash } = status
  const explorer = network?.blockExplorers[0]
  const href = network === undefined || hash === null ? undefined : explorerUrl(network, 'tx', hash)
  const words =
    status.kind === 'sent'
      ? {
          title: t('approve.sent'),
          text: t(sentKeyOn(networkId), {
            network: network?.name ?? networkId,
          }),
        }
      : outcomeText(status.outcome)
  const done = (
    <Button tone="primary" onPress={() => reject(id)}>
      {t('done')}
    </Button>
  )
  return (
    <div className={styles.outcome}>
      <Message picture={<Picture status={status} />} title={words.title} text={words.text} live />
      {hash !== null && (
        <Facts label={t('approve.details')}>
          <Fact name={t('approve.transaction')}>
            <HashButton hash={hash} />
          </Fact>
        </Facts>
      )}
      {explorer !== undefined && href !== undefined ? (
        <ButtonPair>
          <ButtonLink tone="secondary" href={href}>
            {explorer.name}
          </ButtonLink>
          {done}
        </ButtonPair>
      ) : (
        done
      )}
    </div>
  )
}

function Picture({ status }: { readonly status: Status<'sent' | 'ended'> }) {
  const end = status.kind === 'sent' ? null : status.outcome.kind
  const isGood = end === 'confirmed' || end === 'repriced'
  if (end === null || isGood)
    return (
      <ProgressPicture progress={isGood ? 'done' : 'running'}>
        <HeroTile>
          <ReceiptIcon />
        </HeroTile>
      </ProgressPicture>
    )
  return (
    <MessageGlyph tone={end === 'reverted' || end === 'partlyReverted' ? 'bad' : 'warn'}>
      <CautionIcon />
    </MessageGlyph>
  )
}

/** Another party pays the fee: a failure costs nothing. */
function isSponsored({ request: { subject } }: Approval): boolean {
  return subject.kind === 'eip155.userOperation' && subject.sponsored
}

export function Failed({ approval, status }: { readonly approval: Approval; readonly status: Status<'failed'> }) {
  const t = useText()
  const errorMessage = useErrorMessage()
  const { reject, openWalletWindow } = useActions()
  const put = () => reject(approval.request.id)
  const isLocked = status.code === 'WALLET_LOCKED'
  return (
    <div className={styles.outcome}>
      <ErrorMessage
        title={t('approve.failed')}
        text={`${errorMessage(status.code, status.message)}. ${status.code === 'TRANSACTION_REVERTED' ? t(isSponsored(approval) ? 'approve.revertedFree' : 'approve.reverted') : ''}`}
      />
      {isLocked ? (
        <ButtonPair>
          <Button tone="secondary" onPress={put}>
            {t('close')}
          </Button>
          <Button tone="primary" onPress={() => openWalletWindow('unlock')}>
            {t('approve.unlock')}
          </Button>
        </ButtonPair>
      ) : (
        <Button tone="primary" onPress={put}>
          {t('done')}
        </Button>
      )}
    </div>
  )
}
