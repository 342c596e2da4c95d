import type { Account, Network, PaymentRequest } from '@postern/protocol'
import { Button, ButtonPair } from '@postern/ui/button'
import { Fact, Facts } from '@postern/ui/facts'
import { useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import { plainText } from '@postern/ui/plain-text'
import type { HostSnapshot } from '../../snapshot/contract'
import { useActions, useHost, useSnapshot } from '../../view-kit/host-context'
import { useMoney } from '../../view-kit/use-money'
import { useSwitchTo } from '../../view-kit/use-switch-to'
import { WholeAddress } from '../../view-kit/WholeAddress'
import type { Reviewed } from '../send/send-form'
import { CostFacts, Leaving, TransferNotices } from '../send/TransferParts'
import type { SendToken } from '../send/token'
import { useTransfer } from '../send/use-transfer'
import { useShowTransaction } from '../transaction/use-show-transaction'
import { stateOfSent } from '../transaction/watch'
import { longestReference } from './check-payment'
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
  const wanted: Reviewed = { network, account, token, amount, to: recipient, name: null, choice: 'normal' }
  const transfer = useTransfer({ kind: 'pay', ...wanted })
  const reviewed: Reviewed = { ...wanted, amount: transfer.amount }
  const { quote, problem, isHere, busy } = transfer
  const { isWaiting, said, press } = useSwitchTo(network)
  const asked = transactionOf(payment)
  const isAsked = useSnapshot((snapshot) => stateOfSent(snapshot, asked) !== 'none')

  const pay = () => {
    // Already sent to the wallet: never pay twice.
    if (isAsked && asked !== null) return show(asked)
    // A closed request was already reported as declined.
    const isMeant = (now: HostSnapshot) => now.payment === payment
    void transfer.ask(isMeant, (id) => {
      settleWhenSent(host, id, payment)
      show(id)
    })
  }
  return (
    <div className={styles.pay}>
      <div className={styles.headline}>
        <p className={styles.asks}>{t('pay.asks', { origin: plainText(hostOf(money.origin), 80) })}</p>
        <Leaving token={token} amount={reviewed.amount} />
        {reference.trim() !== '' && (
          <p className={styles.reference}>{t('pay.for', { reference: plainText(reference, longestReference) })}</p>
        )}
      </div>
      <Facts label={t('approve.details')}>
        <Fact name={t('send.to')} tall>
          <WholeAddress address={recipient} />
        </Fact>
        {token.address !== null && (
          <Fact name={t('pay.token', { symbol: plainText(token.symbol, 12) })} tall>
            <WholeAddress address={token.address} />
          </Fact>
        )}
        <CostFacts reviewed={reviewed} transfer={transfer} />
      </Facts>
      <TransferNotices reviewed={reviewed} transfer={transfer} />
      {!isHere && (
        <Notice
          tone="warn"
          title={t('pay.elsewhere', { network: network.name })}
          text={said ?? t('pay.elsewhereText')}
        />
      )}
      <ButtonPair>
        <Button tone="secondary" onPress={close}>
          {t('pay.decline')}
        </Button>
        {isHere ? (
          <Button tone="primary" busy={busy} disabled={!isAsked && (quote === null || problem !== null)} onPress={pay}>
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
  return URL.canParse(origin) ? new URL(origin).host : origin
}
