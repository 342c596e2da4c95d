import { parseUnits } from '@postern/chains/format'
import type { Account, Network, PaymentRequest } from '@postern/protocol'
import { Button, ButtonPair } from '@postern/ui/button'
import { ErrorMessage } from '@postern/ui/error-message'
import { useText } from '@postern/ui/locales/text'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { connectedAccounts } from '../../view-kit/connected-account'
import { useActions, useHost, useMoney, useSnapshot } from '../../view-kit/host-context'
import { LoadingView } from '../../view-kit/loading/LoadingView'
import { queryClientOf } from '../../view-kit/loading/query-client'
import { readError } from '../../view-kit/messages/read-error'
import { useRedirect } from '../../view-kit/navigation'
import { PayReview } from './PayReview'
import styles from './pay.module.css'
import { readToken } from './token-facts'

/** Closing declines the payment. */
export default function Pay() {
  const host = useHost()
  const { close } = useActions()
  const requestedPayment = useSnapshot((snapshot) => snapshot.payment)
  const connections = useSnapshot((snapshot) => snapshot.connections)
  const networks = useSnapshot((snapshot) => snapshot.networks)
  // This view may outlive its request, and stay open for the next one.
  const [{ payment, count }, setShown] = useState({ payment: requestedPayment, count: 0 })
  if (requestedPayment !== null && requestedPayment !== payment)
    setShown({ payment: requestedPayment, count: count + 1 })
  const network = networks.find(({ caipNetworkId }) => caipNetworkId === payment?.networkId)
  const connected = connectedAccounts({ connections }).find(({ namespace }) => namespace === network?.chainNamespace)
  const isGone = connected === undefined
  useEffect(() => {
    // No account is left to pay.
    if (isGone) close()
  }, [isGone, close])
  // The user returned after sending: nothing is left to pay.
  useRedirect(payment === null ? 'Account' : null)
  if (payment === null || network === undefined || connected === undefined) return null
  return (
    <QueryClientProvider client={queryClientOf(host)}>
      <Payment key={count} payment={payment} network={network} account={connected.account} />
    </QueryClientProvider>
  )
}

type PaymentProps = { readonly payment: PaymentRequest; readonly network: Network; readonly account: Account }

/** An amount needs the token's decimals. */
function Payment({ payment, network, account }: PaymentProps) {
  const t = useText()
  const money = useMoney()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['token-facts', network.caipNetworkId, payment.token ?? 'native'],
    queryFn: ({ signal }) => readToken(network, payment.token, money, signal),
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
    retry: false,
  })
  if (data === undefined) {
    if (error === null || isFetching) return <LoadingView />
    const isUnknown = readError(error).code === 'TOKEN_REQUIRED'
    return (
      <Impossible
        title={isUnknown ? t('pay.noToken') : t('send.unreachable')}
        text={
          isUnknown
            ? t('pay.noTokenText', { network: network.name })
            : t('send.unreachableText', { network: network.name })
        }
        onRetry={isUnknown ? null : refetch}
      />
    )
  }
  const amount = parseUnits(payment.amount, data.decimals)
  // Too many decimals, or zero.
  if (amount === null || amount === 0n)
    return <Impossible title={t('pay.noAmount')} text={t('pay.noAmountText')} onRetry={null} />
  return <PayReview payment={payment} network={network} account={account} token={data} amount={amount} />
}

function Impossible({
  title,
  text,
  onRetry,
}: {
  readonly title: string
  readonly text: string
  readonly onRetry: (() => unknown) | null
}) {
  const t = useText()
  const { close } = useActions()
  const decline = (
    <Button tone={onRetry === null ? 'primary' : 'secondary'} onPress={close}>
      {t('close')}
    </Button>
  )
  return (
    <div className={styles.pay}>
      <ErrorMessage title={title} text={text} />
      {onRetry === null ? (
        decline
      ) : (
        <ButtonPair>
          {decline}
          <Button tone="primary" onPress={() => void onRetry()}>
            {t('tryAgain')}
          </Button>
        </ButtonPair>
      )}
    </div>
  )
}
