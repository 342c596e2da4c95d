import type { ErrorCode } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'

/** A rejection becomes the `failed` answer. */
export type Run<Answer> = (signal: AbortSignal) => Promise<Answer>

/** `Head`: what a refusal needs, the only fields read of an oversized request. */
export type ServeOptions<Head extends { readonly id: string }, Request extends Head, Answer> = {
  readonly maxInFlight: number
  readonly maxRemembered: number
  /** `answer`: the replay of an answered request gets the first answer. `drop`: only ids are remembered. */
  readonly replays: 'answer' | 'drop'
  /** `answer`: a cancelled request gets an answer. `drop`: it gets none, and stays open until its run settles. */
  readonly cancelled: 'answer' | 'drop'
  /** What to run, or the code to refuse with. */
  readonly accept: (request: Request) => ErrorCode | Run<Answer>
  /** May exceed `maxInFlight`. */
  readonly isUnlimited?: (request: Request) => boolean
  readonly refused: (head: Head, code: ErrorCode) => Answer
  readonly failed: (request: Request, thrown: unknown) => Answer
  readonly post: (answer: Answer) => void
}

export type RequestServer<Head, Request> = {
  receive(request: Request): void
  receiveOversized(head: Head): void
  cancel(id: string): void
  end(): void
}

/**
 * The serving end of a link.
 *
 * 1. An id runs once. The replay of an open request shares its answer; of an answered request, it gets the first answer
 *    again, or nothing (`replays`). At most `maxRemembered` ids are remembered.
 * 2. Every request gets one answer: its run's, a refusal, or INTERNAL if the answer cannot be cloned. After `end`
 *    nothing is sent.
 * 3. At most `maxInFlight` requests are open. Others get LIMIT_EXCEEDED.
 * 4. An oversized request gets LIMIT_EXCEEDED and is not parsed.
 * 5. LIMIT_EXCEEDED is not remembered: the request may be sent again.
 * 6. `cancel` aborts the run. If cancelled requests get no answer, a replay gets ABORTED.
 * 7. `end` aborts all runs with LINK_CLOSED.
 */
export function serveRequests<Head extends { readonly id: string }, Request extends Head, Answer>(
  options: ServeOptions<Head, Request, Answer>,
): RequestServer<Head, Request> {
  const { maxInFlight, maxRemembered, refused, post } = options
  const open = new Map<string, AbortController>()
  const answers = new Map<string, Answer | null>()
  let isEnded = false

  function receive(request: Request) {
    if (isEnded || replay(request.id)) return
    const run = options.accept(request)
    if (typeof run === 'string') return refuse(request, run)
    if (open.size >= maxInFlight && options.isUnlimited?.(request) !== true) return refuse(request, 'LIMIT_EXCEEDED')
    const controller = new AbortController()
    open.set(request.id, controller)
    start(run, controller.signal)
      .catch((thrown: unknown) => options.failed(request, thrown))
      .then((answer) => settle(request, controller.signal, answer))
  }

  /** Whether the id is open or answered. */
  function replay(id: string): boolean {
    const answer = answers.get(id)
    if (answer !== undefined && answer !== null) post(answer)
    return open.has(id) || answers.has(id)
  }

  function refuse(head: Head, code: ErrorCode): void {
    const answer = refused(head, code)
    if (code !== 'LIMIT_EXCEEDED') remember(head.id, answer)
    post(answer)
  }

  function settle(request: Request, { aborted }: AbortSignal, answer: Answer) {
    open.delete(request.id)
    if (isEnded) return
    if (aborted && options.cancelled === 'drop') return remember(request.id, refused(request, 'ABORTED'))
    try {
      post(answer)
      remember(request.id, answer)
    } catch {
      refuse(request, 'INTERNAL')
    }
  }

  function remember(id: string, answer: Answer): void {
    answers.set(id, options.replays === 'answer' ? answer : null)
    for (const oldest of answers.keys()) {
      if (answers.size <= maxRemembered) break
      answers.delete(oldest)
    }
  }

  return {
    receive,
    receiveOversized(head) {
      if (!isEnded && !replay(head.id)) refuse(head, 'LIMIT_EXCEEDED')
    },
    cancel(id) {
      open.get(id)?.abort(new Failure('ABORTED'))
    },
    end() {
      isEnded = true
      for (const controller of open.values()) controller.abort(new Failure('LINK_CLOSED'))
      open.clear()
      answers.clear()
    },
  }
}

/** A throw becomes a rejection. */
async function start<Answer>(run: Run<Answer>, signal: AbortSignal): Promise<Answer> {
  return run(signal)
}
