import type { WalletWindowPurpose } from '@postern/protocol'
import type { Clock } from '@postern/protocol/clock'
import { Failure } from '@postern/protocol/failure'
import {
  parseWindowAsk,
  type SocialTaken,
  SocialTicket,
  type WindowAnswer,
  type WindowAsk,
  WindowBye,
  type WindowContext,
  WindowHello,
  windowUrlParameters,
} from '../window-messages'

/** Handles the window's requests, except `done`. */
export type WindowService = {
  context(purpose: WalletWindowPurpose): Promise<WindowContext>
  answer(ask: WindowAsk, purpose: WalletWindowPurpose): Promise<unknown>
}

export type WindowLink = {
  /** The window's URL, with a new ticket. */
  uri(purpose: WalletWindowPurpose): string
  /** For the newest ticket. @throws {Failure} WINDOW_CLOSED */
  finished(purpose: WalletWindowPurpose, signal: AbortSignal): Promise<void>
  end(): void
}

export type WindowLinkOptions = {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener'>
  /** Messages from other origins are ignored. */
  readonly ownOrigin: string
  readonly projectId: string
  readonly clock: Clock
  readonly randomSecret: () => string
  readonly service: WindowService
  readonly toFailure: (thrown: unknown) => Failure
  /** Returns whether the ticket was expected. */
  readonly onSocialTicket: (ticket: SocialTicket) => boolean
}

/** How long a window URL is valid, in ms. */
export const ticketLife = 10 * 60_000
/** How long a reloaded window may take to come back, in ms. */
const reloadTime = 2_000

type Visit = {
  readonly purpose: WalletWindowPurpose
  readonly ticket: string
  readonly expiresAt: number
  outcome: 'open' | 'done' | 'closed'
  leave: () => void
  readonly waiting: Set<{ resolve(): void; reject(reason: unknown): void }>
}

/**
 * The frame's side of the wallet window, and of the page at the end of a social sign-in.
 *
 * 1. Only messages from this frame's own origin, as the browser reports it, are handled. Others are ignored and their
 *    ports closed.
 * 2. A window is accepted only for this frame's project, with a ticket issued for its purpose within the last ten
 *    minutes. A later ticket for the purpose invalidates the earlier one.
 * 3. One window per ticket: a second hello, as after a reload, replaces the first.
 * 4. Each request gets one response; the service rejects one that the purpose does not allow.
 * 5. A window that goes away without `done` is WINDOW_CLOSED, unless it comes back quickly.
 */
export function createWindowLink(options: WindowLinkOptions): WindowLink {
  const { window, ownOrigin, projectId, clock, randomSecret, service, toFailure, onSocialTicket } = options
  const visits = new Map<WalletWindowPurpose, Visit>()

  const onMessage = (event: MessageEvent<unknown>) => {
    const hello = WindowHello.safeParse(event.data)
    if (hello.success) return onHello(event, hello.data)
    const social = event.origin === ownOrigin ? SocialTicket.safeParse(event.data) : null
    if (!social?.success || !onSocialTicket(social.data)) return
    const taken: SocialTaken = { type: 'postern:social-taken', v: 1, flow: social.data.flow }
    event.source?.postMessage(taken, { targetOrigin: ownOrigin })
  }

  function onHello(event: MessageEvent<unknown>, hello: WindowHello) {
    const [port, ...surplus] = event.ports
    const visit = visits.get(hello.purpose)
    const isWanted =
      event.origin === ownOrigin &&
      hello.projectId === projectId &&
      surplus.length === 0 &&
      visit?.ticket === hello.ticket &&
      visit.outcome !== 'done' &&
      visit.expiresAt > clock.now()
    if (port === undefined || visit === undefined || !isWanted) {
      for (const stray of event.ports) stray.close()
      return
    }
    visit.leave()
    visit.outcome = 'open'
    visit.leave = talk(visit, port)
  }

  function talk(visit: Visit, port: MessagePort): () => void {
    const { purpose } = visit
    let gone = () => {}
    const answered = new Set<string>()

    const onPortMessage = ({ data }: MessageEvent<unknown>) => {
      if (WindowBye.safeParse(data).success) return onGone()
      const ask = parseWindowAsk(data)
      if (ask === null || answered.has(ask.id)) return
      answered.add(ask.id)
      void answer(ask).then((message) => port.postMessage(message))
    }
    const onGone = () => {
      gone()
      gone = clock.after(reloadTime, () => close(visit))
    }

    async function answer(ask: WindowAsk): Promise<WindowAnswer> {
      const { id } = ask
      try {
        if (ask.name === 'done') {
          settle(visit)
          return { kind: 'answer', id, ok: true }
        }
        return { kind: 'answer', id, ok: true, payload: await service.answer(ask, purpose) }
      } catch (thrown) {
        const { code, message } = toFailure(thrown)
        return { kind: 'answer', id, ok: false, code, message }
      }
    }

    port.addEventListener('message', onPortMessage)
    port.addEventListener('close', onGone)
    port.start()
    service.context(purpose).then(
      (context) => port.postMessage(context),
      // The window then shows that it got no response and how to retry.
      () => port.close(),
    )
    return () => {
      gone()
      port.removeEventListener('message', onPortMessage)
      port.removeEventListener('close', onGone)
      port.close()
    }
  }

  function settle(visit: Visit): void {
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

  window.addEventListener('message', onMessage)
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
      await new Promise<void>((resolve, reject) => {
        const waiter = { resolve, reject }
        visit.waiting.add(waiter)
        const onAbort = () => {
          visit.waiting.delete(waiter)
          reject(signal.reason)
        }
        if (signal.aborted) onAbort()
        signal.addEventListener('abort', onAbort, { once: true })
      })
    },
    end() {
      window.removeEventListener('message', onMessage)
      for (const visit of visits.values()) close(visit)
      visits.clear()
    },
  }
}
