import { Button, ButtonPair } from '@postern/ui/button'
import { Fact, Facts } from '@postern/ui/facts'
import { FullAddress } from '@postern/ui/full-address'
import { useLocale, useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import { plainText } from '@postern/ui/plain-text'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { HostSnapshot } from '../../snapshot/contract'
import { connectedAccounts, isEmbedded } from '../../view-kit/connected-account'
import { formatFiat } from '../../view-kit/format/format-amount'
import { useHost, useMoney, useSnapshot } from '../../view-kit/host-context'
import { LoadingView } from '../../view-kit/loading/LoadingView'
import { queryClientOf } from '../../view-kit/loading/query-client'
import { useNavigation, useRedirect } from '../../view-kit/navigation'
import { useSwitchNetwork } from '../../view-kit/networks/use-switch-network'
import { rememberRecipient } from '../recipient/recent-recipients'
import { useShowTransaction } from '../transaction/shown-transaction'
import { stateOfSent, whenSent } from '../transaction/watch'
import { useFeeText } from './fee-text'
import styles from './send.module.css'
import { type Reviewed, useSendForm } from './send-form'
import { CostFacts, SentAmount, TransferNotices } from './TransferFacts'
import { useTransfer } from './use-transfer'

export default function SendPreview() {
  const host = useHost()
  const { form } = useSendForm()
  // Decided on mount: a transaction sent from here has its own view.
  const [isGone] = useState(() => form.reviewed === null || stateOfSent(host.store.getState(), form.sent) === 'went')
  useRedirect(isGone ? 'Send' : null)
  if (form.reviewed === null || isGone) return null
  return (
    <QueryClientProvider client={queryClientOf(host)}>
      <Review reviewed={form.reviewed} />
    </QueryClientProvider>
  )
}

/**
 * The embedded wallet's approval shows the same facts, so it is asked at once, unless something prevents the transfer.
 */
function Review({ reviewed }: { readonly reviewed: Reviewed }) {
  const t = useText()
  const locale = useLocale()
  const host = useHost()
  const money = useMoney()
  const { back } = useNavigation()
  const { form, change } = useSendForm()
  const showTransaction = useShowTransaction()
  const isSent = useSnapshot((snapshot) => stateOfSent(snapshot, form.sent) !== 'none')
  const { network, account, token, to, name, choice } = reviewed
  const transfer = useTransfer({ kind: 'send', ...reviewed })
  const { amount, quote, problem, isOnNetwork, busy, failure } = transfer
  const isEmbeddedWallet = useSnapshot((snapshot) =>
    connectedAccounts(snapshot).some((one) => isEmbedded(one) && one.account.address === account.address),
  )
  const how = isEmbeddedWallet ? 'replace' : 'push'
  const { deposit, wait } = useFeeText(network, quote)
  const fiat = formatFiat(amount, token.decimals, token.price, locale)

  const send = () => {
    // Already sent to the wallet: never ask twice.
    if (isSent && form.sent !== null) return showTransaction(form.sent, how)
    const isCurrent = ({ open }: HostSnapshot) => open
    void transfer.requestTransfer(isCurrent, (id) => {
      // Remembers the recipient only once sent: after a rejection the warning must appear again.
      whenSent(host, id, () => rememberRecipient(money, account, { address: to, ...(name !== null && { name }) }))
      change({ sent: id })
      showTransaction(id, how)
    })
  }
  const isClear = quote !== null && problem === null && quote.wouldFail !== true && failure === null && isOnNetwork
  const hasAsked = useRef(false)
  useEffect(() => {
    if (!isEmbeddedWallet || !isClear || hasAsked.current) return
    hasAsked.current = true
    send()
  })
  const isWaiting = quote === null && !transfer.isUnreachable && isOnNetwork
  if (isEmbeddedWallet && (isWaiting || isClear)) return <LoadingView />
  return (
    <div className={styles.send}>
      <div className={styles.headline}>
        <SentAmount token={token} amount={amount} />
        {fiat !== null && (
          <p className={styles.note}>
            <bdi>
              ≈{'\u202F'}
              {fiat}
            </bdi>
          </p>
        )}
      </div>
      <Facts label={t('approve.details')}>
        <Fact name={t('send.to')} tall>
          {name !== null && <bdi className={styles.name}>{plainText(name)}</bdi>}
          <FullAddress address={to} />
        </Fact>
        <CostFacts reviewed={reviewed} transfer={transfer} />
        {quote?.rates != null && <Fact name={t('send.speed')}>{wait(choice)}</Fact>}
      </Facts>
      {deposit !== null && (
        <p className={styles.note}>{t('send.depositText', { symbol: plainText(token.symbol, 12) })}</p>
      )}
      <TransferNotices reviewed={reviewed} transfer={transfer} />
      {isOnNetwork ? (
        <ButtonPair>
          <Button tone="secondary" onPress={back}>
            {t('back')}
          </Button>
          <Button tone="primary" busy={busy} disabled={!isSent && (quote === null || problem !== null)} onPress={send}>
            {t('send.send')}
          </Button>
        </ButtonPair>
      ) : (
        <SwitchBack reviewed={reviewed} />
      )}
    </div>
  )
}

function SwitchBack({ reviewed: { network, account } }: { readonly reviewed: Reviewed }) {
  const t = useText()
  const { replace } = useNavigation()
  const { isWaiting, error: switchError, press } = useSwitchNetwork(network)
  const isSameAccount = useSnapshot(({ connections }) =>
    connectedAccounts({ connections }).some((connected) => connected.account.address === account.address),
  )
  const again = (
    <Button tone="secondary" onPress={() => replace('Send')}>
      {t('send.startOver')}
    </Button>
  )
  return (
    <>
      <Notice
        tone="warn"
        title={t(isSameAccount ? 'send.elsewhere' : 'send.otherAccount', { network: network.name })}
        text={switchError ?? t('send.elsewhereText')}
      />
      {isSameAccount ? (
        <ButtonPair>
          {again}
          <Button tone="primary" busy={isWaiting} onPress={press}>
            {t('send.switch')}
          </Button>
        </ButtonPair>
      ) : (
        again
      )}
    </>
  )
}
