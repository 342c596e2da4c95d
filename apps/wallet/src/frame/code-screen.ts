import type { ErrorCode } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { CodePurpose, DrawnCode } from '../approval/code-card'
import type { RequestContext } from '../contract'

export type CodeScreen = {
  /**
   * Draws the purpose with a field for its code, or only with a button if it needs no code (`submit` then gets null).
   * Resolves with the first submission that succeeds.
   * @throws {Failure} USER_REJECTED, ABORTED, and every failure that no other code would fix
   */
  ask<T>(
    purpose: CodePurpose,
    context: RequestContext,
    submit: (code: string | null, signal: AbortSignal) => Promise<T>,
  ): Promise<T>
  /** Ends the request for a code. */
  cancel(): void
}

/** The field stays for these: the user tries again, or asks for another code. */
const retryable: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'WRONG_CODE',
  'CODE_EXPIRED',
  'CODE_SPENT',
  'TOO_MANY_ATTEMPTS',
  // The provider's page is not done yet.
  'PROVIDER_FAILED',
  'TIMEOUT',
  'WALLET_SERVICE_UNREACHABLE',
])

type Asked = { code: DrawnCode; readonly finish: (failure: Failure) => void }

/**
 * Takes codes inside the frame, where neither the modal nor the dapp's page can read them.
 *
 * 1. No message submits a code, and none has one: it is typed here, and goes to the gateway only.
 * 2. One at a time: a new request for a code ends the one before.
 * 3. One submission at a time. A refused code leaves the field, with the reason; another failure ends the request.
 * 4. The end of the request clears what was drawn.
 */
export function createCodeScreen(options: {
  /** Rejects if the drawing does not load. */
  readonly draw: (code: DrawnCode | null) => Promise<void>
  readonly toFailure: (thrown: unknown) => Failure
}): CodeScreen {
  const { draw, toFailure } = options
  let asked: Asked | null = null

  function ask<T>(
    purpose: CodePurpose,
    { id, signal }: RequestContext,
    submit: (code: string | null, signal: AbortSignal) => Promise<T>,
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
          onCancel: () => finish(new Failure('USER_REJECTED')),
        },
        finish,
      }
      asked = mine

      function clear(): boolean {
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
        draw(mine.code).catch((cause: unknown) => finish(new Failure('IFRAME_LOAD_FAILED', { cause })))
      }
      // 3
      function onSubmit(code: string | null): void {
        if (asked !== mine || mine.code.isBusy) return
        paint({ isBusy: true, failure: null })
        submit(code, signal).then(
          (result) => {
            if (clear()) resolve(result)
          },
          (thrown: unknown) => {
            const failure = toFailure(thrown)
            if (!retryable.has(failure.code)) return finish(failure)
            paint({ isBusy: false, failure: { code: failure.code, message: failure.message } })
          },
        )
      }

      signal.addEventListener('abort', onAbort)
      if (signal.aborted) onAbort()
      else paint({})
    })
  }

  return { ask, cancel: () => asked?.finish(new Failure('ABORTED')) }
}
