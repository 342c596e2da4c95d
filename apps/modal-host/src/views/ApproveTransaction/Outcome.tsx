import { explorerUrl } from '../../chains/adapter'
import { useText } from '../../locales/text'
import type { Approval } from '../../session/contract'
import { Button, ButtonLink, ButtonPair } from '../../ui/button'
import { CautionIcon } from '../../ui/icons'
import { ReceiptIcon } from '../../ui/icons-later'
import { Message, MessageGlyph } from '../../ui/message'
import { ProgressPicture } from '../../ui/progress'
import { useErrorText } from '../error-text'
import { useActions, useSnapshot } from '../host-context'
import styles from './ApproveTransaction.module.css'

type Status<K extends Approval['status']['kind']> = Extract<Approval['status'], { kind: K }>

/** On its way: what it waits for, and where it can be watched. */
export function Sent({ approval, status }: { readonly approval: Approval; readonly status: Status<'sent'> }) {
  const t = useText()
  const { close } = useActions()
  const network = useSnapshot(({ networks }) =>
    networks.find(({ caipNetworkId }) => caipNetworkId === approval.request.networkId),
  )
  const explorer = network?.blockExplorers[0]
  const href = network === undefined ? undefined : explorerUrl(network, 'tx', status.hash)
  const done = (
    <Button tone="primary" onPress={close}>
      {t('done')}
    </Button>
  )
  return (
    <div className={styles.outcome}>
      <Message
        picture={
          <ProgressPicture progress="done">
            <span className={styles.tile}>
              <ReceiptIcon />
            </span>
          </ProgressPicture>
        }
        title={t('approve.sent')}
        text={t('approve.sentHint', { network: network?.name ?? approval.request.networkId })}
        live
      />
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

/** It went wrong: why, and what is lost. */
export function Failed({ approval, status }: { readonly approval: Approval; readonly status: Status<'failed'> }) {
  const t = useText()
  const errorText = useErrorText()
  const { reject, openWalletWindow } = useActions()
  const put = () => reject(approval.request.id)
  const isLocked = status.code === 'WALLET_LOCKED'
  return (
    <div className={styles.outcome}>
      <Message
        picture={
          <MessageGlyph tone="bad">
            <CautionIcon />
          </MessageGlyph>
        }
        title={t('approve.failed')}
        text={`${errorText(status.code, status.message)}. ${status.code === 'TRANSACTION_REVERTED' ? t('approve.reverted') : ''}`}
        live
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
