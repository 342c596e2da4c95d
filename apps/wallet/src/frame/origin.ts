import { isOriginAllowed, type WalletFramePage } from '@postern/protocol'

export type Ancestors = 'unknown' | 'refused' | { readonly dappOrigin: string }

/**
 * Who embeds this frame, as the browser reports it (`location.ancestorOrigins`, nearest first: the modal, the dapp, and whoever embeds the dapp).
 *
 * 1. The nearest is the modal, and there is a page around it; every page around it is on the project's list. Else the frame serves nobody.
 * 2. The dapp is the page that embeds the modal.
 * 3. A browser that does not report them says nothing: `frame-ancestors` and the handshake still hold, and the modal tells the dapp's origin.
 */
export function readAncestors(
  ancestors: Iterable<string> | undefined,
  page: Pick<WalletFramePage, 'modalOrigin' | 'allowedOrigins' | 'defaultAncestors'>,
): Ancestors {
  if (ancestors === undefined) return 'unknown'
  const [modal, ...around] = ancestors
  const [dappOrigin] = around
  if (modal !== page.modalOrigin || dappOrigin === undefined) return 'refused'
  const { allowedOrigins, defaultAncestors } = page
  const isAllowed = (origin: string) => isOriginAllowed(origin, allowedOrigins, { defaultAncestors })
  return around.every(isAllowed) ? { dappOrigin } : 'refused'
}

/** The dapp's origin. Empty while nobody said it: then no sign-in message is for it, and all are blocked. */
export type DappOrigin = {
  get(): string
  /** What the modal says (`SYNC_DAPP_DATA`), where the browser does not. It must be on the list too. */
  tell(url: string): void
}

export function createDappOrigin(
  ancestors: Exclude<Ancestors, 'refused'>,
  page: Pick<WalletFramePage, 'allowedOrigins' | 'defaultAncestors'>,
): DappOrigin {
  let told = ''
  const reported = ancestors === 'unknown' ? null : ancestors.dappOrigin
  return {
    get: () => reported ?? told,
    tell(url) {
      const origin = URL.canParse(url) ? new URL(url).origin : ''
      const { allowedOrigins, defaultAncestors } = page
      if (isOriginAllowed(origin, allowedOrigins, { defaultAncestors })) told = origin
    },
  }
}
