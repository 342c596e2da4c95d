import { exactUnits } from '@postern/chains/format'
import { useLocale, useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import { formatDecimal } from '../../view-kit/format/format-amount'
import { useShortErrorMessage } from '../../view-kit/messages/short-error-message'
import type { Stop, SwapOrder } from './plan'
import { percent } from './QuoteFacts'
import { lossPercent, shortDecimal } from './quote'
import type { Step } from './swap-flow'

type Common = {
  readonly order: SwapOrder
  readonly approved: boolean
}

/** The user has not agreed to the lower amount yet. */
export function ChangedNotice({ order, before, approved }: Common & { readonly before: bigint }) {
  const t = useText()
  const locale = useLocale()
  const stands = useStandsText(order)
  const { to, quote } = order
  const amountOf = (amount: bigint) => `${formatDecimal(shortDecimal(amount, to.decimals), locale)}\u00A0${to.symbol}`
  const isLess = quote.toAmount < before
  const words = isLess
    ? t('swap.lessText', {
        now: amountOf(quote.toAmount),
        before: amountOf(before),
        percent: percent(lossPercent(before, quote.toAmount), locale),
      })
    : t('swap.movedPriceText', { now: amountOf(quote.toAmount) })
  return <Notice tone="warn" title={t('swap.changed')} text={`${words} ${stands(approved)}`} />
}

export function StoppedNotice({
  order,
  step,
  stop,
  approved,
}: Common & { readonly step: Step | 'check'; readonly stop: Stop }) {
  const t = useText()
  const errorMessage = useShortErrorMessage()
  const stands = useStandsText(order)(approved)
  switch (stop.kind) {
    case 'declined':
      return <Notice tone="info" title={t(step === 'approve' ? 'swap.declinedAllow' : 'swap.declined')} text={stands} />
    case 'noRoute':
      return <Notice tone="warn" title={t('swap.noRoute')} text={`${t('swap.noRouteText')} ${stands}`} />
    case 'reverted':
      return <Notice tone="bad" title={t('swap.allowReverted')} text={t('swap.allowRevertedText')} />
    case 'replaced':
      return <Notice tone="warn" title={t('swap.allowReplaced')} text={t('swap.allowReplacedText')} />
    case 'unknown':
      return <Notice tone="warn" title={t('swap.allowUnknown')} text={t('swap.allowUnknownText')} />
    case 'failed':
      return <Notice tone="bad" title={t('swap.stopped')} text={`${ended(errorMessage(stop))} ${stands}`} />
  }
}

/** Nothing was swapped; names the exact remaining allowance. */
function useStandsText({ from, amount }: SwapOrder): (approved: boolean) => string {
  const t = useText()
  const locale = useLocale()
  const exact = `${formatDecimal(exactUnits(amount, from.decimals), locale)}\u00A0${from.symbol}`
  return (approved) => (approved ? t('swap.standsAllowed', { amount: exact }) : t('swap.stands'))
}

function ended(sentence: string): string {
  return /[.!?…؟।。！？]$/.test(sentence) ? sentence : `${sentence}.`
}
