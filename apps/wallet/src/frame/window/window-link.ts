import type { Clock } from '@postern/base/clock'
import { type Waiter, waitIn } from '@postern/link/abort'
import { acceptHellos, type HelloVerdict } from '@postern/link/handshake'
import { openPort } from '@postern/link/port'
import { serveRequests } from '@postern/link/serve'
import type { ErrorCode } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import {
  parseWindowAsk,
  type SocialTaken,
  SocialTicket,
  type WindowAnswer,
  type WindowApproval,
  type WindowAsk,
  WindowBye,
  type WindowContext,
  WindowHello,
  type WindowPurpose,
  windowUrlParameters,
} from '../../window-messages'

export type WindowService = {
  context(purpose: WindowPurpose): Promise<WindowContext>
  answer(ask: WindowAsk, purpose: WindowPurpose): Promise<unknown>
  /** Calls `post` now and on change. Returns the unsubscribe. */
  follow(purpose: WindowPurpose, post: (approval: WindowApproval) => void): () => void
}

export type WindowLink = {
  uri(purpose: WindowPurpose): string
  /** For the newest ticket. @throws {Failure} WINDOW_CLOSED */
  finished(purpose: WindowPurpose, signal: AbortSignal): Promise<void>
  close(purpose: WindowPurpose): void
  end(): void
}

export type WindowLinkOptions = {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener'>
  readonly ownOrigin: string
  readonly projectId: string
  readonly clock: Clock
  readonly randomSecret: () => string
  readonly service: WindowService
  readonly toFailure: (thrown: unknown) => Failure
  readonly onSocialTicket: (ticket: SocialTicket) => boolean
}

/** In ms. */
export const ticketLife = 10 * 60_000
/** Further requests get LIMIT_EXCEEDED. */
const maxInFlight = 128
const reloadTimeMs = 2_000

type Visit = {
  readonly purpose: WindowPurpose
  readonly ticket: string
  readonly expiresAt: number
  outcome: 'open' | 'done' | 'closed'
  leave: () => void
  readonly waiting: Set<Waiter>
}

/**
 * The frame's side of the wallet window, and of the page that ends a social sign-in. In addition to the rules of every
 * link (`acceptHellos`, `openPort`, `serveRequests`):
 *
 * 1. Only messages from this frame's own origin, as the browser reports it, are handled. Other ports are closed.
 * 2. A window needs this frame's project, and its purpose's newest ticket, issued in the last ten minutes.
 * 3. A second hello with a ticket, as after a reload, replaces the first.
 * 4. A replay gets no response. The service rejects what the purpose does not allow.
 * 5. A window that goes away without `done` is WINDOW_CLOSED, unless it comes back within {@link reloadTimeMs}.
 * 6. This end says goodbye to its windows, also when its page goes away: no browser reports that.
 */
export function createWindowLink(options: WindowLinkOptions): WindowLink {
  const { window, ownOrigin, projectId, clock, randomSecret, service, toFailure, onSocialTicket } = options
  const visits = new Map<WindowPurpose, Visit>()

  function checkHello({ data, origin }: MessageEvent<unknown>): HelloVerdict<Visit> {
    const hello = WindowHello.safeParse(data)
    if (!hello.success) return { kind: 'ignored' }
    const { purpose, ticket } = hello.data
    const visit = visits.get(purpose)
    const isWanted =
      origin === ownOrigin &&
      hello.data.projectId === projectId &&
      visit?.ticket === ticket &&
      visit.outcome !== 'done' &&
      visit.expiresAt > clock.now()
    return visit !== undefined && isWanted ? { kind: 'accepted', offer: visit } : { kind: 'refused' }
  }

  function onAccepted(port: MessagePort, visit: Visit): void {
    visit.leave()
    visit.outcome = 'open'
    visit.leave = talk(visit, port)
  }

  function onSocial(event: MessageEvent<unknown>): void {
    const social = event.origin === ownOrigin ? SocialTicket.safeParse(event.data) : null
    if (!social?.success || !onSocialTicket(social.data)) return
    const taken: SocialTaken = { type: 'postern:social-taken', v: 1, flow: social.data.flow }
    event.source?.postMessage(taken, { targetOrigin: ownOrigin })
  }

  function talk(visit: Visit, given: MessagePort): () => void {
    const { purpose } = visit
    let stopTimer = () => {}
    let stopFollowing = () => {}
    let isOver = false
    const onGone = () => {
      stopTimer()
      stopTimer = clock.after(reloadTimeMs, () => close(visit))
    }

    const requests = serveRequests<WindowAsk, WindowAsk, WindowAnswer>({
      maxInFlight,
      maxRemembered: Number.POSITIVE_INFINITY,
      // Responses may carry shares, so they are not cached.
      replays: 'drop',
      cancelled: 'answer',
      accept: (ask) => async () => {
        const { id } = ask
        if (ask.name !== 'done') return { kind: 'answer', id, ok: true, payload: await service.answer(ask, purpose) }
        complete(visit)
        return { kind: 'answer', id, ok: true }
      },
      refused,
      failed: ({ id }, thrown) => refusal(id, toFailure(thrown)),
      post: (answer) => port.post(answer),
    })
    const port = openPort<WindowAsk | WindowBye, WindowAsk>({
      port: given,
      codec: { parse: (data) => WindowBye.safeParse(data).data ?? parseWindowAsk(data), parseHead: parseWindowAsk },
      onMessage: (message) => ('kind' in message ? onGone() : requests.receive(message)),
      onOversized: requests.receiveOversized,
      onClose: onGone,
    })
    service.context(purpose).then(
      (context) => {
        if (isOver) return
        port.post(context)
        stopFollowing = service.follow(purpose, port.post)
      },
      // The window then says how to retry.
      () => given.close(),
    )
    return () => {
      isOver = true
      stopTimer()
      stopFollowing()
      requests.end()
      // Chromium does not report a closed port to the other end.
      const bye: WindowBye = { kind: 'bye' }
      port.post(bye)
      port.close()
    }
  }

  function complete(visit: Visit): void {
    visit.outcome = 'done'
    for (const waiter of visit.waiting) waiter.resolve()
    visit.waiting.clear()
  }

  function close(visit: Visit): void {
    visit.leave()
    if (visit.outcome === 'done') return
    visit.outcome = 'closed'
    for (const waiter of visit.waiting) waiter.reject(new Failure('WINDOW_CLOSED'))
    visit.waiting.clear()
  }

  const stopHellos = acceptHellos({ window, checkHello, onAccepted })
  window.addEventListener('message', onSocial)
  // Rule 6.
  const closeAll = () => {
    for (const visit of visits.values()) close(visit)
  }
  window.addEventListener('pagehide', closeAll)
  return {
    uri(purpose) {
      const before = visits.get(purpose)
      if (before !== undefined) close(before)
      const ticket = randomSecret()
      visits.set(purpose, {
        purpose,
        ticket,
        expiresAt: clock.now() + ticketLife,
        outcome: 'open',
        leave: () => {},
        waiting: new Set(),
      })
      const query = new URLSearchParams({
        [windowUrlParameters.projectId]: projectId,
        [windowUrlParameters.purpose]: purpose,
        [windowUrlParameters.ticket]: ticket,
      })
      return `${ownOrigin}/window?${query}`
    },
    async finished(purpose, signal) {
      const visit = visits.get(purpose)
      if (visit === undefined || visit.outcome === 'closed') throw new Failure('WINDOW_CLOSED')
      if (visit.outcome === 'done') return
      await waitIn(visit.waiting, signal)
    },
    close(purpose) {
      const visit = visits.get(purpose)
      if (visit === undefined) return
      close(visit)
      visits.delete(purpose)
    },
    end() {
      stopHellos()
      window.removeEventListener('message', onSocial)
      window.removeEventListener('pagehide', closeAll)
      closeAll()
      visits.clear()
    },
  }
}

function refused({ id }: WindowAsk, code: ErrorCode): WindowAnswer {
  return refusal(id, new Failure(code))
}

function refusal(id: string, { code, message }: Failure): WindowAnswer {
  return { kind: 'answer', id, ok: false, code, message }
}
