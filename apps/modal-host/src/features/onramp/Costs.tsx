import { shortAddress } from '@postern/chains/text'
import type { OnRampQuote } from '@postern/protocol'
import { Fact, Facts } from '@postern/ui/facts'
import { useLocale, useText } from '@postern/ui/locales/text'
import { formatPayment } from './format-payment'
import styles from './on-ramp.module.css'

/** Keeps its layout before there is a quote. */
export function Costs({ quote, address }: { readonly quote: OnRampQuote | null; readonly address: string }) {
  const t = useText()
  const locale = useLocale()
  const text = (money: OnRampQuote['serviceFee'] | undefined) =>
    money === undefined ? <span className={styles.faint}>–</span> : <bdi>{formatPayment(money, locale)}</bdi>
  return (
    <Facts label={t('buy.costs')}>
      <Fact name={t('buy.sellerFee')}>{text(quote?.serviceFee)}</Fact>
      <Fact name={t('buy.networkFee')}>{text(quote?.networkFee)}</Fact>
      <Fact name={t('buy.to')}>
        <bdi title={address}>{shortAddress(address)}</bdi>
      </Fact>
    </Facts>
  )
}
