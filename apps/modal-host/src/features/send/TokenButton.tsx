import type { Network } from '@postern/protocol'
import { CurrentMark } from '@postern/ui/current-mark'
import { useLocale } from '@postern/ui/locales/text'
import { plainText } from '@postern/ui/plain-text'
import { Row } from '@postern/ui/row'
import { safePicture } from '@postern/ui/safe-picture'
import { TokenPicture } from '@postern/ui/token-picture'
import { ForwardIcon } from '@postern/ui/view-icons'
import { formatBalance, formatFiat } from '../../view-kit/format/format-amount'
import { ListingTag } from '../portfolio/ListingTag'
import type { SendToken } from './token'

export function TokenButton({
  token,
  network,
  choice = false,
  current = false,
  onPress,
}: {
  readonly token: SendToken
  readonly network: Network
  readonly choice?: boolean
  readonly current?: boolean
  readonly onPress: () => void
}) {
  const locale = useLocale()
  const symbol = plainText(token.symbol, 12)
  return (
    <Row
      icon={
        <TokenPicture
          src={safePicture(token.iconUrl) ?? nativePicture(token, network)}
          seed={token.address ?? token.symbol}
          symbol={symbol}
        />
      }
      title={plainText(token.name) || symbol}
      badge={<ListingTag listing={token.listing} grouped={choice} />}
      detail={
        <bdi>
          {formatBalance(token.balance, token.decimals, locale)} {symbol}
        </bdi>
      }
      current={current}
      trailing={
        choice ? (
          <>
            <bdi>{formatFiat(token.balance, token.decimals, token.price, locale)}</bdi>
            {current && <CurrentMark />}
          </>
        ) : (
          <>
            <span>{network.name}</span>
            <ForwardIcon small />
          </>
        )
      }
      onPress={onPress}
    />
  )
}

function nativePicture(token: SendToken, network: Network): string | undefined {
  return token.address === null ? network.assets?.imageUrl : undefined
}
