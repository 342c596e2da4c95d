import type { Account, Network } from '@postern/protocol'
import { Button, TextButton } from '@postern/ui/button'
import { type TextKey, useLocale, useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import { plainText } from '@postern/ui/plain-text'
import { Status } from '@postern/ui/unseen'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { activeAccount, currentNetwork } from '../../view-kit/connected-account'
import { useHost, useSnapshot } from '../../view-kit/host-context'
import { LoadingView } from '../../view-kit/loading/LoadingView'
import { queryClientOf } from '../../view-kit/loading/query-client'
import { useNavigation } from '../../view-kit/navigation'
import { useFocusFallback } from '../../view-kit/use-focus-fallback'
import { usePortfolio } from '../portfolio/use-portfolio'
import { RecipientField } from '../recipient/RecipientField'
import { RecipientName } from '../recipient/RecipientName'
import { readRecipient } from '../recipient/read-recipient'
import { useCamera } from '../recipient/use-camera'
import { useRecipient } from '../recipient/use-recipient'
import { stateOfSent } from '../transaction/watch'
import { AmountField } from './AmountField'
import { entryOf, unitsOf } from './amount'
import { checkAmount, checkSend } from './check'
import { FeeLine } from './FeeLine'
import { useProblemText } from './problem-text'
import { RecentRows } from './RecentRows'
import styles from './send.module.css'
import { afterSent, forOwner, ofToken, sendFormOf, useSendForm, withReview } from './send-form'
import { TokenButton } from './TokenButton'
import { type SendToken, sendTokens } from './token'
import { UnsupportedNetwork } from './UnsupportedNetwork'
import { usePreparedTransfer } from './use-prepared-transfer'

const ScanCode = lazy(() => import('../recipient/ScanCode'))

export default function Send() {
  const connections = useSnapshot((snapshot) => snapshot.connections)
  const activeNetworkId = useSnapshot((snapshot) => snapshot.activeNetworkId)
  const network = useSnapshot(currentNetwork)
  const host = useHost()
  const connected = activeAccount({ connections, activeNetworkId })
  // The view briefly outlives its account.
  if (connected === null) return null
  if (network === null || connected.unsupported) return <UnsupportedNetwork />
  return (
    <QueryClientProvider client={queryClientOf(host)}>
      <Form
        key={`${network.caipNetworkId}:${connected.account.address}`}
        network={network}
        account={connected.account}
      />
    </QueryClientProvider>
  )
}

type FormProps = { readonly network: Network; readonly account: Account }

function Form({ network, account }: FormProps) {
  const host = useHost()
  const { form } = useSendForm()
  useEffect(() => {
    // Preloads the next view, in case the user goes offline.
    import('./SendPreview').catch(() => {})
  }, [])
  const { caipNetworkId: networkId } = network
  const { address } = account
  useLayoutEffect(() => {
    const store = sendFormOf(host)
    const { sent } = store.getState()
    const state = stateOfSent(host.store.getState(), sent)
    store.setState(
      forOwner(sent === null ? store.getState() : afterSent(store.getState(), state), { networkId, address }),
      true,
    )
  }, [host, networkId, address])
  const shown = usePortfolio(network, account.address)
  const tokens = sendTokens(shown.portfolio?.balances ?? [], network)
  const token = tokens.find(({ key }) => key === form.token) ?? tokens[0]
  const isOwned = form.owner?.networkId === networkId && form.owner.address === address
  const isReady = isOwned && token !== undefined && (shown.portfolio !== null || shown.status !== 'loading')
  const instead = isReady && token.key !== form.token ? token.key : null
  useLayoutEffect(() => {
    // The token is no longer listed.
    if (instead !== null) sendFormOf(host).setState(ofToken(instead))
  }, [host, instead])
  if (!isReady || instead !== null) return <LoadingView />
  return <Fields network={network} account={account} token={token} />
}

function Fields({ network, account, token }: FormProps & { readonly token: SendToken }) {
  const t = useText()
  const locale = useLocale()
  const { push } = useNavigation()
  const { form, change } = useSendForm()
  const recipient = useRecipient(form.recipient, network.caipNetworkId)
  const to = recipient.kind === 'found' ? recipient.address : null
  const { prepared, failed, retry } = usePreparedTransfer({ network, account, token, to, amount: null })
  const typed = unitsOf(form.amount, token, locale)
  const quote = prepared?.quote(form.all ? null : typed, form.choice) ?? null
  const amount = form.all ? (quote?.max ?? null) : typed
  const entry = form.all && amount !== null ? entryOf(amount, token, locale) : form.amount
  const hasCamera = useCamera()
  const [scanning, setScanning] = useState(false)
  const [tried, setTried] = useState(false)
  const [waiting, setWaiting] = useState(false)
  const problemText = useProblemText(token, network)
  const place = useRef<HTMLDivElement>(null)
  useFocusFallback(place, `${scanning} ${form.recipient === ''}`)

  const sendProblem = checkSend({ namespace: network.chainNamespace, token, text: entry.text, amount, to, quote })
  const early = amount === null ? null : checkAmount(amount, quote)
  const problems = [early, tried ? sendProblem : null]
  const isMalformed = entry.text !== '' && amount === null && !form.all
  const wrongAmount = isMalformed
    ? ({ field: 'amount', code: 'INVALID_DECIMAL' } as const)
    : problems.find((problem) => problem?.field === 'amount')
  const wrongRecipient = problems.find((problem) => problem?.field === 'recipient')
  const isPending = recipient.kind === 'looking' || (form.all && quote === null && !failed)

  const missing = missingIn({ isAmountEmpty: entry.text === '' && !form.all, isMalformed, recipient: form.recipient })
  const review = () => {
    setTried(true)
    setWaiting(isPending)
    if (isPending || sendProblem !== null || amount === null || to === null) return
    const name = recipient.kind === 'found' ? recipient.name : null
    const { all, choice } = form
    change(withReview(form, { network, account, token, amount, all, to, name, choice }))
    push('SendPreview')
  }
  useEffect(() => {
    // Review was pressed while the name was still resolving.
    if (waiting && !isPending) review()
  })
  if (scanning)
    return (
      <div ref={place} className={styles.send} tabIndex={-1}>
        <Suspense fallback={<LoadingView />}>
          <ScanCode
            onScan={async (text) => {
              // Only the recipient of a payment link is used.
              const read = await readRecipient(text, network.caipNetworkId)
              change({ recipient: read.kind === 'address' ? read.address : text })
              setScanning(false)
            }}
            onCancel={() => setScanning(false)}
          />
        </Suspense>
      </div>
    )
  return (
    <div ref={place} className={styles.send} tabIndex={-1}>
      <TokenButton
        token={{ ...token, balance: quote?.balance ?? token.balance }}
        network={network}
        onPress={() => push('SendSelectToken')}
      />
      <AmountField
        token={token}
        entry={entry}
        amount={amount}
        complaint={wrongAmount ? problemText(wrongAmount) : null}
        canTakeAll={quote !== null && quote.max > 0n}
        onChange={(next) => change({ amount: next, all: false })}
        onAll={() => change({ all: true, amount: { text: '', unit: 'token' } })}
      />
      <RecipientField
        value={form.recipient}
        recipient={recipient}
        complaint={wrongRecipient && !isPending ? problemText(wrongRecipient) : null}
        onChange={(next) => {
          setWaiting(false)
          change({ recipient: next })
        }}
        onScan={hasCamera ? () => setScanning(true) : null}
      >
        {recipient.kind === 'found' && (
          <RecipientName address={recipient.address} name={recipient.name} account={account} />
        )}
      </RecipientField>
      {form.recipient === '' && <RecentRows account={account} onChoose={(next) => change({ recipient: next })} />}
      {failed ? (
        <Notice tone="warn" title={t('send.unreachable')} text={t('send.unreachableText', { network: network.name })}>
          <TextButton onPress={retry}>{t('tryAgain')}</TextButton>
        </Notice>
      ) : (
        <FeeLine network={network} quote={quote} choice={form.choice} onChoose={(choice) => change({ choice })} />
      )}
      <Button
        tone="primary"
        busy={waiting}
        disabled={missing !== null || (!isPending && sendProblem !== null)}
        onPress={review}
        onRefuse={review}
      >
        {t(missing ?? 'send.review')}
      </Button>
      <Status>{to === null ? '' : t('recipient.found', { address: plainText(to, 128) })}</Status>
    </div>
  )
}

function missingIn(form: {
  readonly isAmountEmpty: boolean
  readonly isMalformed: boolean
  readonly recipient: string
}): TextKey | null {
  if (form.isAmountEmpty) return 'swap.enterAmount'
  if (form.isMalformed) return 'swap.notAnAmount'
  return form.recipient.trim() === '' ? 'send.enterRecipient' : null
}
