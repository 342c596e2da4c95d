import { parseUrl } from '@postern/base/parse-url'
import { isOriginAllowed, type WalletFramePage } from '@postern/protocol'

/** `around`: the dapp first, then the pages around it. */
export type Ancestors = 'unknown' | 'refused' | { readonly around: readonly [string, ...string[]] }

/**
 * The pages that embed this frame, as the browser reports them (`location.ancestorOrigins`): the modal, the dapp, then
 * pages around it.
 *
 * 1. The frame works only if the nearest is the modal, and the project lists all pages around it, of which there is one
 *    at least.
 * 2. If the browser reports none, `frame-ancestors` and the handshake still apply, and the modal reports the dapp's
 *    origin.
 */
export function readAncestors(
  ancestors: Iterable<string> | undefined,
  page: Pick<WalletFramePage, 'modalOrigin' | 'allowedOrigins' | 'defaultAncestors'>,
): Ancestors {
  if (ancestors === undefined) return 'unknown'
  const [modal, ...around] = ancestors
  const [dappOrigin, ...further] = around
  if (modal !== page.modalOrigin || dappOrigin === undefined) return 'refused'
  const { allowedOrigins, defaultAncestors } = page
  const isAllowed = (origin: string) => isOriginAllowed(origin, allowedOrigins, { defaultAncestors })
  return around.every(isAllowed) ? { around: [dappOrigin, ...further] } : 'refused'
}

/** Empty while unknown, which blocks every sign-in message. */
export type DappOrigin = {
  get(): string
  /** If the browser reports none: the dapp's, once known. */
  around(): readonly string[]
  /** Sets the origin that the modal reports. It must be listed; ignored if the browser reports origins. */
  tell(url: string): void
}

export function createDappOrigin(
  ancestors: Exclude<Ancestors, 'refused'>,
  page: Pick<WalletFramePage, 'allowedOrigins' | 'defaultAncestors'>,
): DappOrigin {
  let claimedOrigin = ''
  const reported = ancestors === 'unknown' ? null : ancestors.around
  return {
    get: () => reported?.[0] ?? claimedOrigin,
    around: () => reported ?? (claimedOrigin === '' ? [] : [claimedOrigin]),
    tell(url) {
      const origin = parseUrl(url)?.origin ?? ''
      const { allowedOrigins, defaultAncestors } = page
      if (isOriginAllowed(origin, allowedOrigins, { defaultAncestors })) claimedOrigin = origin
    },
  }
}
