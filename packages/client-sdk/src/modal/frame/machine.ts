import type { LinkPort } from '../../link/link'
import { failure, type PosternError } from '../../shared/errors'
import type { Snapshot } from '../../types/index'

/** A loading frame must answer within this time (spec §9). */
export const frameReadyTimeoutMs = 20_000
/** Once the gateway is unreachable too. */
export const unreachableTimeoutMs = 3_000
/** A lost frame may reconnect for this long, before it is reloaded. */
export const reconnectGraceMs = 2_000
export const maxLosses = 3
export const crashCounterResetMs = 60_000
export const heartbeatMs = 2_000
const maxMissedHeartbeats = 2

/**
 * A call that the user started (`open`, `connect`, `pay`).
 * Until the host opens its modal, the dialog shows the outline if the host was not ready, else the frame.
 */
type Visit = { readonly id: number; readonly shows: 'outline' | 'frame' | 'nothing' }

type WithFrame = {
  readonly losses: number
  readonly visits: readonly Visit[]
  readonly isOpen: boolean
}

type Loading = WithFrame & { readonly phase: 'loading'; readonly waitsFor: 'knock' | 'reconnect' }
type Initializing = WithFrame & { readonly phase: 'initializing' }
type Ready = WithFrame & {
  readonly phase: 'ready'
  /** Null while the host is not pinged. */
  readonly missedHeartbeats: number | null
}
type Live = Loading | Initializing | Ready

export type ModalState = { readonly phase: 'idle' | 'failed' | 'destroyed' } | Live

export type ModalEvent =
  | { readonly type: 'load' }
  | { readonly type: 'knock' }
  | { readonly type: 'welcome'; readonly port: LinkPort }
  | { readonly type: 'initialized'; readonly isOpen: boolean; readonly isWaiting: boolean }
  | { readonly type: 'hostState'; readonly isOpen: boolean }
  | { readonly type: 'request' }
  | { readonly type: 'visit'; readonly id: number }
  | { readonly type: 'leave'; readonly id: number }
  | { readonly type: 'dismiss' }
  | { readonly type: 'pong' }
  | { readonly type: 'portClosed' }
  | { readonly type: 'unreachable' }
  | { readonly type: 'frameRemoved' }
  | { readonly type: 'frameTimeout' }
  | { readonly type: 'heartbeat'; readonly isWaiting: boolean }
  | { readonly type: 'crashCounterReset' }
  | Failure
  | { readonly type: 'destroy' }

type Failure = { readonly type: 'fail'; readonly error: PosternError; readonly foreign?: string }

/** Fires the event of its name once. Entering another phase stops all. */
export type ModalTimer = 'frameTimeout' | 'heartbeat' | 'crashCounterReset'

export type ModalCommand =
  | { readonly type: 'startFrame' | 'reloadFrame' | 'removeFrame' }
  | { readonly type: 'attachLink'; readonly port: LinkPort }
  | { readonly type: 'detachLink' }
  | { readonly type: 'startTimer'; readonly timer: ModalTimer; readonly delayMs: number }
  | { readonly type: 'stopTimers' }
  | { readonly type: 'ping' | 'dismissHost' | 'rejectVisits' }
  | { readonly type: 'reopen' }
  /** Only if a user waits, and before the requests settle. */
  /** `wasOpen`: the user sees the modal close. */
  | { readonly type: 'showAlert'; readonly error: PosternError; readonly foreign?: string; readonly wasOpen?: true }
  | { readonly type: 'closeAlert' }
  | { readonly type: 'suspendConnections' }
  | { readonly type: 'failRequests'; readonly error: PosternError }

type Step = readonly [state: ModalState, commands: readonly ModalCommand[]]

export const idleModal: ModalState = { phase: 'idle' }

/**
 * The states of the frame, the link to it and the dialog around it.
 *
 * 1. Only `load` starts a frame. There are never two: a frame is reloaded, or removed first.
 * 2. A frame without a welcome fails after {@link frameReadyTimeoutMs}; if the gateway is unreachable, after {@link
 *    unreachableTimeoutMs}.
 * 3. A frame is lost if its port closes, if it knocks again, or after {@link maxMissedHeartbeats} unanswered
 *    heartbeats. It is reloaded, in the first two cases after {@link reconnectGraceMs}. A page that replaces its
 *    document (`document.open`), or keeps removing the frame, gets a new one.
 * 4. More than {@link maxLosses} losses in a row fail. {@link crashCounterResetMs} without a loss reset the count.
 * 5. `fail` settles every request, suspends unconfirmed connections, and leaves no frame, timer or link.
 * 6. The dialog shows while the host says so, or for a visit until the host opens its modal. After a loss, waiting
 *    visits show the outline again. A lost modal opens again, unless a visit waits or it showed an approval.
 * 7. The host decides about `dismiss`; before it is ready, `dismiss` rejects the visits.
 * 8. The host is pinged while it is ready and a request waits or its modal is open.
 * 9. `destroy` is final: it settles every request.
 * 10. An event that changes nothing returns the same object.
 */
export function reduceModal(state: ModalState, event: ModalEvent): Step {
  if (state.phase === 'destroyed') return [state, []]
  switch (event.type) {
    case 'fail':
      return fail(state, event)
    case 'destroy':
      return [{ phase: 'destroyed' }, [...end(state), { type: 'failRequests', error: failure('DESTROYED') }]]
    case 'load':
      return isLive(state) ? [state, []] : load()
    default:
      return isLive(state) ? reduceLive(state, event) : [state, []]
  }
}

function load(): Step {
  return [
    { phase: 'loading', waitsFor: 'knock', losses: 0, visits: [], isOpen: false },
    [{ type: 'closeAlert' }, { type: 'startFrame' }, startTimer('frameTimeout', frameReadyTimeoutMs)],
  ]
}

type LiveEvent = Exclude<ModalEvent, { type: 'load' | 'fail' | 'destroy' }>

function reduceLive(state: Live, event: LiveEvent): Step {
  switch (event.type) {
    case 'visit':
      return [{ ...state, visits: [...state.visits, startVisit(state, event.id)] }, []]
    case 'leave': {
      const visits = state.visits.filter(({ id }) => id !== event.id)
      return visits.length === state.visits.length ? [state, []] : [{ ...state, visits }, []]
    }
    case 'dismiss':
      if (state.phase === 'ready') return [state, [{ type: 'dismissHost' }]]
      return [state.visits.length === 0 ? state : { ...state, visits: [] }, [{ type: 'rejectVisits' }]]
    case 'knock':
    case 'portClosed':
      return state.phase === 'loading' ? [state, []] : lose(state, reconnectGraceMs)
    case 'frameRemoved':
      return replaceFrame(state)
    default:
      if (state.phase === 'loading') return reduceLoading(state, event)
      return state.phase === 'ready' ? reduceReady(state, event) : reduceInitializing(state, event)
  }
}

type PhaseEvent = Exclude<LiveEvent, { type: 'visit' | 'leave' | 'dismiss' | 'knock' | 'portClosed' | 'frameRemoved' }>

function reduceLoading(state: Loading, event: PhaseEvent): Step {
  switch (event.type) {
    case 'welcome': {
      const { losses, visits, isOpen } = state
      return [
        { phase: 'initializing', losses, visits, isOpen },
        [{ type: 'stopTimers' }, { type: 'attachLink', port: event.port }],
      ]
    }
    case 'unreachable':
      return [waitForKnock(state), [startTimer('frameTimeout', unreachableTimeoutMs)]]
    case 'frameTimeout':
      if (state.waitsFor === 'knock') return fail(state, { type: 'fail', error: failure('LOAD_FAILED') })
      return [waitForKnock(state), [{ type: 'reloadFrame' }, startTimer('frameTimeout', frameReadyTimeoutMs)]]
    default:
      return [state, []]
  }
}

function reduceInitializing(state: Initializing, event: PhaseEvent): Step {
  switch (event.type) {
    case 'hostState':
      return [takeHostState(state, event.isOpen), []]
    case 'initialized': {
      const ready: Ready = { ...takeHostState(state, event.isOpen), phase: 'ready', missedHeartbeats: null }
      const [next, commands] = startHeartbeat(ready, event.isWaiting)
      return [next, [...commands, startTimer('crashCounterReset', crashCounterResetMs)]]
    }
    default:
      return [state, []]
  }
}

function reduceReady(state: Ready, event: PhaseEvent): Step {
  switch (event.type) {
    case 'hostState':
      return startHeartbeat(takeHostState(state, event.isOpen), false)
    case 'request':
      return startHeartbeat(state, true)
    case 'pong':
      return state.missedHeartbeats ? [{ ...state, missedHeartbeats: 0 }, []] : [state, []]
    case 'heartbeat':
      return reduceHeartbeat(state, event.isWaiting)
    case 'crashCounterReset':
      return state.losses === 0 ? [state, []] : [{ ...state, losses: 0 }, []]
    default:
      return [state, []]
  }
}

/** Two misses: a page that was frozen may run its timers before it receives its messages. */
function reduceHeartbeat(state: Ready, isWaiting: boolean): Step {
  if (state.missedHeartbeats === null) return [state, []]
  const missedHeartbeats = state.missedHeartbeats + 1
  if (missedHeartbeats >= maxMissedHeartbeats) return lose(state, 0)
  if (!state.isOpen && !isWaiting) return [{ ...state, missedHeartbeats: null }, []]
  return [{ ...state, missedHeartbeats }, ping]
}

function startHeartbeat(state: Ready, isWaiting: boolean): Step {
  if (state.missedHeartbeats !== null || !(isWaiting || state.isOpen)) return [state, []]
  return [{ ...state, missedHeartbeats: 0 }, ping]
}

function takeHostState<S extends Live>(state: S, isOpen: boolean): S {
  const isSeen = isOpen && state.visits.some(({ shows }) => shows !== 'nothing')
  if (isOpen === state.isOpen && !isSeen) return state
  return { ...state, isOpen, visits: isSeen ? state.visits.map(({ id }) => ({ id, shows: 'nothing' })) : state.visits }
}

function startVisit(state: Live, id: number): Visit {
  return { id, shows: state.phase === 'ready' ? 'frame' : 'outline' }
}

function waitForKnock(state: Loading): Loading {
  return state.waitsFor === 'knock' ? state : { ...state, waitsFor: 'knock' }
}

function lose(state: Initializing | Ready, graceMs: number): Step {
  return afterLoss(state, 'reconnect', [startTimer('frameTimeout', graceMs)])
}

function replaceFrame(state: Live): Step {
  return afterLoss(state, 'knock', [
    { type: 'removeFrame' },
    { type: 'startFrame' },
    startTimer('frameTimeout', frameReadyTimeoutMs),
  ])
}

function afterLoss(state: Live, waitsFor: Loading['waitsFor'], commands: readonly ModalCommand[]): Step {
  const losses = state.losses + 1
  if (losses > maxLosses) return fail(state, { type: 'fail', error: failure('LOAD_FAILED') })
  const visits = state.visits.map(({ id }): Visit => ({ id, shows: 'outline' }))
  const reopen: readonly ModalCommand[] = state.isOpen && visits.length === 0 ? [{ type: 'reopen' }] : []
  return [
    { phase: 'loading', waitsFor, losses, visits, isOpen: false },
    [{ type: 'stopTimers' }, { type: 'detachLink' }, ...commands, ...reopen],
  ]
}

function fail(state: ModalState, { error, foreign }: Failure): Step {
  const wasOpen = isLive(state) && state.isOpen
  const alert = {
    type: 'showAlert',
    error,
    ...(foreign !== undefined && { foreign }),
    ...(wasOpen && { wasOpen }),
  } as const
  return [{ phase: 'failed' }, [alert, ...end(state), { type: 'suspendConnections' }, { type: 'failRequests', error }]]
}

function end(state: ModalState): readonly ModalCommand[] {
  return isLive(state) ? [{ type: 'stopTimers' }, { type: 'detachLink' }, { type: 'removeFrame' }] : []
}

function startTimer(timer: ModalTimer, delayMs: number): ModalCommand {
  return { type: 'startTimer', timer, delayMs }
}

const ping: readonly ModalCommand[] = [{ type: 'ping' }, startTimer('heartbeat', heartbeatMs)]

function isLive(state: ModalState): state is Live {
  return state.phase === 'loading' || state.phase === 'initializing' || state.phase === 'ready'
}

export function dialogOf(state: ModalState): 'closed' | 'outline' | 'frame' {
  if (!isLive(state)) return 'closed'
  if (state.isOpen) return 'frame'
  const shown = new Set(state.visits.map(({ shows }) => shows))
  return shown.has('outline') ? 'outline' : shown.has('frame') ? 'frame' : 'closed'
}

export function publicPhase(state: ModalState): Snapshot['phase'] {
  if (state.phase === 'destroyed') return 'idle'
  return state.phase === 'initializing' ? 'loading' : state.phase
}
