import { useLocale } from '@postern/ui/locales/text'
import { Picture, type PictureProps } from '@postern/ui/picture'
import { useCallback } from 'react'
import styles from './on-ramp.module.css'

/** The gateway's picture, else the currency's sign. @param code ISO 4217. */
export function CurrencyPicture({ code, size = 'row' }: { readonly code: string } & Pick<PictureProps, 'size'>) {
  const sign = currencySign(code, useLocale())
  const Sign = useCallback(
    () => (
      <span className={styles.sign} data-long={sign.length > 1 || undefined}>
        {sign}
      </span>
    ),
    [sign],
  )
  return <Picture src={`/public/getCurrencyImage/${encodeURIComponent(code)}`} size={size} round fallback={Sign} />
}

/** `$`, `€`, or the code. */
function currencySign(code: string, locale: string): string {
  try {
    const format = new Intl.NumberFormat(locale, { style: 'currency', currency: code, currencyDisplay: 'narrowSymbol' })
    const sign = format.formatToParts(0).find(({ type }) => type === 'currency')?.value ?? code
    return sign.slice(0, 3)
  } catch {
    return code.slice(0, 3)
  }
}
