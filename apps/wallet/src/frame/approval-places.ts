import type { ApprovalRequest, WalletFramePage } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { type ApprovalPlace, placeOf } from '../approval/place'
import type { Approvals } from '../signing/approvals'
import type { DappOrigin } from './origin'

export type ApprovalPlaces = {
  /** Null while it is being decided, and for a request that does not wait. */
  of(id: string): ApprovalPlace | null
  /** The requests that wait for the wallet's window, in order. */
  inWindow(): readonly ApprovalRequest[]
  /** After each change of what waits, and of its places. Returns the unsubscribe. */
  subscribe(listener: () => void): () => void
  /** A press in the place approves. INVALID_REQUEST if the request belongs to the other place. */
  approve(word: Parameters<Approvals['approve']>[0], from: ApprovalPlace['place']): void
  end(): void
}

export type ApprovalPlacesOptions = {
  readonly approvals: Pick<Approvals, 'waiting' | 'subscribe' | 'approve'>
  readonly page: Pick<WalletFramePage, 'allowedOrigins' | 'approvals'>
  readonly origin: Pick<DappOrigin, 'around'>
  readonly reportsOcclusion: boolean
  /** In US dollars; null if unknown. */
  readonly dollarsFor: (request: ApprovalRequest, signal: AbortSignal) => Promise<number | null>
}

type Placed = { readonly ending: AbortController; place: ApprovalPlace | null }

/**
 * The place of each waiting request (`placeOf`).
 *
 * 1. It is decided once, when the request begins to wait. The value is asked for only if it matters.
 * 2. Until it is decided, and if the value cannot be found out, the frame approves nothing.
 * 3. Each place approves only its own requests. A blocked request stays in the frame, where it can be declined.
 */
export function createApprovalPlaces(options: ApprovalPlacesOptions): ApprovalPlaces {
  const { approvals, page, reportsOcclusion, dollarsFor } = options
  const placed = new Map<string, Placed>()
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of [...listeners]) listener()
  }

  function decide(request: ApprovalRequest): void {
    const ending = new AbortController()
    const entry: Placed = { ending, place: null }
    placed.set(request.id, entry)
    if (request.blocked !== undefined) {
      entry.place = { place: 'frame' }
      return
    }
    const around = [...options.origin.around()]
    const given = { around, page, reportsOcclusion }
    const withoutValue = placeOf({ ...given, usd: 0 })
    if (withoutValue.place === 'window' || page.approvals.windowAboveUsd === undefined) {
      entry.place = withoutValue
      return
    }
    dollarsFor(request, ending.signal)
      .catch(() => null)
      .then((usd) => {
        if (ending.signal.aborted) return
        entry.place = placeOf({ ...given, usd })
        changed()
      })
  }

  function follow(): void {
    const waiting = approvals.waiting()
    for (const [id, { ending }] of placed)
      if (!waiting.some((request) => request.id === id)) {
        ending.abort()
        placed.delete(id)
      }
    for (const request of waiting) if (!placed.has(request.id)) decide(request)
    changed()
  }

  const stop = approvals.subscribe(follow)
  follow()
  return {
    of: (id) => placed.get(id)?.place ?? null,
    inWindow: () => approvals.waiting().filter(({ id }) => placed.get(id)?.place?.place === 'window'),
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    approve(word, from) {
      if (placed.get(word.id)?.place?.place !== from) throw new Failure('INVALID_REQUEST')
      approvals.approve(word)
    },
    end() {
      stop()
      for (const { ending } of placed.values()) ending.abort()
      placed.clear()
    },
  }
}
