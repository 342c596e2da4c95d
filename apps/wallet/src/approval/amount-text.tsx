import { exactAmount, safeSymbol } from '@postern/chains/amount-text'
import { useLocale, useText } from '@postern/ui/locales/text'
import { SiteText } from '@postern/ui/site-text'
import type { Amount } from '../intent/intent'

/** `sign` is a plus or a real minus. */
export function AmountText({ amount, sign = '' }: { readonly amount: Amount; readonly sign?: string }) {
  const t = useText()
  const locale = useLocale()
  const { symbol, tokenId, unlimited, raw, everything } = amount
  const of = symbol === undefined ? '' : safeSymbol(symbol)
  const number = exactAmount(amount, locale)
  if (everything) {
    const now = `${number ?? raw}\u00A0${of}`
    return (
      <bdi>
        {sign !== '' && `${sign}\u202F`}
        {raw === '0' ? t('approve.everything') : t('approve.everythingNow', { amount: now })}
      </bdi>
    )
  }
  const words = unlimited
    ? t('approve.unlimited')
    : tokenId !== undefined
      ? `#${tokenId}`
      : (number ?? t('approve.units', { amount: raw }))
  return (
    <bdi>
      {sign !== '' && `${sign}\u202F`}
      {words}
      {of !== '' && '\u00A0'}
      {of !== '' && <SiteText text={of} />}
    </bdi>
  )
}
