import type { Clock } from '@postern/base/clock'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { Session } from '../client/client'
import { type Pairing, type PairingCode, timeOnShow } from './pairing'

/** Five codes last about 15 min. */
const maxCodes = 5

export type PairingAttempt = {
  readonly take: () => Promise<Pairing>
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly onPairing: (code: PairingCode | null) => void
  /** A wallet approved after the attempt ended. */
  readonly onLate: (session: Session) => void
}

/**
 * Shows codes until a wallet responds to one of them.
 *
 * 1. A code is replaced silently with less than 10 s left (spec §4).
 * 2. A replaced code stays valid for one more minute, as the protocol allows: the user may just have scanned it.
 * 3. The first response decides. After that or an abort, every other code is dropped; a session that still results goes
 *    to `onLate`.
 * 4. TIMEOUT when the last of at most five codes expires unused.
 * 5. If a code cannot be created, the attempt rejects.
 */
export function awaitApproval({ take, clock, signal, onPairing, onLate }: PairingAttempt): Promise<Session> {
  return new Promise((resolve, reject) => {
    const live = new Set<Pairing>()
    let shown: Pairing | null = null
    let codes = 0
    let isOver = false
    let stopTimer = () => {}

    function finish(settle: () => void, answered?: Pairing): void {
      if (isOver) return
      isOver = true
      stopTimer()
      signal.removeEventListener('abort', abort)
      for (const pairing of live) if (pairing !== answered) pairing.drop()
      settle()
    }

    function abort(): void {
      finish(() => reject(new Failure('ABORTED', { cause: signal.reason })))
    }

    function fail(thrown: unknown, answered?: Pairing): void {
      finish(() => reject(asFailure(thrown)), answered)
    }

    async function show(): Promise<void> {
      try {
        const pairing = await take()
        if (isOver) return pairing.drop()
        live.add(pairing)
        shown = pairing
        codes += 1
        follow(pairing)
        onPairing(pairing.code)
        if (codes < maxCodes) stopTimer = clock.after(timeOnShow(pairing.code, clock), () => void show())
        else stopTimer = clock.after(timeOnShow(pairing.code, clock), () => fail(new Failure('TIMEOUT')))
      } catch (thrown) {
        fail(thrown)
      }
    }

    function follow(pairing: Pairing): void {
      pairing.approval.then(
        (session) => (isOver ? onLate(session) : finish(() => resolve(session), pairing)),
        (thrown: unknown) => {
          live.delete(pairing)
          const isStale = pairing !== shown && thrown instanceof Failure && thrown.code === 'TIMEOUT'
          if (!isStale) fail(thrown, pairing)
        },
      )
    }

    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    onPairing(null)
    void show()
  })
}
