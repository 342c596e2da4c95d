import { limits } from '@postern/protocol'
import { Fact } from '@postern/ui/facts'
import { useLocale, useText } from '@postern/ui/locales/text'
import { plainText } from '@postern/ui/plain-text'
import { useSecondsLeft } from '@postern/ui/use-seconds-left'
import { formatDecimal } from '../../view-kit/format/format-amount'
import { impactOf, minimumReceived, percentText, type Quote, type QuoteRequest, rateOf, shortDecimal } from './quote'
import styles from './swap.module.css'

type QuoteProps = { readonly request: Omit<QuoteRequest, 'account'>; readonly quote: Quote }

export function FormQuote({ request, quote }: QuoteProps) {
  const t = useText()
  const seconds = useSecondsLeft(quote.endsAt)
  return (
    <p className={styles.quote}>
      <Rate request={request} quote={quote} />
      <span className={styles.renewed}>{seconds === 0 ? t('swap.renewing') : t('swap.renews', { seconds })}</span>
    </p>
  )
}

function Rate({ request, quote }: QuoteProps) {
  const locale = useLocale()
  const { from, to } = request
  return (
    <bdi>
      1{'\u00A0'}
      {from.symbol} = {formatDecimal(rateOf(request, quote.toAmount), locale)}
      {'\u00A0'}
      {to.symbol}
    </bdi>
  )
}

/** The min amount received: with less, the swap fails. */
export function MinReceivedFact({ request: { to }, quote: { toAmount } }: QuoteProps) {
  const t = useText()
  const locale = useLocale()
  return (
    <Fact name={t('swap.least')}>
      <bdi>
        {formatDecimal(shortDecimal(minimumReceived(toAmount), to.decimals), locale)}
        {'\u00A0'}
        {to.symbol}
      </bdi>
    </Fact>
  )
}

export function ExchangeFact({ quote: { provider, fee } }: Pick<QuoteProps, 'quote'>) {
  const t = useText()
  const locale = useLocale()
  if (provider === null && fee === null) return null
  const feeText = fee === null ? null : t('swap.fee', { percent: percent(percentText(fee) ?? fee, locale) })
  return (
    <Fact name={t('swap.provider')}>
      <bdi>
        {[provider === null ? null : plainText(provider, 24), feeText].filter((part) => part !== null).join(' · ')}
      </bdi>
    </Fact>
  )
}

export function QuoteFacts({ request, quote }: QuoteProps) {
  const t = useText()
  const locale = useLocale()
  const { priceImpact } = quote
  const impact = priceImpact === null ? null : percentText(priceImpact)
  return (
    <>
      <Fact name={t('swap.rate')}>
        <Rate request={request} quote={quote} />
      </Fact>
      <Fact name={t('swap.tolerance')}>
        <bdi>{percent(`${limits.swapSlippagePercent}`, locale)}</bdi>
      </Fact>
      {impact !== null && (
        <Fact name={t('swap.impact')} {...(impactOf(priceImpact) !== 'low' && { tone: 'warn' as const })}>
          <bdi>{percent(impact, locale)}</bdi>
        </Fact>
      )}
    </>
  )
}

export function percent(value: string, locale: string): string {
  return `${formatDecimal(value, locale)}\u202F%`
}
