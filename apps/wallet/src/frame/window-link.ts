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

/** What answers the window. `done` is answered by the link. */
export type WindowService = {
  context(purpose: WalletWindowPurpose): Promise<WindowContext>
  answer(ask: WindowAsk, purpose: WalletWindowPurpose): Promise<unknown>
}

export type WindowLink = {
  /** A new ticket, and the address of the window that may use it. */
  uri(purpose: WalletWindowPurpose): string
  /** Settles once the window of the newest ticket did what it was for. @throws {Failure} WINDOW_CLOSED */
  finished(purpose: WalletWindowPurpose, signal: AbortSignal): Promise<void>
  end(): void
}

export type WindowLinkOptions = {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener'>
  /** This frame's own: what comes from anywhere else is nothing. */
  readonly ownOrigin: string
  readonly projectId: string
  readonly clock: Clock
  readonly randomSecret: () => string
  readonly service: WindowService
  readonly toFailure: (thrown: unknown) => Failure
  /** A ticket of a social's page; whether it was wanted. */
  readonly onSocialTicket: (ticket: SocialTicket) => boolean
}

/** Ms that an address of the window can be used. */
export const ticketLife = 10 * 60_000
/** Ms that a window which went may take to come back: it was reloaded. */
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
 * The frame's side of the wallet's own window, and of the page at the end of a social sign-in.
 *
 * 1. Messages count only when the browser says that they come from this frame's own origin. Everything else is left alone, and its ports are closed.
 * 2. A window is taken in only for this frame's project, and with a ticket that this frame gave out for that purpose within the last ten minutes. A later ticket of the purpose
 *    ends the earlier one.
 * 3. One window a ticket: a second hello, as after a reload, takes the place of the first.
 * 4. Each ask is answered once; one of another purpose's kind is refused by the service.
 * 5. A window that goes without `done` is WINDOW_CLOSED for whoever waits, unless it comes back at once.
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
      // The window has no word for it but that nobody answers: it says so, and how to try again.
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
