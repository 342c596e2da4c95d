/** Where the user approves: in the frame, which the dapp's page can cover, or in the wallet's own window. */
import { isLoopbackOrigin, type WalletFramePage } from '@postern/protocol'

export type ApprovalPlace =
  | { readonly place: 'frame' }
  | { readonly place: 'window'; readonly reason: Exclude<WindowReason, 'value'> }
  | { readonly place: 'window'; readonly reason: 'value'; readonly limitUsd: number }

/**
 * Why the window takes a request.
 *
 * - `always`: the project's setting.
 * - `origin`: a page that the project does not list exactly.
 * - `value`: the loss may exceed the frame's limit.
 * - `small`: the page shows the frame's text too small.
 */
export type WindowReason = 'always' | 'origin' | 'value' | 'small'

/** US dollars per request, and per day and origin. Infinite without a limit. */
export type FrameLimits = { readonly requestUsd: number; readonly dayUsd: number }

const defaultRequestUsd = 25
const requestsOfADay = 4

export type PlaceGiven = {
  /** Pages around the modal, as the browser or else the modal reports them. */
  readonly around: readonly string[]
  readonly page: Pick<WalletFramePage, 'allowedOrigins' | 'approvals'>
}

/**
 * What the frame may take, in any browser: none reports every cover.
 *
 * 1. A project that requires the window gets it.
 * 2. The project must list or trust the exact origin of every page around the modal. A wildcard, a default ancestor or
 *    an unknown page leads to the window.
 * 3. The frame takes a request up to the project's limit or the default, and four of that size in a day. If the project
 *    trusts every page, only the project's own limit counts, per request.
 */
export function frameLimitsOf({ around, page }: PlaceGiven): FrameLimits | ApprovalPlace {
  const { place, trustedOrigins, trustsLoopback = false, windowAboveUsd } = page.approvals
  if (place === 'window') return { place: 'window', reason: 'always' }
  const isTrusted = (origin: string) => trustedOrigins.includes(origin) || (trustsLoopback && isLoopbackOrigin(origin))
  // Listed origins are normalised as the browser writes them. `*` is a valid character of a host.
  const isListed = (origin: string) =>
    isTrusted(origin) || (page.allowedOrigins.includes(origin) && !origin.includes('*'))
  if (around.length === 0 || !around.every(isListed)) return { place: 'window', reason: 'origin' }
  if (around.every(isTrusted)) return { requestUsd: windowAboveUsd ?? Infinity, dayUsd: Infinity }
  const requestUsd = windowAboveUsd ?? defaultRequestUsd
  return { requestUsd, dayUsd: requestUsd * requestsOfADay }
}

/**
 * An unknown worth is above every limit; zero is within every limit.
 * @param usd max loss; null if unknown
 * @param spentUsd what the frame took within a day
 */
export function placeOf({ requestUsd, dayUsd }: FrameLimits, usd: number | null, spentUsd: number): ApprovalPlace {
  const limitUsd = Math.min(requestUsd, Math.max(0, dayUsd - spentUsd))
  if ((usd ?? Infinity) <= limitUsd) return { place: 'frame' }
  return { place: 'window', reason: 'value', limitUsd }
}
