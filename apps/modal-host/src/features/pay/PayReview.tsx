import { parseUrl } from '@postern/base/parse-url'
import type { Account, Network, PaymentRequest } from '@postern/protocol'
import { Button, ButtonPair } from '@postern/ui/button'
import { Fact, Facts } from '@postern/ui/facts'
import { FullAddress } from '@postern/ui/full-address'
import { useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import { plainText } from '@postern/ui/plain-text'
import type { HostSnapshot } from '../../snapshot/contract'
import { useActions, useHost, useMoney, useSnapshot } from '../../view-kit/host-context'
import { useSwitchNetwork } from '../../view-kit/networks/use-switch-network'
import type { Reviewed } from '../send/send-form'
import { CostFacts, SentAmount, TransferNotices } from '../send/TransferFacts'
import type { SendToken } from '../send/token'
import { useTransfer } from '../send/use-transfer'
import { useShowTransaction } from '../transaction/shown-transaction'
import { stateOfSent } from '../transaction/watch'
import { maxReferenceLength } from './check-payment'
import styles from './pay.module.css'
import { settleWhenSent, transactionOf } from './settle-when-sent'

type PayReviewProps = {
  readonly payment: PaymentRequest
  readonly network: Network
  readonly account: Account
  readonly token: SendToken
  /** What must arrive, in smallest units. */
  readonly amount: bigint
}

export function PayReview({ payment, network, account, token, amount }: PayReviewProps) {
  const t = useText()
  const host = useHost()
  const money = useMoney()
  const show = useShowTransaction()
  const { close } = useActions()
  const { recipient, reference = '' } = payment
  const reviewed: Reviewed = {
    network,
    account,
    token,
    amount,
    all: false,
    to: recipient,
    name: null,
    choice: 'normal',
  }
  const transfer = useTransfer({ kind: 'pay', ...reviewed })
  const { quote, problem, isOnNetwork, busy } = transfer
  const { isWaiting, error: switchError, press } = useSwitchNetwork(network)
  const sentId = transactionOf(payment)
  const isSent = useSnapshot((snapshot) => stateOfSent(snapshot, sentId) !== 'none')

  const pay = () => {
    // Already sent to the wallet: never pay twice.
    if (isSent && sentId !== null) return show(sentId)
    // A closed request was already reported as declined.
    const isCurrent = (now: HostSnapshot) => now.payment === payment
    void transfer.requestTransfer(isCurrent, (id) => {
      settleWhenSent(host, id, payment)
      show(id)
    })
  }
  return (
    <div className={styles.pay}>
      <div className={styles.headline}>
        <p className={styles.asks}>{t('pay.asks', { origin: plainText(hostOf(money.origin), 80) })}</p>
        <SentAmount token={token} amount={transfer.amount} />
        {reference.trim() !== '' && (
          <p className={styles.reference}>{t('pay.for', { reference: plainText(reference, maxReferenceLength) })}</p>
        )}
      </div>
      <Facts label={t('approve.details')}>
        <Fact name={t('send.to')} tall>
          <FullAddress address={recipient} />
        </Fact>
        {token.address !== null && (
          <Fact name={t('pay.token', { symbol: plainText(token.symbol, 12) })} tall>
            <FullAddress address={token.address} />
          </Fact>
        )}
        <CostFacts reviewed={reviewed} transfer={transfer} />
      </Facts>
      <TransferNotices reviewed={reviewed} transfer={transfer} />
      {!isOnNetwork && (
        <Notice
          tone="warn"
          title={t('pay.elsewhere', { network: network.name })}
          text={switchError ?? t('pay.elsewhereText')}
        />
      )}
      <ButtonPair>
        <Button tone="secondary" onPress={close}>
          {t('pay.decline')}
        </Button>
        {isOnNetwork ? (
          <Button tone="primary" busy={busy} disabled={!isSent && (quote === null || problem !== null)} onPress={pay}>
            {t('pay.pay')}
          </Button>
        ) : (
          <Button tone="primary" busy={isWaiting} onPress={press}>
            {t('unsupported.title')}
          </Button>
        )}
      </ButtonPair>
    </div>
  )
}

function hostOf(origin: string): string {
  return parseUrl(origin)?.host ?? origin
}
