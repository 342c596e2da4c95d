import { type Clock, retryDelayMs } from '@postern/base/clock'
import type { ErrorCode } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { GatewayError } from '../../account/gateway'
import type { CodePurpose, DrawnCode } from '../../approval/code/code-card'
import type { RequestContext } from '../../contract'

export type CodeScreen = {
  /**
   * Draws a field, or a button if the purpose needs no code (`submit` gets null). Resolves with the first submission
   * that succeeds.
   * @throws {Failure} USER_REJECTED, ABORTED, and every failure that another code would not fix
   */
  ask<T>(
    purpose: CodePurpose,
    context: RequestContext,
    submit: (code: string | null, signal: AbortSignal) => Promise<T>,
    /** Submits at once, without a code. */
    isPressed?: boolean,
  ): Promise<T>
  cancel(): void
}

/** The field stays for these. */
const retryable: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'WRONG_CODE',
  'CODE_EXPIRED',
  'CODE_SPENT',
  'TOO_MANY_ATTEMPTS',
  // The provider's page is not ready yet.
  'PROVIDER_FAILED',
  'TIMEOUT',
  'WALLET_SERVICE_UNREACHABLE',
  // From the wallet's own window.
  'WINDOW_CLOSED',
  'POPUP_BLOCKED',
])

/** The code may be right. */
const unanswered: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'TOO_MANY_ATTEMPTS',
  'TIMEOUT',
  'WALLET_SERVICE_UNREACHABLE',
])
/** Repeated without another press. */
const repeatable: ReadonlySet<CodePurpose['kind']> = new Set<CodePurpose['kind']>(['signIn', 'social'])
const maxRepeats = 3
/** Above it, the user retries. */
const maxRetryDelayMs = 60_000

type Asked = { code: DrawnCode; readonly finish: (failure: Failure) => void }

/**
 * Takes codes inside the frame, where neither the modal nor the dapp's page can read them.
 *
 * 1. A code goes from this frame to the gateway only.
 * 2. A new request for a code ends the previous one.
 * 3. One submission runs at a time. A refused code leaves the field, with the reason; a failure that no other code
 *    would fix ends the request. Without a response the digits are submitted again after 1, 2 and 4 s, or when the
 *    gateway says, unless the user edits them or a press is needed.
 */
export function createCodeScreen(options: {
  readonly clock: Clock
  readonly draw: (code: DrawnCode | null) => Promise<void>
  readonly toFailure: (thrown: unknown) => Failure
}): CodeScreen {
  const { clock, draw, toFailure } = options
  let asked: Asked | null = null

  function ask<T>(
    purpose: CodePurpose,
    { id, signal }: RequestContext,
    submit: (code: string | null, signal: AbortSignal) => Promise<T>,
    isPressed = false,
  ): Promise<T> {
    asked?.finish(new Failure('ABORTED'))
    return new Promise((resolve, reject) => {
      const mine: Asked = {
        code: {
          id,
          purpose,
          isBusy: false,
          failure: null,
          onSubmit,
          onEdit: () => stopRetry(),
          onCancel: () => finish(new Failure('USER_REJECTED')),
        },
        finish,
      }
      asked = mine
      let stopRetry = () => {}

      function clear(): boolean {
        stopRetry()
        signal.removeEventListener('abort', onAbort)
        if (asked !== mine) return false
        asked = null
        void draw(null).catch(() => {})
        return true
      }
      function finish(failure: Failure): void {
        if (clear()) reject(failure)
      }
      function onAbort(): void {
        finish(new Failure('ABORTED'))
      }
      function paint(changes: Partial<DrawnCode>): void {
        if (asked !== mine) return
        mine.code = { ...mine.code, ...changes }
        draw(mine.code).catch((cause: unknown) => finish(new Failure('LOAD_FAILED', { cause })))
      }
      // Rule 3.
      function onSubmit(code: string | null): void {
        if (asked !== mine || mine.code.isBusy) return
        stopRetry()
        attempt(code, 0)
      }
      function attempt(code: string | null, repeats: number): void {
        paint({ isBusy: true, failure: null })
        submit(code, signal).then(
          (result) => {
            if (clear()) resolve(result)
          },
          (thrown: unknown) => {
            const failure = toFailure(thrown)
            if (!retryable.has(failure.code)) return finish(failure)
            const delayMs =
              repeats < maxRepeats && repeatable.has(purpose.kind) ? retryDelayOf(thrown, failure, repeats) : null
            const retryAt = delayMs === null ? null : clock.now() + delayMs
            if (delayMs !== null) stopRetry = clock.after(delayMs, () => attempt(code, repeats + 1))
            paint({ isBusy: false, failure: { code: failure.code, message: failure.message, retryAt } })
          },
        )
      }

      signal.addEventListener('abort', onAbort)
      if (signal.aborted) onAbort()
      else if (isPressed) attempt(null, 0)
      else paint({})
    })
  }

  return { ask, cancel: () => asked?.finish(new Failure('ABORTED')) }
}

/** In ms; null for none. */
function retryDelayOf(thrown: unknown, { code }: Failure, repeats: number): number | null {
  if (!unanswered.has(code)) return null
  const retryAfter = thrown instanceof GatewayError ? thrown.retryAfter : null
  // No tries are left.
  if (code === 'TOO_MANY_ATTEMPTS' && retryAfter === null) return null
  const delayMs = Math.max(retryDelayMs(repeats + 1), (retryAfter ?? 0) * 1_000)
  return delayMs > maxRetryDelayMs ? null : delayMs
}
