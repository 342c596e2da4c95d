import { Failure } from '@postern/protocol/failure'
import type { SessionState } from './dialect'

/** Follows `signal` only until the wallet has signed. */
export function untilSigned(signal: AbortSignal) {
  const controller = new AbortController()
  const abort = () => controller.abort(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  return { signal: controller.signal, end: () => signal.removeEventListener('abort', abort) }
}

/** Throws DISCONNECTED without an account. */
export function addressOf({ accounts }: SessionState): string {
  const [active] = accounts
  if (active === undefined) throw new Failure('DISCONNECTED')
  return active.address
}
