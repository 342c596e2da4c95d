import { formatUnits, parseUnits } from '@postern/chains/format'
import { limits, type Network, type TokenBalance } from '@postern/protocol'
import { useLocale } from '@postern/ui/locales/text'
import { NetworkPicture } from '@postern/ui/picture'
import { plainText } from '@postern/ui/plain-text'
import { safePicture } from '@postern/ui/safe-picture'
import { TokenPicture } from '@postern/ui/token-picture'
import { fiatOf } from '../../view-kit/format/fiat'
import { formatDecimal } from '../../view-kit/format/format-amount'
import { ListRow } from '../account/AccountList'
import { ListingTag } from './ListingTag'

type TokenRowProps = {
  readonly balance: TokenBalance
  readonly network?: Network | undefined
  readonly allNetworks?: boolean
}

/** Names are untrusted. */
export function TokenRow({ balance, network, allNetworks = false }: TokenRowProps) {
  const locale = useLocale()
  const { name, symbol, price, quantity, iconUrl, listing } = balance
  // Testnet tokens have no value (spec §9).
  const fiat = price > 0 && network?.testnet !== true ? fiatOf(quantity.numeric, price) : null
  const unit = plainText(symbol, 12)
  return (
    <ListRow
      icon={
        safePicture(iconUrl) === undefined &&
        balance.address === undefined &&
        network?.assets?.imageUrl !== undefined ? (
          <NetworkPicture src={network.assets.imageUrl} />
        ) : (
          <TokenPicture src={safePicture(iconUrl)} seed={balance.address?.split(':')[2] ?? symbol} symbol={unit} />
        )
      }
      title={plainText(name) || unit}
      badge={<ListingTag listing={listing} />}
      detail={
        <bdi>
          {formatDecimal(shownAmount(balance), locale)} {unit}
        </bdi>
      }
      figure={fiat === null ? undefined : `$${formatDecimal(fiat, locale)}`}
      side={allNetworks ? network?.name : undefined}
    />
  )
}

/** Rounded down to 2 decimals, or to 3 below a hundredth (spec §9). */
function shownAmount({ quantity: { numeric } }: TokenBalance): string {
  const scale = numeric.split('.')[1]?.length ?? 0
  const units = parseUnits(numeric, scale)
  if (units === null) return numeric
  const two = formatUnits(units, scale, limits.tokenBalanceDecimals)
  return units > 0n && /^0\.?0*$/.test(two) ? formatUnits(units, scale, limits.balanceDecimals) : two
}
