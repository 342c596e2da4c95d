import { limits, type TokenBalance } from '@postern/protocol'
import { formatUnits, parseUnits } from '../../chains/format'
import { useLocale } from '../../locales/text'
import { plainText } from '../../ui/plain-text'
import { PlainRow } from '../../ui/row'
import { TokenPicture } from '../../ui/token-picture'
import { writeDecimal } from '../../views/text'
import { fiatOf } from './fiat'
import styles from './tokens.module.css'

/** One token: its name, how much there is, and what that is worth where somebody knows a price. Names are strangers' words. */
export function TokenRow({ balance }: { readonly balance: TokenBalance }) {
  const locale = useLocale()
  const { name, symbol, price, quantity, iconUrl } = balance
  const fiat = price > 0 ? fiatOf(quantity.numeric, price) : null
  return (
    <PlainRow
      icon={<TokenPicture src={safePicture(iconUrl)} />}
      title={plainText(name) || plainText(symbol, 12)}
      detail={
        <bdi className={styles.amount}>
          {written(shownAmount(balance), locale)} {plainText(symbol, 12)}
        </bdi>
      }
      trailing={fiat === null ? undefined : <bdi className={styles.value}>${written(fiat, locale)}</bdi>}
    />
  )
}

/** Rounded down to 2 decimals, or to 3 where less than a hundredth is left (spec §9). */
function shownAmount({ quantity: { numeric } }: TokenBalance): string {
  const scale = numeric.split('.')[1]?.length ?? 0
  const units = parseUnits(numeric, scale)
  if (units === null) return numeric
  const two = formatUnits(units, scale, limits.tokenBalanceDecimals)
  return units > 0n && /^0\.?0*$/.test(two) ? formatUnits(units, scale, limits.balanceDecimals) : two
}

function written(decimal: string, locale: string): string {
  const { whole, fraction } = writeDecimal(decimal, locale)
  return `${whole}${fraction}`
}

/** A picture in its own bytes, or one that the gateway checked: nothing that would tell a stranger who looks. */
function safePicture(iconUrl: string): string | undefined {
  return /^data:image\/(png|jpeg|gif|webp);/.test(iconUrl) || /^\/(?!\/)/.test(iconUrl) ? iconUrl : undefined
}
