import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { failure } from '../../shared/errors'
import { requestFailure } from '../../shared/failures'
import { testPort } from '../../testing/fakes'
import {
  crashCounterResetMs,
  dialogOf,
  frameReadyTimeoutMs,
  heartbeatMs,
  idleModal,
  type ModalCommand,
  type ModalEvent,
  type ModalState,
  type ModalTimer,
  maxLosses,
  publicPhase,
  reconnectGraceMs,
  reduceModal,
  unreachableTimeoutMs,
} from './machine'

const port = testPort()
const load: ModalEvent = { type: 'load' }
const knock: ModalEvent = { type: 'knock' }
const welcome: ModalEvent = { type: 'welcome', port }
const initialized: ModalEvent = { type: 'initialized', isOpen: false, isWaiting: false }
const visit: ModalEvent = { type: 'visit', id: 1 }
const leave: ModalEvent = { type: 'leave', id: 1 }
const dismiss: ModalEvent = { type: 'dismiss' }
const portClosed: ModalEvent = { type: 'portClosed' }
const frameRemoved: ModalEvent = { type: 'frameRemoved' }
const frameTimeout: ModalEvent = { type: 'frameTimeout' }
const request: ModalEvent = { type: 'request' }
const refused: ModalEvent = { type: 'fail', error: failure('UNAUTHORIZED'), foreign: 'https://other.example' }
const hostState = (isOpen: boolean): ModalEvent => ({ type: 'hostState', isOpen })
const heartbeat = (isWaiting: boolean): ModalEvent => ({ type: 'heartbeat', isWaiting })
const ready = [load, knock, welcome, initialized]
const lost = [portClosed, frameTimeout, welcome, initialized]

/** The state after these events, and the commands of the last one. */
function after(...events: readonly ModalEvent[]): { state: ModalState; commands: readonly ModalCommand[] } {
  let state = idleModal
  let commands: readonly ModalCommand[] = []
  for (const event of events) [state, commands] = reduceModal(state, event)
  return { state, commands }
}

const types = (commands: readonly ModalCommand[]) => commands.map(({ type }) => type)
const timersOf = (commands: readonly ModalCommand[]) =>
  commands.flatMap((command) => (command.type === 'startTimer' ? [[command.timer, command.delayMs]] : []))
const errorsOf = (commands: readonly ModalCommand[]) =>
  commands.flatMap((command) => (command.type === 'failRequests' ? [command.error.code] : []))

describe('1. starting a frame', () => {
  test('load starts one frame', () => {
    expect(types(after(load).commands)).toEqual(['closeAlert', 'startFrame', 'startTimer'])
    expect(publicPhase(after(load).state)).toBe('loading')
  })

  test.each([[[load]], [[load, welcome]], [ready]])('load changes nothing while there is a frame: %#', (events) => {
    const before = after(...events)
    expect(reduceModal(before.state, load)).toEqual([before.state, []])
  })

  test('a failed frame is removed, and the next load starts another one', () => {
    expect(types(after(load, refused).commands)).toContain('removeFrame')
    expect(types(after(load, refused, load).commands)).toContain('startFrame')
  })
})

describe('2. a frame that does not answer', () => {
  test('has the full timeout', () => {
    expect(timersOf(after(load).commands)).toEqual([['frameTimeout', frameReadyTimeoutMs]])
  })

  test('has a short one if the gateway cannot be reached', () => {
    const { commands } = after(load, { type: 'unreachable' })
    expect(timersOf(commands)).toEqual([['frameTimeout', unreachableTimeoutMs]])
  })

  test('fails after it', () => {
    const { state, commands } = after(load, frameTimeout)
    expect([state.phase, errorsOf(commands)]).toEqual(['failed', ['LOAD_FAILED']])
  })

  test('is not failed by a timeout of an earlier phase', () => {
    const { state } = after(...ready)
    expect(reduceModal(state, frameTimeout)).toEqual([state, []])
  })
})

describe('3. a frame that is lost', () => {
  test.each([portClosed, knock])('may come back before it is reloaded, after $type', (event) => {
    const { state, commands } = after(...ready, event)
    expect(types(commands)).toEqual(['stopTimers', 'detachLink', 'startTimer'])
    expect(timersOf(commands)).toEqual([['frameTimeout', reconnectGraceMs]])
    const reloaded = reduceModal(state, frameTimeout)
    expect(types(reloaded[1])).toEqual(['reloadFrame', 'startTimer'])
    expect(timersOf(reloaded[1])).toEqual([['frameTimeout', frameReadyTimeoutMs]])
    expect(reduceModal(reloaded[0], frameTimeout)[0]).toEqual({ phase: 'failed' })
  })

  test('is lost while it initializes, too', () => {
    expect(after(load, welcome, portClosed).state).toMatchObject({ phase: 'loading', waitsFor: 'reconnect' })
  })

  test('is reloaded at once after two heartbeats without an answer', () => {
    const { state, commands } = after(...ready, request, heartbeat(true), heartbeat(true))
    expect([state.phase, timersOf(commands)]).toEqual(['loading', [['frameTimeout', 0]]])
  })

  test('is replaced with the document, and visits show the outline again', () => {
    const { state, commands } = after(...ready, visit, frameRemoved)
    expect(types(commands)).toEqual(['stopTimers', 'detachLink', 'removeFrame', 'startFrame', 'startTimer'])
    expect(state).toMatchObject({ phase: 'loading', waitsFor: 'knock', losses: 1 })
    expect(dialogOf(state)).toBe('outline')
  })

  test('is not lost while it answers', () => {
    const beats = Array.from({ length: 5 }, () => [heartbeat(true), { type: 'pong' } as const]).flat()
    expect(after(...ready, request, ...beats).state.phase).toBe('ready')
  })

  test('is not lost by a knock while it loads', () => {
    const { state } = after(load)
    expect(reduceModal(state, knock)).toEqual([state, []])
  })
})

describe('4. losses in a row', () => {
  const losses = Array.from({ length: maxLosses }, () => lost).flat()

  test('fail after the last one that is allowed', () => {
    expect(after(...ready, ...losses).state.phase).toBe('ready')
    const { state, commands } = after(...ready, ...losses, portClosed)
    expect([state.phase, errorsOf(commands)]).toEqual(['failed', ['LOAD_FAILED']])
  })

  test('say so to a user who had the modal open, though nothing waits for it', () => {
    const open: ModalEvent = { type: 'hostState', isOpen: true }
    const { commands } = after(...ready, ...losses, open, portClosed)
    expect(commands[0]).toMatchObject({ type: 'showAlert', error: { code: 'LOAD_FAILED' }, wasOpen: true })
  })

  test('are counted from zero after a time without one', () => {
    expect(timersOf(after(...ready).commands)).toEqual([['crashCounterReset', crashCounterResetMs]])
    expect(after(...ready, ...losses, { type: 'crashCounterReset' }, portClosed).state.phase).toBe('loading')
  })
})

describe('5. failing', () => {
  test('alerts first, then leaves nothing and settles every request', () => {
    expect(after(...ready, visit, refused)).toEqual({
      state: { phase: 'failed' },
      commands: [
        { type: 'showAlert', error: failure('UNAUTHORIZED'), foreign: 'https://other.example' },
        { type: 'stopTimers' },
        { type: 'detachLink' },
        { type: 'removeFrame' },
        { type: 'suspendConnections' },
        { type: 'failRequests', error: failure('UNAUTHORIZED') },
      ],
    })
  })

  test('without a frame has none to remove', () => {
    expect(types(after(refused).commands)).toEqual(['showAlert', 'suspendConnections', 'failRequests'])
  })

  test('is forgotten by the next load', () => {
    expect(after(...ready, visit, portClosed, refused, load).state).toMatchObject({ losses: 0, visits: [] })
  })
})

describe('6. the dialog', () => {
  const dialogAfter = (...events: readonly ModalEvent[]) => dialogOf(after(...events).state)

  test('shows the outline for a visit before there is a host, until the host opens', () => {
    expect(dialogAfter(load)).toBe('closed')
    expect(dialogAfter(load, visit)).toBe('outline')
    expect(dialogAfter(load, visit, welcome, initialized)).toBe('outline')
    expect(dialogAfter(load, visit, welcome, initialized, hostState(true))).toBe('frame')
  })

  test('shows the frame at once if the host is ready', () => {
    expect(dialogAfter(...ready, visit)).toBe('frame')
  })

  test('closes when the host says so, though the visit still waits', () => {
    expect(dialogAfter(...ready, visit, hostState(true), hostState(false))).toBe('closed')
  })

  test('stays for a visit that came after the host opened', () => {
    expect(dialogAfter(...ready, hostState(true), visit, hostState(false))).toBe('frame')
  })

  test('closes with the last visit that waits', () => {
    const second: ModalEvent = { type: 'visit', id: 2 }
    expect(dialogAfter(load, visit, second, leave)).toBe('outline')
    expect(dialogAfter(load, visit, second, leave, { type: 'leave', id: 2 })).toBe('closed')
  })

  test('shows the outline again after a loss, without closing in between, until the new host opens', () => {
    const events = [...ready, visit, hostState(true), portClosed]
    expect(dialogAfter(...events)).toBe('outline')
    expect(dialogAfter(...events, welcome, initialized)).toBe('outline')
    expect(dialogAfter(...events, welcome, initialized, hostState(true))).toBe('frame')
  })

  test('closes after a loss if no visit waits', () => {
    expect(dialogAfter(...ready, hostState(true), portClosed)).toBe('closed')
  })
})

describe('6. an open modal that is lost with its frame', () => {
  test.each([[portClosed], [knock], [frameRemoved]])('comes back: %#', (loss) => {
    expect(types(after(...ready, hostState(true), loss).commands)).toContain('reopen')
  })

  test('does not if it was closed, or if a visit waits that opens it', () => {
    expect(types(after(...ready, portClosed).commands)).not.toContain('reopen')
    expect(types(after(...ready, hostState(true), hostState(false), portClosed).commands)).not.toContain('reopen')
    expect(types(after(...ready, visit, hostState(true), portClosed).commands)).not.toContain('reopen')
  })
})

describe('7. dismissing', () => {
  test('is decided by the host', () => {
    const { state } = after(...ready, visit)
    expect(reduceModal(state, dismiss)).toEqual([state, [{ type: 'dismissHost' }]])
  })

  test.each([[[load]], [[load, welcome]]])(
    'rejects the visits before there is a host, and goes on loading: %#',
    (events) => {
      const { state, commands } = after(...events, visit, dismiss)
      expect([publicPhase(state), dialogOf(state), types(commands)]).toEqual(['loading', 'closed', ['rejectVisits']])
    },
  )
})

describe('8. heartbeats', () => {
  test.each<[string, ModalEvent]>([
    ['a request', request],
    ['an open modal', hostState(true)],
  ])('begin with %s', (_, event) => {
    const { commands } = after(...ready, event)
    expect([types(commands), timersOf(commands)]).toEqual([['ping', 'startTimer'], [['heartbeat', heartbeatMs]]])
  })

  test('begin with a host for which a request waits', () => {
    const { commands } = after(load, welcome, { ...initialized, isWaiting: true })
    expect(types(commands)).toContain('ping')
  })

  test('run once at a time', () => {
    expect(types(after(...ready, request, request).commands)).toEqual([])
  })

  test('end when neither a request waits nor the modal is open', () => {
    const pong: ModalEvent = { type: 'pong' }
    const rested = after(...ready, request, pong, heartbeat(false))
    expect([rested.state, rested.commands]).toEqual([after(...ready).state, []])
    expect(types(after(...ready, hostState(true), pong, heartbeat(false)).commands)).toEqual(['ping', 'startTimer'])
  })

  test('do not run before the host is ready', () => {
    expect(types(after(load, welcome, request).commands)).toEqual([])
  })
})

test('9. destroying settles every request and leaves nothing', () => {
  const { state, commands } = after(...ready, { type: 'destroy' })
  expect(state).toEqual({ phase: 'destroyed' })
  expect(types(commands)).toEqual(['stopTimers', 'detachLink', 'removeFrame', 'failRequests'])
  expect(errorsOf(commands)).toEqual(['DESTROYED'])
})

test('10. an event that changes nothing returns the same object', () => {
  const states = [after(load), after(load, welcome), after(...ready), after(refused)].map(({ state }) => state)
  for (const state of states)
    for (const event of [
      hostState(false),
      { type: 'pong' } as const,
      { ...leave, id: 9 },
      { type: 'crashCounterReset' } as const,
    ])
      expect(reduceModal(state, event)[0]).toBe(state)
})

/** The page as the machine's commands leave it: timers that run, and unsettled requests. */
function createPage() {
  let state = idleModal
  const timers = new Set<ModalTimer>()
  const open = new Set<number>()
  let frames = 0
  let isAttached = false
  let lastId = 0

  function dispatch(event: ModalEvent): void {
    const [next, commands] = reduceModal(state, event)
    state = next
    for (const command of commands) execute(command)
  }

  function execute(command: ModalCommand): void {
    if (command.type === 'startFrame') frames += 1
    if (command.type === 'removeFrame') frames -= 1
    if (command.type === 'reloadFrame') expect(frames).toBe(1)
    if (command.type === 'attachLink') isAttached = true
    if (command.type === 'detachLink') isAttached = false
    if (command.type === 'startTimer') timers.add(command.timer)
    if (command.type === 'stopTimers') timers.clear()
    // A rejected call leaves; the link settles its requests in the same way.
    if (command.type === 'failRequests' || command.type === 'rejectVisits') open.clear()
  }

  return {
    get state() {
      return state
    },
    get frames() {
      return frames
    },
    get isAttached() {
      return isAttached
    },
    timers,
    open,
    dispatch,
    /** The public `open()`: its request needs the frame, then it is a visit. */
    callOpen() {
      if (state.phase === 'destroyed') return
      const id = ++lastId
      open.add(id)
      dispatch(load)
      dispatch({ type: 'request' })
      dispatch({ type: 'visit', id })
    },
    settleOpen() {
      for (const id of [...open].slice(0, 1)) {
        open.delete(id)
        dispatch({ type: 'leave', id })
      }
    },
    /** Only time passes: the timer that is due fires, and nothing else happens. */
    passTime(): boolean {
      const timer = (['heartbeat', 'frameTimeout', 'crashCounterReset'] as const).find((each) => timers.has(each))
      // The request `init` has a timeout of its own in the link.
      if (state.phase === 'initializing') dispatch({ type: 'fail', error: requestFailure('INTERNAL') })
      else if (timer === undefined) return false
      else {
        timers.delete(timer)
        dispatch(timer === 'heartbeat' ? { type: timer, isWaiting: open.size > 0 } : { type: timer })
      }
      return true
    },
  }
}

type Step = ModalEvent | { readonly type: 'open' } | { readonly type: 'settle' } | { readonly type: 'time' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.constantFrom<Step>(
    { type: 'open' },
    { type: 'settle' },
    { type: 'time' },
    load,
    knock,
    welcome,
    dismiss,
    portClosed,
    request,
    refused,
    { type: 'pong' },
    { type: 'unreachable' },
    frameRemoved,
  ),
  fc.record({ type: fc.constant('initialized' as const), isOpen: fc.boolean(), isWaiting: fc.boolean() }),
  fc.record({ type: fc.constant('hostState' as const), isOpen: fc.boolean() }),
)

function run(page: ReturnType<typeof createPage>, each: Step): void {
  if (each.type === 'open') page.callOpen()
  else if (each.type === 'settle') page.settleOpen()
  else if (each.type === 'time') page.passTime()
  else page.dispatch(each)
}

describe('any sequence of events', () => {
  // Random single events rarely reach a ready frame or many losses.
  const burst = fc.oneof(
    step.map((each) => [each]),
    fc.constantFrom<Step[]>(ready, lost),
  )
  const steps = fc.array(burst, { maxLength: 40 }).map((bursts) => bursts.flat())

  test('1., 4. there are never two frames, a link only with a frame, and losses are bounded', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const page = createPage()
        for (const each of all) {
          run(page, each)
          const isLive = ['loading', 'initializing', 'ready'].includes(page.state.phase)
          expect(page.frames).toBe(isLive ? 1 : 0)
          expect(page.isAttached).toBe(page.state.phase === 'initializing' || page.state.phase === 'ready')
          if ('losses' in page.state) expect(page.state.losses).toBeLessThanOrEqual(maxLosses)
          if (!isLive) expect(page.timers.size).toBe(0)
        }
      }),
    )
  })

  test('2., 3., 5. open() always settles, even if only time passes', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const page = createPage()
        for (const each of [...all, { type: 'open' } as const]) run(page, each)
        let ticks = 0
        while (page.open.size > 0 && ticks++ < 50) expect(page.passTime()).toBe(true)
        expect(page.open.size).toBe(0)
        expect(dialogOf(page.state)).toBe('closed')
      }),
    )
  })

  test('9. `destroyed` is final', () => {
    fc.assert(
      fc.property(steps, steps, (before, later) => {
        const page = createPage()
        for (const each of before) run(page, each)
        page.dispatch({ type: 'destroy' })
        const { state } = page
        for (const each of later) run(page, each)
        expect(page.state).toBe(state)
        expect([page.frames, page.timers.size, page.open.size, page.isAttached]).toEqual([0, 0, 0, false])
      }),
    )
  })
})
