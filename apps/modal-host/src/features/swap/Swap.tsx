import { exactUnits, parseUnits } from '@postern/chains/format'
import { errors } from '@postern/protocol'
import { Button, TextButton } from '@postern/ui/button'
import { NetworkIcon } from '@postern/ui/icons'
import { useLocale, useText } from '@postern/ui/locales/text'
import { Message, MessageGlyph } from '@postern/ui/message'
import { Notice } from '@postern/ui/notice'
import { SwapIcon } from '@postern/ui/view-icons'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { decimalInputText, parseDecimal } from '../../view-kit/format/parse-decimal'
import { useHost, useSnapshot } from '../../view-kit/host-context'
import { LoadingView } from '../../view-kit/loading/LoadingView'
import { queryClientOf } from '../../view-kit/loading/query-client'
import { ErrorWithRetry } from '../../view-kit/messages/ErrorWithRetry'
import { useErrorMessage } from '../../view-kit/messages/error-message'
import { useNavigation } from '../../view-kit/navigation'
import { useFocusFallback } from '../../view-kit/use-focus-fallback'
import { type FormStatus, formStatusOf, maxAmount } from './form-status'
import { ImpactNotice } from './ImpactNotice'
import { FormQuote } from './QuoteFacts'
import { lossOf } from './quote'
import { PaidSide, ReceivedSide } from './SideField'
import styles from './swap.module.css'
import { type Side, type SwapToken, withSidesFlipped } from './tokens'
import {
  type Swapper,
  useFeeReserve,
  usePrices,
  useQuote,
  useSwapFlow,
  useSwapForm,
  useSwapper,
  useSwapTokens,
  useTokenBalance,
} from './use-swap'

export default function Swap() {
  const host = useHost()
  const found = useSwapper()
  // The view briefly outlives its account.
  if (found === null) return null
  return (
    <QueryClientProvider client={queryClientOf(host)}>
      {found.isSupported ? <Offered swapper={found.swapper} /> : <NotSupported network={found.swapper.network.name} />}
    </QueryClientProvider>
  )
}

function Offered({ swapper }: { readonly swapper: Swapper }) {
  const t = useText()
  const { data: tokens, isError, isFetching, refetch } = useSwapTokens(swapper)
  if (tokens !== undefined) return <Form swapper={swapper} tokens={tokens} />
  if (!isError || isFetching) return <LoadingView />
  return (
    <div className={styles.instead}>
      <ErrorWithRetry title={t('swap.tokensFailed')} text={t('swap.tokensFailedText')} onRetry={refetch} />
    </div>
  )
}

/** Spec §8. */
function NotSupported({ network }: { readonly network: string }) {
  const t = useText()
  const locale = useLocale()
  const errorMessage = useErrorMessage()
  const { push } = useNavigation()
  const networks = useSnapshot((snapshot) => snapshot.networks)
  const supported = useSnapshot((snapshot) => snapshot.money.swapChainIds)
  const others = networks.filter(({ caipNetworkId }) => supported.includes(caipNetworkId))
  const named = others.slice(0, 3).map(({ name }) => name)
  return (
    <div className={styles.instead}>
      <Message
        picture={
          <MessageGlyph tone="warn">
            <NetworkIcon />
          </MessageGlyph>
        }
        title={errorMessage('SWAP_NETWORK_NOT_SUPPORTED', errors.SWAP_NETWORK_NOT_SUPPORTED.message)}
        text={
          named.length === 0
            ? t('swap.nowhere', { network })
            : t('swap.elsewhere', {
                network,
                networks: new Intl.ListFormat(locale, { type: 'disjunction' }).format(named),
              })
        }
      />
      {named.length > 0 && (
        <Button tone="primary" onPress={() => push('Networks')}>
          {t('networks.title')}
        </Button>
      )}
    </div>
  )
}

function Form({ swapper, tokens }: { readonly swapper: Swapper; readonly tokens: readonly SwapToken[] }) {
  const t = useText()
  const locale = useLocale()
  const { push } = useNavigation()
  const flow = useSwapFlow()
  const { form, unknown, change } = useSwapForm(swapper, tokens)
  const place = useRef<HTMLDivElement>(null)
  useFocusFallback(place, `${form.from} ${form.to}`)
  // A return to the form abandons the review.
  useEffect(() => flow.leave(), [flow])

  const from = tokens.find(({ id }) => id === form.from) ?? null
  const to = tokens.find(({ id }) => id === form.to) ?? null
  const decimal = parseDecimal(form.text, locale)
  const amount = from === null || decimal === null ? null : parseUnits(decimal, from.decimals)
  const balance = useTokenBalance({ networkId: swapper.networkId, address: swapper.account.address }, from)
  const feeReserve = useFeeReserve(swapper.networkId)
  const prices = usePrices([from, to])
  const question =
    from !== null && to !== null && amount !== null && amount > 0n
      ? { account: swapper.caip10, from, to, amount }
      : null
  const { quoteState, isLate, retry } = useQuote(question)
  const verdict = formStatusOf({ from, to, text: form.text, amount, balance, quoteState })
  const quote = quoteState.kind === 'quote' ? quoteState.quote : null
  const [fromPrice, toPrice] = [prices.get(from?.id ?? ''), prices.get(to?.id ?? '')]
  const knownPrices = fromPrice === undefined || toPrice === undefined ? null : { from: fromPrice, to: toPrice }
  const choose = (side: Side) => {
    flow.chooseSide(side)
    push('SwapSelectToken')
  }
  const max = from === null || balance === null ? null : maxAmount(from, balance, feeReserve.wei)
  return (
    <div ref={place} className={styles.swap} tabIndex={-1}>
      <div className={styles.sides}>
        <PaidSide
          swapper={swapper}
          token={from}
          text={form.text}
          amount={amount}
          balance={balance}
          price={fromPrice}
          isBad={verdict.kind === 'insufficient' || verdict.kind === 'notAnAmount'}
          onType={(text) => change({ ...form, text })}
          onMost={
            from === null || max === null || max === 0n
              ? undefined
              : () => change({ ...form, text: decimalInputText(exactUnits(max, from.decimals), locale) })
          }
          onChoose={() => choose('from')}
        />
        <button
          type="button"
          className={styles.flip}
          aria-label={t('swap.flip')}
          onClick={() => change(withSidesFlipped(form))}
        >
          <SwapIcon className={styles.upright} />
        </button>
        <ReceivedSide
          swapper={swapper}
          token={to}
          amount={quote?.toAmount ?? null}
          isAsking={question !== null && quoteState.kind === 'asking'}
          price={toPrice}
          onChoose={() => choose('to')}
        />
      </div>
      {unknown.map((named) => (
        <Notice key={named} tone="info" title={t('swap.unknown', { token: named })} text={t('swap.unknownText')} />
      ))}
      {quote !== null && question !== null && <FormQuote request={question} quote={quote} />}
      {quote !== null && question !== null && <ImpactNotice loss={lossOf(question, quote, knownPrices)} />}
      {verdict.kind === 'noRoute' && <Notice tone="warn" title={t('swap.noRoute')} text={t('swap.noRouteText')} />}
      {verdict.kind === 'failed' && (
        <Notice tone="bad" title={t('swap.failed')} text={t('swap.failedText')}>
          <TextButton onPress={retry}>{t('tryAgain')}</TextButton>
        </Notice>
      )}
      {feeReserve.isUnknown && from?.isNative === true && balance !== null && balance > 0n && (
        <Notice tone="info" title={t('swap.noMax')} text={t('swap.noMaxText', { symbol: from.symbol })}>
          <TextButton onPress={feeReserve.retry}>{t('tryAgain')}</TextButton>
        </Notice>
      )}
      {isLate && <Notice tone="info" title={t('swap.late')} text={t('swap.lateText')} />}
      <Button
        tone="primary"
        busy={verdict.kind === 'asking'}
        disabled={verdict.kind !== 'ready'}
        onPress={() => {
          if (verdict.kind !== 'ready') return
          const { kind: _ready, ...order } = verdict
          const { networkId, caip10, account, isEmbedded } = swapper
          change(form)
          flow.review({
            ...order,
            networkId,
            account: caip10,
            address: account.address,
            prices: knownPrices,
            isEmbedded,
          })
          push('SwapPreview')
        }}
      >
        <ActionText verdict={verdict} symbol={from?.symbol ?? ''} />
      </Button>
    </div>
  )
}

function ActionText({ verdict, symbol }: { readonly verdict: FormStatus; readonly symbol: string }) {
  const t = useText()
  switch (verdict.kind) {
    case 'chooseFrom':
    case 'chooseTo':
      return t('swap.choose')
    case 'enterAmount':
      return t('swap.enterAmount')
    case 'notAnAmount':
      return t('swap.notAnAmount')
    case 'insufficient':
      return t('swap.insufficient', { symbol })
    case 'asking':
      return t('swap.asking')
    case 'noRoute':
    case 'failed':
    case 'ready':
      return t('swap.review')
  }
}
