import { exactAmount, safeSymbol, upperAmount } from '@postern/chains/amount-text'
import { shortAddress } from '@postern/chains/text'
import { useLocale, useText } from '@postern/ui/locales/text'
import { SiteSentence, SiteText } from '@postern/ui/site-text'
import type { Amount } from '../../intent/intent'
import styles from './approval.module.css'

/**
 * 1. `sign` is a plus or a real minus.
 * 2. A number has a unit: for an unlisted token its address, and a note that no list has checked it.
 */
export function AmountText({ amount, sign = '' }: { readonly amount: Amount; readonly sign?: string }) {
  const t = useText()
  const quantity = useQuantity()
  const locale = useLocale()
  const { symbol = '', token, listed, everything, raw } = amount
  const of = safeSymbol(symbol)
  if (everything) {
    const now = `${exactAmount(amount, locale) ?? raw}\u00A0${of}`
    return (
      <bdi>
        {sign !== '' && `${sign}\u202F`}
        {raw === '0' ? t('approve.everything') : t('approve.everythingNow', { amount: now })}
      </bdi>
    )
  }
  const words = quantity(amount)
  return (
    <bdi>
      {sign !== '' && `${sign}\u202F`}
      {words}
      {of !== '' && '\u00A0'}
      {of !== '' && <SiteText text={of} />}
      {token !== undefined && listed === undefined && (
        <>
          {' '}
          <bdi className={styles.unverified} title={token}>
            <SiteSentence of={(site) => t('approve.unverified', { address: site(shortAddress(token)) })} />
          </bdi>
        </>
      )}
    </bdi>
  )
}

/** Text without the unit. Any two limited amounts of a token differ. */
export function useQuantity(): (amount: Amount) => string {
  const t = useText()
  const locale = useLocale()
  return (amount) => {
    const { symbol, token, tokenId, anyItem, unlimited, raw } = amount
    if (anyItem !== undefined || tokenId !== undefined) {
      const item =
        anyItem === undefined ? `#${tokenId}` : t(anyItem === 'list' ? 'approve.anyOfList' : 'approve.anyItem')
      return raw === '1' ? item : `${new Intl.NumberFormat(locale).format(BigInt(raw))} × ${item}`
    }
    // A native amount without a symbol has no other unit.
    const hasUnit = token !== undefined || (symbol !== undefined && symbol !== '')
    const number =
      (hasUnit ? exactAmount(amount, locale) : null) ??
      t('approve.units', { amount: new Intl.NumberFormat(locale).format(BigInt(raw)) })
    if (!unlimited) return number
    return isMaximum(raw) ? t('approve.unlimited') : `${t('approve.unlimited')}: ${number}`
  }
}

function isMaximum(raw: string): boolean {
  const next = BigInt(raw) + 1n
  return (next & BigInt(raw)) === 0n
}

/** Fee, rounded up. */
export function feeText(amount: Amount, locale: string): string {
  const number = upperAmount(amount, locale) ?? amount.raw
  return amount.symbol === undefined ? number : `${number}\u00A0${safeSymbol(amount.symbol)}`
}
