import { exactUnits } from '@postern/chains/format'
import { Fact } from '@postern/ui/facts'
import { useLocale, useText } from '@postern/ui/locales/text'
import { useSecondsLeft } from '@postern/ui/use-seconds-left'
import { formatCost, formatDecimal } from '../../view-kit/format/format-amount'
import { useSnapshot } from '../../view-kit/host-context'
import { Pending } from '../../view-kit/loading/Pending'
import { NetworkFact } from '../../view-kit/networks/NetworkFact'
import type { SwapOrder, SwapPlan } from './plan'
import { shortDecimal } from './quote'
import styles from './swap.module.css'

type OrderProps = { readonly order: SwapOrder }

export function Headline({ order: { from, to, amount, quote } }: OrderProps) {
  const locale = useLocale()
  const paid = formatDecimal(exactUnits(amount, from.decimals), locale)
  const got = formatDecimal(shortDecimal(quote.toAmount, to.decimals), locale)
  const isLong = paid.length > 18 || got.length > 18
  return (
    <div className={styles.headline}>
      <p className={styles.change} data-long={isLong || undefined}>
        <bdi>
          −{'\u202F'}
          {paid}
          {'\u00A0'}
          {from.symbol}
        </bdi>
      </p>
      <p className={styles.change} data-long={isLong || undefined} data-direction="in">
        <bdi>
          +{'\u202F'}
          {got}
          {'\u00A0'}
          {to.symbol}
        </bdi>
      </p>
    </div>
  )
}

export function Holds({ order: { quote } }: OrderProps) {
  const t = useText()
  const seconds = useSecondsLeft(quote.endsAt)
  return <p className={styles.holds}>{seconds > 0 ? t('swap.holds', { seconds }) : t('swap.over')}</p>
}

/** The fee as far as known before the wallet sets it. */
export function FeeFact({ order: { networkId }, plan }: OrderProps & { readonly plan: SwapPlan | null | undefined }) {
  const t = useText()
  const locale = useLocale()
  const currency = useSnapshot(
    ({ networks }) => networks.find(({ caipNetworkId }) => caipNetworkId === networkId)?.nativeCurrency,
  )
  if (plan === undefined || currency === undefined)
    return (
      <Fact name={t('approve.fee')}>
        <Pending />
      </Fact>
    )
  if (plan === null) return <Fact name={t('approve.fee')}>–</Fact>
  if (plan.fee === null)
    return (
      <Fact name={t('approve.fee')} tone="good">
        {t('approve.sponsored')}
      </Fact>
    )
  return (
    <Fact name={t('approve.feeAtMost')}>
      <bdi>
        {formatCost(plan.fee, currency.decimals, locale)}
        {'\u00A0'}
        {currency.symbol}
      </bdi>
    </Fact>
  )
}

export function OrderNetwork({ order: { networkId } }: OrderProps) {
  const network = useSnapshot(({ networks }) => networks.find(({ caipNetworkId }) => caipNetworkId === networkId))
  return <NetworkFact network={network ?? { name: networkId }} />
}
