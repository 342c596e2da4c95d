/**
 * Runs the window from opening to closing.
 *
 * 1. Every state has a view: searching for the frame, severed from it, frame gone, a failure with a retry, success.
 * 2. The frame gets `done` only after success; a window closed earlier is aborted. Success is shown even if the frame
 *    is gone.
 * 3. After success the window closes automatically; if it may not, the button stays.
 */
import { errors } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { FlowEnd } from './flow'
import { type Found, type FrameLink, Unanswered } from './frame-link'
import type { Machine } from './machine'
import type { Say } from './say'

const successShownMs = 1500

export type SessionState =
  | { readonly step: 'looking'; readonly link: null }
  | { readonly step: 'ended'; readonly how: 'severed' | 'lost' | 'unanswered'; readonly link: FrameLink | null }
  | { readonly step: 'open'; readonly link: FrameLink; readonly attempt: number }
  | {
      readonly step: 'failed'
      readonly link: FrameLink
      readonly attempt: number
      readonly title: string
      readonly text: string
    }
  | { readonly step: 'done'; readonly link: FrameLink; readonly sentence: string }

export type SessionEvent =
  | { readonly type: 'found'; readonly link: FrameLink }
  | { readonly type: 'ended'; readonly how: 'severed' | 'lost' | 'unanswered' }
  | { readonly type: 'failed'; readonly title: string; readonly text: string }
  | { readonly type: 'retried' }
  | { readonly type: 'finished'; readonly sentence: string }

function reduceSession(state: SessionState, event: SessionEvent): SessionState {
  switch (event.type) {
    case 'found':
      return { step: 'open', link: event.link, attempt: 1 }
    case 'ended':
      return { step: 'ended', how: event.how, link: state.link }
    case 'failed':
      return state.step === 'open' ? { ...state, step: 'failed', title: event.title, text: event.text } : state
    case 'retried':
      return state.step === 'failed' ? { step: 'open', link: state.link, attempt: state.attempt + 1 } : state
    case 'finished':
      return state.step === 'open' ? { step: 'done', link: state.link, sentence: event.sentence } : state
  }
}

export type SessionGiven = {
  readonly say: Say
  readonly find: () => Promise<Found>
  readonly found: (link: FrameLink) => void
  readonly wait: (milliseconds: number) => Promise<void>
  readonly close: () => void
}

export type SessionActions = {
  readonly start: () => void
  readonly finish: (link: FrameLink, sentence: string) => void
  readonly fail: (cause: unknown) => void
  readonly retry: () => void
  readonly leave: (link: FrameLink | null) => void
}

export const session: Machine<SessionGiven, SessionState, SessionEvent, SessionActions> = {
  begin: () => ({ step: 'looking', link: null }),
  reduce: reduceSession,
  createActions({ say, find, found, wait, close }, dispatch) {
    return { start: () => void start(), finish: (...given) => void finish(...given), fail, retry, leave }

    async function start(): Promise<void> {
      const result = await find()
      if ('failure' in result) return dispatch({ type: 'ended', how: result.failure })
      found(result.link)
      dispatch({ type: 'found', link: result.link })
    }

    async function finish(link: FrameLink, sentence: string): Promise<void> {
      try {
        await link.ask('done', null).catch(unlessLost)
        dispatch({ type: 'finished', sentence })
        await wait(successShownMs)
        leave(link)
      } catch (cause) {
        fail(cause)
      }
    }

    function fail(cause: unknown): void {
      if (isLost(cause)) dispatch({ type: 'ended', how: 'lost' })
      else if (cause instanceof Unanswered) dispatch({ type: 'ended', how: 'unanswered' })
      else dispatch({ type: 'failed', ...wordsOf(cause, say) })
    }

    function retry(): void {
      dispatch({ type: 'retried' })
    }

    function leave(link: FrameLink | null): void {
      link?.end()
      close()
    }
  },
}

/** Rule 2: a page may reload right after the change. */
function unlessLost(cause: unknown): void {
  if (!isLost(cause)) throw cause
}

const isLost = (cause: unknown): boolean => cause instanceof Failure && cause.code === 'LINK_CLOSED'

/** Errors outside the catalogue show no details. */
function wordsOf(cause: unknown, say: Say): { readonly title: string; readonly text: string } {
  if (cause instanceof FlowEnd) return { title: say(cause.title), text: say(cause.text) }
  if (!(cause instanceof Failure)) return { title: say('failed.title'), text: errors.SOMETHING_WENT_WRONG.message }
  return cause.code === 'UNAUTHORIZED'
    ? { title: say('signedOut.title'), text: say('signedOut.text') }
    : { title: say('failed.title'), text: cause.message }
}
