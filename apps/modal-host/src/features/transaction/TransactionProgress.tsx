import { shortAddress } from '@postern/chains/text'
import { type Namespace, type Network, parseCaipNetworkId } from '@postern/protocol'
import { Button, ButtonPair } from '@postern/ui/button'
import { Fact, Facts } from '@postern/ui/facts'
import { HeroTile } from '@postern/ui/hero-tile'
import { CautionIcon } from '@postern/ui/icons'
import { type TextKey, useLocale, useText } from '@postern/ui/locales/text'
import { Message, MessageGlyph } from '@postern/ui/message'
import { plainText } from '@postern/ui/plain-text'
import { ProgressPicture } from '@postern/ui/progress'
import { ReceiptIcon } from '@postern/ui/view-icons'
import { useStore } from 'zustand'
import type { HostSnapshot } from '../../snapshot/contract'
import type { TrackedTransaction } from '../../snapshot/money'
import { type ConnectedAccount, connectedAccounts } from '../../view-kit/connected-account'
import { formatDecimal } from '../../view-kit/format/format-amount'
import { HashButton } from '../../view-kit/HashButton'
import { useHost, useSnapshot } from '../../view-kit/host-context'
import { useNavigation } from '../../view-kit/navigation'
import { useWalletName } from '../../view-kit/wallets/use-wallet-name'
import { EndActions } from './EndActions'
import { useProgressText } from './progress-text'
import { shownTransaction } from './shown-transaction'
import styles from './transaction-progress.module.css'
import { isCarriedOut } from './watch'

/**
 * A feature's transaction, from the wallet prompt to the chain's result (spec §4).
 *
 * 1. Until the wallet responds, and after a rejection or failure, Back leads to the form, still filled in.
 * 2. Once it is sent there is no Back: Done leads to the account.
 */
export default function TransactionProgress() {
  const host = useHost()
  const id = useStore(shownTransaction(host), (shown) => shown.id)
  const shown = useSnapshot(({ transactions }) => transactions.find((transaction) => transaction.id === id))
  // The session ended; Connect comes next.
  return shown === undefined ? null : <Progress shown={shown} />
}

function Progress({ shown }: { readonly shown: TrackedTransaction }) {
  const t = useText()
  const locale = useLocale()
  const { networkId, purpose, status } = shown
  const network = useSnapshot(({ networks }) => networks.find(({ caipNetworkId }) => caipNetworkId === networkId))
  const { namespace } = parseCaipNetworkId(networkId)
  const wallet = useWalletName((snapshot) => connectionIn(snapshot, namespace))
  const words = useProgressText(network?.name ?? networkId, wallet)(shown)
  const hash = 'hash' in status ? status.hash : null
  return (
    <div className={styles.transaction}>
      <Message picture={<Picture status={status} />} title={words.title} text={words.text} live />
      <Facts label={t('approve.details')}>
        <Fact name={t(amountName(purpose, status))}>
          <bdi>{`${formatDecimal(purpose.amount, locale)} ${plainText(purpose.symbol, 16)}`}</bdi>
        </Fact>
        {purpose.receives !== undefined && (
          <Fact name={t(isCarriedOut(status) ? 'progress.received' : 'swap.receive')}>
            <bdi>{`≈\u202F${formatDecimal(purpose.receives.amount, locale)} ${plainText(purpose.receives.symbol, 16)}`}</bdi>
          </Fact>
        )}
        {purpose.kind !== 'swap' && (
          <Fact name={t(purpose.kind === 'approve' ? 'progress.spender' : 'progress.recipient')}>
            <bdi title={purpose.to}>{shortAddress(purpose.to)}</bdi>
          </Fact>
        )}
        {hash !== null && (
          <Fact name={t('approve.transaction')}>
            <HashButton hash={hash} />
          </Fact>
        )}
      </Facts>
      <Ways shown={shown} network={network} hash={hash} />
    </div>
  )
}

function amountName({ kind }: TrackedTransaction['purpose'], status: TrackedTransaction['status']): TextKey {
  if (kind !== 'swap') return 'progress.amount'
  return isCarriedOut(status) ? 'progress.paid' : 'progress.swapped'
}

function connectionIn(snapshot: HostSnapshot, namespace: Namespace): ConnectedAccount | null {
  return connectedAccounts(snapshot).find((connected) => connected.namespace === namespace) ?? null
}

type WaysProps = {
  readonly shown: TrackedTransaction
  readonly network: Network | undefined
  readonly hash: string | null
}

function Ways({ shown: { status, purpose }, network, hash }: WaysProps) {
  const t = useText()
  const { back, reset, canGoBack } = useNavigation()
  if (status.kind === 'asking') return null
  const toAccount = () => reset('Account')
  if (status.kind === 'declined' || status.kind === 'failed')
    return (
      <ButtonPair>
        <Button tone="secondary" onPress={toAccount}>
          {t('progress.leave')}
        </Button>
        <Button tone="primary" onPress={canGoBack ? back : toAccount}>
          {t('tryAgain')}
        </Button>
      </ButtonPair>
    )
  const done = (
    <Button tone="primary" onPress={toAccount}>
      {t('done')}
    </Button>
  )
  // The form is still filled in.
  if (status.kind === 'ended' && !isCarriedOut(status) && purpose.kind === 'swap' && canGoBack)
    return (
      <ButtonPair>
        <Button tone="secondary" onPress={toAccount}>
          {t('done')}
        </Button>
        <Button tone="primary" onPress={back}>
          {t('swap.again')}
        </Button>
      </ButtonPair>
    )
  return (
    <EndActions network={network} hash={hash}>
      {done}
    </EndActions>
  )
}

function Picture({ status }: Pick<TrackedTransaction, 'status'>) {
  const end = status.kind === 'ended' ? status.outcome.kind : null
  if (status.kind === 'asking' || status.kind === 'sent' || isCarriedOut(status))
    return (
      <ProgressPicture progress={isCarriedOut(status) ? 'done' : 'running'}>
        <HeroTile>
          <ReceiptIcon />
        </HeroTile>
      </ProgressPicture>
    )
  const isBad = status.kind === 'failed' || end === 'reverted' || end === 'partlyReverted'
  return (
    <MessageGlyph tone={isBad ? 'bad' : 'warn'}>
      <CautionIcon />
    </MessageGlyph>
  )
}
