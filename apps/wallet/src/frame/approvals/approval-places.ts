import type { ApprovalRequest, WalletFramePage } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { type ApprovalPlace, type FrameLimits, frameLimitsOf, placeOf } from '../../approval/place/place'
import type { Approvals } from '../../signing/approvals'
import type { DappOrigin } from '../ancestors/origin'
import type { FrameSpending } from './spending'
import type { TextSize } from './text-size'

export type ApprovalPlaces = {
  of(id: string): ApprovalPlace | null
  inWindow(): readonly ApprovalRequest[]
  subscribe(listener: () => void): () => void
  /** @throws {Failure} INVALID_REQUEST if the request does not belong there */
  approveInFrame(word: ApprovalWord): Promise<void>
  /** @throws {Failure} INVALID_REQUEST if the request does not belong there */
  approveInWindow(word: ApprovalWord): void
  end(): void
}

type ApprovalWord = Parameters<Approvals['approve']>[0]

export type ApprovalPlacesOptions = {
  readonly approvals: Pick<Approvals, 'waiting' | 'subscribe' | 'approve'>
  readonly page: Pick<WalletFramePage, 'allowedOrigins' | 'approvals'>
  readonly origin: Pick<DappOrigin, 'around'>
  readonly spending: FrameSpending
  readonly textSize: TextSize
  /** In US dollars; null if unknown. May be inexact above `limitUsd`. */
  readonly dollarsFor: (request: ApprovalRequest, limitUsd: number, signal: AbortSignal) => Promise<number | null>
}

type Placed = {
  readonly request: ApprovalRequest
  readonly ending: AbortController
  place: ApprovalPlace | null
  cost: { readonly cents: number; readonly limits: FrameLimits } | null
  isCounting: boolean
}

/**
 * The place of each waiting request (`place.ts`).
 *
 * 1. The place is decided when the request begins to wait, and again once it is prepared. The worth is computed only if
 *    the place depends on it.
 * 2. The frame approves nothing while the place is undecided or the worth unknown.
 * 3. Each place approves only its own requests. A blocked request stays in the frame.
 * 4. A press in the frame counts the worth and approves in one step. Above the day's limit, the request moves to the
 *    window.
 * 5. A request moves to the window when its text becomes too small, and never back.
 */
export function createApprovalPlaces(options: ApprovalPlacesOptions): ApprovalPlaces {
  const { approvals, page, spending, textSize, dollarsFor } = options
  const placed = new Map<string, Placed>()
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of [...listeners]) listener()
  }

  function decide(request: ApprovalRequest): void {
    const entry: Placed = { request, ending: new AbortController(), place: null, cost: null, isCounting: false }
    placed.set(request.id, entry)
    if (request.blocked !== undefined) {
      entry.place = { place: 'frame' }
      return
    }
    const limits = frameLimitsOf({ around: [...options.origin.around()], page })
    if ('place' in limits) entry.place = limits
    else if (limits.requestUsd === Number.POSITIVE_INFINITY) entry.place = readable({ place: 'frame' })
    else void placeByWorth(request, entry, limits)
  }

  async function placeByWorth(request: ApprovalRequest, entry: Placed, limits: FrameLimits): Promise<void> {
    const { signal } = entry.ending
    const usd = await dollarsFor(request, limits.requestUsd, signal).catch(() => null)
    const cents = usd === null ? null : centsOf(usd)
    const spentUsd = cents === 0 || cents === null ? 0 : await spentBy(request, limits)
    if (signal.aborted) return
    entry.place = readable(placeOf(limits, usd, spentUsd))
    if (cents !== null) entry.cost = { cents, limits }
    changed()
  }

  /** If spending cannot be counted, the day's limit counts as spent. */
  async function spentBy(request: ApprovalRequest, { dayUsd }: FrameLimits): Promise<number> {
    if (dayUsd === Number.POSITIVE_INFINITY) return 0
    const cents = await spending.spentCents(request)
    return cents === null ? dayUsd : cents / 100
  }

  /** Rule 5. */
  const readable = (place: ApprovalPlace): ApprovalPlace =>
    place.place === 'frame' && textSize.isTooSmall() ? { place: 'window', reason: 'small' } : place

  function lookAgain(): void {
    if (!textSize.isTooSmall()) return
    for (const request of approvals.waiting()) {
      const entry = placed.get(request.id)
      if (entry?.place && request.blocked === undefined) entry.place = readable(entry.place)
    }
    changed()
  }

  function follow(): void {
    const waiting = approvals.waiting()
    for (const [id, { request, ending }] of placed)
      if (!waiting.includes(request)) {
        ending.abort()
        placed.delete(id)
      }
    for (const request of waiting) if (!placed.has(request.id)) decide(request)
    changed()
  }

  function waitingIn(place: ApprovalPlace['place'], { id, digest }: ApprovalWord) {
    const request = approvals.waiting().find((one) => one.id === id)
    const entry = placed.get(id)
    if (request?.digest !== digest || entry?.place?.place !== place) throw new Failure('INVALID_REQUEST')
    return { request, entry }
  }

  /** Rule 4. */
  async function count(request: ApprovalRequest, entry: Placed): Promise<boolean> {
    if (entry.cost === null) return true
    const { cents, limits } = entry.cost
    if (cents === 0 || limits.dayUsd === Number.POSITIVE_INFINITY) return true
    if (await spending.spend(request, cents, Math.round(limits.dayUsd * 100))) return true
    const spentUsd = await spentBy(request, limits)
    entry.place = placeOf(limits, Number.POSITIVE_INFINITY, spentUsd)
    changed()
    return false
  }

  const stops = [approvals.subscribe(follow), textSize.subscribe(lookAgain)]
  follow()
  return {
    of: (id) => placed.get(id)?.place ?? null,
    inWindow: () => approvals.waiting().filter(({ id }) => placed.get(id)?.place?.place === 'window'),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async approveInFrame(word) {
      lookAgain()
      const { request, entry } = waitingIn('frame', word)
      if (entry.isCounting) throw new Failure('INVALID_REQUEST')
      entry.isCounting = true
      try {
        if (!(await count(request, entry))) throw new Failure('INVALID_REQUEST')
      } finally {
        entry.isCounting = false
      }
      waitingIn('frame', word)
      approvals.approve(word)
    },
    approveInWindow(word) {
      waitingIn('window', word)
      approvals.approve(word)
    },
    end() {
      for (const stop of stops) stop()
      for (const { ending } of placed.values()) ending.abort()
      placed.clear()
    },
  }
}

function centsOf(usd: number): number {
  return Math.ceil(usd * 100)
}
