import type { ApprovalRequest } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SentOutcome } from '../snapshot/contract'
import {
  type ApprovalsCommand,
  type ApprovalsEvent,
  type ApprovalsState,
  confirmedHoldMs,
  drawnApproval,
  failedHoldMs,
  noApprovals,
  reduceApprovals,
  sentHoldMs,
} from './approvals-machine'

const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const hash = `0x${'12'.repeat(32)}`

function request(id: string, changes: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    id,
    method: 'eth_sendTransaction',
    networkId: 'eip155:1',
    origin: 'https://dapp.example',
    digest: 'ab'.repeat(32),
    subject: {
      kind: 'eip155.transaction',
      from,
      nonce: '0',
      call: { to: from, value: '1', data: '0x' },
      fees: { gas: '21000' },
      unsigned: '0x02',
    },
    ...changes,
  }
}

const start = (id: string): ApprovalsEvent => ({ type: 'started', id, asker: null })
const ask = (id: string, changes?: Partial<ApprovalRequest>): ApprovalsEvent => ({
  type: 'requested',
  request: request(id, changes),
  isModalOpen: false,
})
const opened: ApprovalsEvent = { type: 'opened', key: 7 }
const approve = (id: string): ApprovalsEvent => ({ type: 'approved', id })
const reject = (id: string): ApprovalsEvent => ({ type: 'reject', id })
const rejectAll: ApprovalsEvent = { type: 'rejectAll' }
const succeed = (id: string, result: unknown = hash): ApprovalsEvent => ({ type: 'succeeded', id, result })
const fail = (id: string, code: Failure['code'] = 'INSUFFICIENT_FUNDS'): ApprovalsEvent => ({
  type: 'failed',
  id,
  failure: new Failure(code),
})
const timeout = (id: string): ApprovalsEvent => ({ type: 'timeout', id })
const end = (id: string, outcome: SentOutcome): ApprovalsEvent => ({ type: 'ended', id, ended: { outcome, hash } })
const asked = (id: string) => [start(id), ask(id), opened]
const sent = (id: string) => [...asked(id), approve(id), succeed(id)]

/** The state after these events, and the commands of the last one. */
function after(...events: readonly ApprovalsEvent[]): { state: ApprovalsState; commands: readonly ApprovalsCommand[] } {
  let state = noApprovals
  let commands: readonly ApprovalsCommand[] = []
  for (const event of events) [state, commands] = reduceApprovals(state, event)
  return { state, commands }
}

const types = (commands: readonly ApprovalsCommand[]) => commands.map(({ type }) => type)
const shown = ({ shown }: ApprovalsState) =>
  shown.map(({ approval }) => `${approval.request.id} ${approval.status.kind}`)
const delays = (commands: readonly ApprovalsCommand[]) =>
  commands.flatMap((command) => (command.type === 'startTimer' ? [command.delayMs] : []))

describe('reduceApprovals', () => {
  it('1. shows requests in order of arrival, each once', () => {
    const { state } = after(...asked('a'), ...asked('b'), ask('a', { digest: 'cd'.repeat(32) }))
    expect(shown(state)).toEqual(['a waiting', 'b waiting'])
    expect(state.shown[0]?.approval.request.digest).toBe('ab'.repeat(32))
  })

  it('1. approves a waiting request once', () => {
    const { state, commands } = after(...asked('a'), approve('a'))
    expect([shown(state), types(commands)]).toEqual([['a signing'], []])
    expect(reduceApprovals(state, approve('a'))).toEqual([state, []])
  })

  it('1. does not approve a blocked request', () => {
    const { state } = after(start('a'), ask('a', { blocked: 'DOMAIN_MISMATCH' }))
    expect(reduceApprovals(state, approve('a'))).toEqual([state, []])
  })

  describe('9. a request that no network let prepare', () => {
    const unprepared = [
      start('a'),
      ask('a', { blocked: 'NETWORK_UNREACHABLE', subject: { kind: 'unprepared', sends: true } }),
      opened,
    ]

    it('opens the modal, and is shown as any other once it is prepared', () => {
      expect(reduceApprovals(after(...unprepared).state, approve('a'))[1]).toEqual([])
      const prepared = after(...unprepared, ask('a'))
      expect(prepared.commands).toEqual([])
      expect(prepared.state.shown[0]?.approval.request).toEqual(request('a'))
      expect(shown(after(...unprepared, ask('a'), approve('a')).state)).toEqual(['a signing'])
      expect(types(after(...unprepared, ask('a'), approve('a'), succeed('a')).commands)).toContain('follow')
    })

    it('says why it failed, unless the user declined it or the dapp gave up', () => {
      expect(shown(after(...unprepared, fail('a')).state)).toEqual(['a failed'])
      for (const code of ['USER_REJECTED', 'ABORTED'] as const)
        expect(after(...unprepared, fail('a', code)).commands.at(-1)).toEqual({ type: 'closeModal', key: 7 })
    })
  })

  it('2. opens a closed modal, and closes it after the last request', () => {
    expect(types(after(start('a'), ask('a')).commands)).toEqual(['openModal'])
    expect(after(...asked('a'), reject('a')).commands.at(-1)).toEqual({ type: 'closeModal', key: 7 })
    expect(types(after(...asked('a'), ...asked('b'), reject('a')).commands)).toEqual(['refuse', 'release'])
  })

  it('2. leaves an open modal alone', () => {
    const requested: ApprovalsEvent = { type: 'requested', request: request('a'), isModalOpen: true }
    expect(types(after(start('a'), requested).commands)).toEqual([])
    expect(types(after(start('a'), requested, reject('a')).commands)).toEqual(['refuse', 'release'])
  })

  it('3. rejectAll rejects waiting and prepared requests, and lets approved ones finish', () => {
    const { state, commands } = after(...asked('a'), approve('a'), ...asked('b'), start('c'), rejectAll)
    expect(state.shown).toEqual([])
    expect(commands).toMatchObject([
      { type: 'refuse', id: 'b' },
      { type: 'abort', id: 'c', failure: { code: 'USER_REJECTED' } },
      { type: 'release', id: 'a' },
      { type: 'release', id: 'b' },
    ])
    expect(types(reduceApprovals(state, rejectAll)[1])).toEqual(['abort', 'abort'])
    expect(types(reduceApprovals(state, succeed('a'))[1])).toEqual(['follow'])
  })

  it('4. shows a failure for a moment', () => {
    const { state, commands } = after(...asked('a'), approve('a'), fail('a'))
    expect([shown(state), delays(commands)]).toEqual([['a failed'], [failedHoldMs]])
    expect(shown(reduceApprovals(state, timeout('a'))[0])).toEqual([])
  })

  it.each(['USER_REJECTED', 'ABORTED', 'LINK_CLOSED'] as const)('4. dismisses a request that ends with %s', (code) => {
    expect(shown(after(...asked('a'), approve('a'), fail('a', code)).state)).toEqual([])
  })

  it('4. dismisses what failed before it was approved, and a signature', () => {
    expect(shown(after(...asked('a'), fail('a')).state)).toEqual([])
    expect(shown(after(...asked('a'), approve('a'), succeed('a', '0xsigned')).state)).toEqual([])
  })

  it('5. shows that the frame cannot draw a request, and settles it', () => {
    const undrawn: ApprovalsEvent = { type: 'drawingFailed', id: 'a', failure: new Failure('IFRAME_LOAD_FAILED') }
    const { state, commands } = after(...asked('a'), undrawn)
    expect([shown(state), types(commands)]).toEqual([['a failed'], ['startTimer', 'abort']])
    expect(shown(reduceApprovals(state, fail('a', 'IFRAME_LOAD_FAILED'))[0])).toEqual(['a failed'])
    const { state: signing } = after(...asked('a'), approve('a'))
    expect(reduceApprovals(signing, undrawn)).toEqual([signing, []])
  })

  it('5. the frame draws the first request, waiting or approved', () => {
    expect(drawnApproval(noApprovals)).toBeNull()
    expect(drawnApproval(after(...asked('a'), ...asked('b')).state)?.request.id).toBe('a')
    expect(drawnApproval(after(...asked('a'), approve('a')).state)?.request.id).toBe('a')
    expect(drawnApproval(after(...sent('a'), ...asked('b')).state)).toBeNull()
    expect(drawnApproval(after(...asked('a'), ...asked('b'), reject('a')).state)?.request.id).toBe('b')
  })

  it('4. the frame withdraws only what waits', () => {
    expect(shown(after(...asked('a'), { type: 'withdrawn', id: 'a' }).state)).toEqual([])
    expect(shown(after(...asked('a'), approve('a'), { type: 'withdrawn', id: 'a' }).state)).toEqual(['a signing'])
  })

  it('4. a lost frame says of each request whether a payment may have been sent, and leaves what was', () => {
    const signature = [start('d'), ask('d', { method: 'personal_sign' }), approve('d')]
    const payment = [...asked('c'), approve('c')]
    const { state, commands } = after(...sent('a'), ...asked('b'), ...payment, ...signature, { type: 'frameLost' })
    expect(state.shown.map(({ approval: { status } }) => ('code' in status ? status.code : status.kind))).toEqual([
      'sent',
      'REQUEST_INTERRUPTED',
      'ended',
      'REQUEST_INTERRUPTED',
    ])
    expect(delays(commands)).toEqual([failedHoldMs, failedHoldMs])
    // The request's own end says the same.
    const [settled] = reduceApprovals(state, fail('c', 'OUTCOME_UNKNOWN'))
    expect(shown(settled)).toEqual(shown(state))
    expect(shown(reduceApprovals(settled, ask('e'))[0])).toEqual(['a sent', 'e waiting'])
  })

  it('6. follows a sent transaction, and dismisses good news after a moment', () => {
    const { state, commands } = after(...sent('a'))
    expect([shown(state), types(commands)]).toEqual([['a sent'], ['startTimer', 'follow']])
    const [confirmed, next] = reduceApprovals(state, end('a', { kind: 'confirmed' }))
    expect([types(next), delays(next)]).toEqual([['refreshBalance', 'startTimer'], [confirmedHoldMs]])
    expect(shown(reduceApprovals(confirmed, timeout('a'))[0])).toEqual([])
  })

  it('6. keeps bad news on screen, and reports it elsewhere once dismissed', () => {
    const reverted = end('a', { kind: 'reverted', reason: null })
    expect(types(after(...sent('a'), reverted).commands)).toEqual(['refreshBalance', 'stopTimer'])
    expect(after(...sent('a'), reject('a'), reverted).commands).toEqual([
      { type: 'refreshBalance' },
      { type: 'notify', code: 'TRANSACTION_REVERTED', hash },
    ])
  })

  it('6. a sent transaction makes room once it was on screen for a moment', () => {
    expect(shown(after(...sent('a'), ...asked('b')).state)).toEqual(['a sent', 'b waiting'])
    expect(shown(after(...sent('a'), ...asked('b'), timeout('a')).state)).toEqual(['b waiting'])
    const { state, commands } = after(...sent('a'), timeout('a'))
    expect([shown(state), delays(commands)]).toEqual([['a sent'], [25_000 - sentHoldMs]])
    expect(shown(reduceApprovals(state, ask('b'))[0])).toEqual(['b waiting'])
    expect(shown(reduceApprovals(state, timeout('a'))[0])).toEqual([])
  })

  it('7. dismisses a transaction of a feature once it is sent', () => {
    const own: ApprovalsEvent = { type: 'started', id: 'a', asker: 'visitor' }
    const { state, commands } = after(own, ask('a'), opened, approve('a'), succeed('a'))
    expect([shown(state), types(commands)]).toEqual([[], ['release', 'closeModal', 'follow']])
  })

  it('8. returns the same object if nothing changes', () => {
    const { state } = after(...asked('a'))
    const ignored = [approve('z'), reject('z'), timeout('z'), succeed('z'), fail('z'), end('z', { kind: 'confirmed' })]
    for (const event of ignored) expect(reduceApprovals(state, event)[0]).toBe(state)
  })

  it('keeps its requirements for any sequence of events', () => {
    const id = fc.constantFrom('a', 'b', 'c')
    const event: fc.Arbitrary<ApprovalsEvent> = fc.oneof(
      id.map(start),
      id.map((one) => ask(one)),
      id.map(approve),
      id.map(reject),
      id.map((one) => succeed(one)),
      id.map((one) => fail(one)),
      id.map(timeout),
      id.map((one) => end(one, { kind: 'confirmed' })),
      fc.constantFrom(opened, rejectAll, { type: 'frameLost' } as const),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let state = noApprovals
        for (const next of events) {
          const [changed, commands] = reduceApprovals(state, next)
          const ids = changed.shown.map(({ approval }) => approval.request.id)
          expect(new Set(ids).size).toBe(ids.length)
          for (const { approval, canYield } of changed.shown)
            if (canYield) expect(approval.status.kind).toMatch(/^(sent|failed|ended)$/)
          // Only the frame's word makes a waiting request signing.
          const signing = shown(changed).filter((one) => one.endsWith(' signing') && !shown(state).includes(one))
          expect(signing).toEqual(
            next.type === 'approved' && shown(state).includes(`${next.id} waiting`) ? [`${next.id} signing`] : [],
          )
          // Every dismissed request is released.
          const before = state.shown.map(({ approval }) => approval.request.id)
          for (const gone of before.filter((one) => !ids.includes(one)))
            expect(commands).toContainEqual({ type: 'release', id: gone })
          state = changed
        }
      }),
    )
  })
})
