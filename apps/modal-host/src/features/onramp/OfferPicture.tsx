import type { Network } from '@postern/protocol'
import { plainText } from '@postern/ui/plain-text'
import { TokenPicture } from '@postern/ui/token-picture'
import type { Offer } from './offers'

/** Generated colours, except for the native currency: the seller's images are on a third-party server. */
export function OfferPicture({ offer, network }: { readonly offer: Offer; readonly network: Network | undefined }) {
  const isNative = offer.symbol === network?.nativeCurrency.symbol
  return (
    <TokenPicture
      src={isNative ? network.assets?.imageUrl : undefined}
      seed={`${offer.network} ${offer.id}`}
      symbol={plainText(offer.symbol, 12)}
    />
  )
}
