/** Where the user approves a request: in the frame, which the dapp's page can cover, or in the wallet's own window. */
import type { WalletFramePage } from '@postern/protocol'

export type ApprovalPlace = { readonly place: 'frame' } | { readonly place: 'window'; readonly reason: WindowReason }

/** `always`: the project's setting. `origin`: a page that the project does not list exactly. */
export type WindowReason = 'always' | 'origin' | 'engine' | 'value'

export type PlaceGiven = {
  /** Origins of all pages around the modal, as reported by the browser, or else by the modal. */
  readonly around: readonly string[]
  readonly page: Pick<WalletFramePage, 'allowedOrigins' | 'approvals'>
  /** Whether the browser tells the frame that something covers it. */
  readonly reportsOcclusion: boolean
  /** Of the request, in US dollars. Null if unknown. */
  readonly usd: number | null
}

/**
 * 1. A project that requires the window gets it, whatever else is set.
 * 2. The frame is only for pages whose exact origin the project lists or trusts, and only if that holds for every page
 *    around the modal. A wildcard, a default ancestor or an unknown page leads to the window.
 * 3. An engine without occlusion reports leads to the window, unless the project trusts every page around the modal.
 * 4. Above the project's limit the window is required, from trusted pages too. A request without a known value is above
 *    every limit.
 */
export function placeOf({ around, page, reportsOcclusion, usd }: PlaceGiven): ApprovalPlace {
  const { place, trustedOrigins, windowAboveUsd } = page.approvals
  if (place === 'window') return inWindow('always')
  const isTrusted = (origin: string) => trustedOrigins.includes(origin)
  // Listed origins are normalised as the browser writes them. `*` is a valid character of a host.
  const isListed = (origin: string) =>
    isTrusted(origin) || (page.allowedOrigins.includes(origin) && !origin.includes('*'))
  if (around.length === 0 || !around.every(isListed)) return inWindow('origin')
  if (!reportsOcclusion && !around.every(isTrusted)) return inWindow('engine')
  if (windowAboveUsd !== undefined && (usd === null || usd > windowAboveUsd)) return inWindow('value')
  return { place: 'frame' }
}

function inWindow(reason: WindowReason): ApprovalPlace {
  return { place: 'window', reason }
}

/** Whether the engine has version 2 of IntersectionObserver. */
export function reportsOcclusion(
  window: Partial<Pick<typeof globalThis, 'IntersectionObserver' | 'IntersectionObserverEntry'>>,
): boolean {
  const { IntersectionObserver: Observer, IntersectionObserverEntry: Entry } = window
  return (
    Observer !== undefined &&
    Entry !== undefined &&
    'trackVisibility' in Observer.prototype &&
    'isVisible' in Entry.prototype
  )
}
