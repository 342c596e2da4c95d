import { type Account, type CaipNetworkId, Connection, type ConnectorSummary } from '@postern/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { initialSession, type KnownAccount, reduceSession, type SessionEvent, type SessionState } from './machine'

const configured: readonly CaipNetworkId[] = ['eip155:1', 'eip155:8453']
const isConfigured = (id: CaipNetworkId) => configured.includes(id)

const alice: Account = { namespace: 'eip155', address: '0xA', type: 'eoa' }
const bob: Account = { namespace: 'eip155', address: '0xB', type: 'eoa' }
const metaMask: ConnectorSummary = { id: 'w1', name: 'MetaMask', type: 'ANNOUNCED', pageWallet: 'w1' }
const rabby: ConnectorSummary = { id: 'w2', name: 'Rabby', type: 'ANNOUNCED', pageWallet: 'w2' }
const known: KnownAccount = { connector: metaMask, accounts: [alice], networkId: 'eip155:1' }

function run(...events: readonly SessionEvent[]): SessionState {
  return events.reduce((state, event) => reduceSession(state, event, isConfigured), initialSession)
}

const connectedEvents: readonly SessionEvent[] = [
  { type: 'connect', attempt: 1, connector: metaMask },
  { type: 'succeed', attempt: 1, known },
]

describe('reduceSession', () => {
  it('1. connects from disconnected', () => {
    expect(run({ type: 'connect', attempt: 1, connector: metaMask }).connection).toEqual({
      status: 'connecting',
      connector: metaMask,
    })
  })

  it('1. keeps the connected session until another attempt succeeds', () => {
    const asking = run(...connectedEvents, { type: 'connect', attempt: 2, connector: rabby })
    expect(asking.connection).toMatchObject({ status: 'connected', connector: metaMask })
    const next = reduceSession(
      asking,
      { type: 'succeed', attempt: 2, known: { ...known, connector: rabby, accounts: [bob] } },
      isConfigured,
    )
    expect(next.connection).toMatchObject({ status: 'connected', connector: rabby, accounts: [bob] })
  })

  it('1. ignores events of an ended attempt', () => {
    const second = run(
      { type: 'connect', attempt: 1, connector: metaMask },
      { type: 'connect', attempt: 2, connector: rabby },
    )
    expect(reduceSession(second, { type: 'succeed', attempt: 1, known }, isConfigured)).toBe(second)
    expect(reduceSession(second, { type: 'fail', attempt: 1 }, isConfigured)).toBe(second)
  })

  it('2. shows the known account while restoring, and does not restore over a connection', () => {
    expect(run({ type: 'restore', attempt: 1, known }).connection).toEqual({
      status: 'connecting',
      connector: metaMask,
      accounts: [alice],
      networkId: 'eip155:1',
    })
    const connected = run(...connectedEvents)
    expect(reduceSession(connected, { type: 'restore', attempt: 2, known }, isConfigured)).toBe(connected)
  })

  it('3. reconnects only a lost connection', () => {
    expect(run(...connectedEvents, { type: 'lose', attempt: 2 }).connection).toMatchObject({
      status: 'reconnecting',
      accounts: [alice],
    })
    expect(run({ type: 'lose', attempt: 2 })).toBe(initialSession)
  })

  it('3. is reconnecting with its account if the wallet of an earlier session could not be asked', () => {
    const restoring = run({ type: 'restore', attempt: 1, known })
    const unanswered = reduceSession(restoring, { type: 'unanswered', attempt: 1 }, isConfigured)
    expect(unanswered).toEqual({ connection: { status: 'reconnecting', ...known }, attempt: 1 })
    expect(reduceSession(unanswered, { type: 'unanswered', attempt: 1 }, isConfigured)).toBe(unanswered)
    expect(reduceSession(unanswered, { type: 'succeed', attempt: 1, known }, isConfigured).connection.status).toBe(
      'connected',
    )
    expect(reduceSession(restoring, { type: 'unanswered', attempt: 2 }, isConfigured)).toBe(restoring)
    const asking = run({ type: 'connect', attempt: 1, connector: metaMask })
    expect(reduceSession(asking, { type: 'unanswered', attempt: 1 }, isConfigured)).toBe(asking)
  })

  it('4. is disconnected when the wallet grants no account', () => {
    expect(
      run({ type: 'restore', attempt: 1, known }, { type: 'succeed', attempt: 1, known: { ...known, accounts: [] } }),
    ).toBe(initialSession)
  })

  it('5. disconnects on failure, but keeps an existing connection', () => {
    expect(run({ type: 'connect', attempt: 1, connector: metaMask }, { type: 'fail', attempt: 1 })).toBe(initialSession)
    const kept = run(
      ...connectedEvents,
      { type: 'connect', attempt: 2, connector: rabby },
      { type: 'fail', attempt: 2 },
    )
    expect(kept).toEqual(run(...connectedEvents))
  })

  it('6. follows the wallet while connected', () => {
    const moved = run(
      ...connectedEvents,
      { type: 'accounts', accounts: [bob, alice] },
      { type: 'network', networkId: 'eip155:8453' },
    )
    expect(moved.connection).toMatchObject({ accounts: [bob, alice], networkId: 'eip155:8453' })
    expect(run(...connectedEvents, { type: 'accounts', accounts: [] })).toBe(initialSession)
    expect(run({ type: 'accounts', accounts: [bob] })).toBe(initialSession)
  })

  it('6. continues the running attempt when the connected wallet leaves', () => {
    const left = run(
      ...connectedEvents,
      { type: 'connect', attempt: 2, connector: rabby },
      { type: 'accounts', accounts: [] },
    )
    expect(left.connection).toEqual({ status: 'connecting' })
    const next = reduceSession(
      left,
      { type: 'succeed', attempt: 2, known: { ...known, connector: rabby } },
      isConfigured,
    )
    expect(next.connection).toMatchObject({ status: 'connected', connector: rabby })
  })

  it('7. disconnects from any state, and ends the attempt', () => {
    const ended = run({ type: 'connect', attempt: 1, connector: metaMask }, { type: 'disconnect' })
    expect(ended).toBe(initialSession)
    expect(reduceSession(ended, { type: 'succeed', attempt: 1, known }, isConfigured)).toBe(ended)
  })

  it('8. marks a network that is not configured, and clears the mark (spec §4)', () => {
    const away = run(...connectedEvents, { type: 'network', networkId: 'eip155:10' })
    expect(away.connection).toMatchObject({ unsupported: true })
    expect(reduceSession(away, { type: 'network', networkId: 'eip155:1' }, isConfigured).connection).not.toHaveProperty(
      'unsupported',
    )
  })

  it('9. returns the same object if nothing changes', () => {
    const connected = run(...connectedEvents)
    expect(reduceSession(connected, { type: 'accounts', accounts: [alice] }, isConfigured)).toBe(connected)
    expect(reduceSession(connected, { type: 'network', networkId: 'eip155:1' }, isConfigured)).toBe(connected)
    expect(reduceSession(initialSession, { type: 'disconnect' }, isConfigured)).toBe(initialSession)
  })

  it('10. puts one of the wallet’s accounts first, and no other', () => {
    const both: SessionEvent = { type: 'accounts', accounts: [alice, bob] }
    const chosen = run(...connectedEvents, both, { type: 'choose', address: '0xB' })
    expect(chosen.connection).toMatchObject({ accounts: [bob, alice] })
    expect(reduceSession(chosen, { type: 'choose', address: '0xB' }, isConfigured)).toBe(chosen)
    expect(reduceSession(chosen, { type: 'choose', address: '0xC' }, isConfigured)).toBe(chosen)
    expect(run({ type: 'choose', address: '0xB' })).toBe(initialSession)
  })

  it('keeps its requirements for any sequence of events (spec §4)', () => {
    const accounts = fc.subarray([alice, bob])
    const networkId = fc.constantFrom<CaipNetworkId>('eip155:1', 'eip155:8453', 'eip155:10')
    const connector = fc.constantFrom(metaMask, rabby)
    const someone = fc.record({ connector, accounts, networkId })
    const attempt = fc.integer({ min: 1, max: 5 })
    const event: fc.Arbitrary<SessionEvent> = fc.oneof(
      fc.record({ type: fc.constant('connect' as const), attempt, connector }),
      fc.record({ type: fc.constant('restore' as const), attempt, known: someone }),
      fc.record({ type: fc.constant('lose' as const), attempt }),
      fc.record({ type: fc.constant('succeed' as const), attempt, known: someone }),
      fc.record({ type: fc.constant('fail' as const), attempt }),
      fc.record({ type: fc.constant('unanswered' as const), attempt }),
      fc.record({ type: fc.constant('accounts' as const), accounts }),
      fc.record({ type: fc.constant('choose' as const), address: fc.constantFrom('0xA', '0xB', '0xC') }),
      fc.record({ type: fc.constant('network' as const), networkId }),
      fc.record({ type: fc.constant('disconnect' as const) }),
    )
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let state = initialSession
        for (const next of events) {
          const before = state
          state = reduceSession(before, next, isConfigured)
          const { connection, attempt: running } = state
          // Published states parse.
          expect(Connection.safeParse(connection).success).toBe(true)
          if (connection.status === 'connected')
            expect(connection.unsupported === true).toBe(!isConfigured(connection.networkId))
          // Connecting and reconnecting need an attempt, and only that attempt connects.
          if (connection.status === 'connecting' || connection.status === 'reconnecting') expect(running).not.toBeNull()
          if (connection.status === 'disconnected') expect(running).toBeNull()
          if (connection.status === 'connected' && before.connection.status !== 'connected')
            expect(next).toMatchObject({ type: 'succeed', attempt: before.attempt })
          if (next.type === 'disconnect') expect(connection.status).toBe('disconnected')
        }
      }),
    )
  })
})
