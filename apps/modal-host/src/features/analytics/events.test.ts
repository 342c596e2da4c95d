import { describe, expect, it } from 'vitest'
import type { TrackedTransaction } from '../../snapshot/money'
import { eventsBetween, initialState, type TrackedState, toTrackedEvent } from './events'

const secret = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const row = { id: 'lantern', name: 'Lantern', group: 'injected', connectors: [] } as const
const attempt = { row, via: 'page', status: { kind: 'waiting' }, retryAt: 0 } as const
const connected: TrackedState['connections'] = {
  eip155: {
    status: 'connected',
    connector: { id: 'lantern', name: 'Lantern', type: 'ANNOUNCED' },
    accounts: [{ namespace: 'eip155', address: secret, type: 'eoa' }],
    networkId: 'eip155:1',
  },
}
const names = (before: Partial<TrackedState>, after: Partial<TrackedState>) =>
  eventsBetween({ ...initialState, ...before }, { ...initialState, ...after }).map(({ event }) => event)

function transaction(status: TrackedTransaction['status']): TrackedTransaction {
  const purpose = { kind: 'send', amount: '123.45', symbol: 'ETH', to: secret } as const
  return { id: 't', networkId: 'eip155:1', from: secret, purpose, at: 0, status }
}

describe('countedBetween', () => {
  it('counts openings, choices, connections and disconnections', () => {
    expect(names({}, { open: true })).toEqual(['MODAL_OPEN'])
    expect(names({ open: true }, {})).toEqual(['MODAL_CLOSE'])
    expect(names({}, { connectAttempt: attempt })).toEqual(['SELECT_WALLET'])
    expect(
      names({ connectAttempt: attempt }, { connectAttempt: { ...attempt, status: { kind: 'declined' } } }),
    ).toEqual(['USER_REJECTED'])
    expect(names({ connectAttempt: attempt }, { connectAttempt: attempt, connections: connected })).toEqual([
      'CONNECT_SUCCESS',
    ])
    expect(names({ connections: connected }, {})).toEqual(['DISCONNECT_SUCCESS'])
    expect(
      names(
        { connections: connected, activeNetworkId: 'eip155:1' },
        { connections: connected, activeNetworkId: 'eip155:10' },
      ),
    ).toEqual(['SWITCH_NETWORK'])
    expect(names({}, { transactions: [transaction({ kind: 'asking' })] })).toEqual(['SEND_INITIATED'])
    expect(
      names(
        { transactions: [transaction({ kind: 'asking' })] },
        { transactions: [transaction({ kind: 'ended', hash: '0x1', outcome: { kind: 'confirmed' } })] },
      ),
    ).toEqual(['SEND_SUCCESS'])
  })

  it.each([
    [{ kind: 'confirmed' }, ['SEND_SUCCESS']],
    // It is still the same transaction.
    [{ kind: 'repriced' }, ['SEND_SUCCESS']],
    [{ kind: 'cancelled' }, ['SEND_ERROR']],
    [{ kind: 'replaced' }, ['SEND_ERROR']],
    [{ kind: 'reverted', reason: null }, ['SEND_ERROR']],
    [{ kind: 'unknown' }, []],
  ] as const)('counts a transaction that ended %j: %j', (outcome, told) => {
    const sent = transaction({ kind: 'sent', hash: '0x1' })
    const ended = transaction({ kind: 'ended', hash: '0x1', outcome })
    expect(names({ transactions: [sent] }, { transactions: [ended] })).toEqual(told)
  })

  it('counts nothing for a sign-in prompt that appears and disappears, because the snapshot does not say who ended it', () => {
    const prompt = {
      view: 'SIWXSignMessage',
      domain: 'd.example',
      namespace: 'eip155',
      networkId: 'eip155:1',
      address: secret,
      wallet: { name: 'Lantern' },
      isRequired: true,
      error: null,
    } as const
    const world = (step: 'asked' | 'preparing' | 'saving' | null) => ({
      ...initialState,
      connections: connected,
      signInPrompt: step && { ...prompt, step },
    })
    // Another tab signed in, the account changed, or it was signed.
    for (const [was, is] of [
      ['asked', null],
      ['saving', null],
      ['asked', 'preparing'],
    ] as const)
      expect(eventsBetween(world(was), world(is))).toEqual([])
  })

  it('2. does not count a restored session', () => {
    expect(names({}, { connections: connected })).toEqual([])
  })

  it('counts nothing twice, and nothing irrelevant', () => {
    const state: TrackedState = { ...initialState, open: true, connections: connected, connectAttempt: attempt }
    expect(eventsBetween(state, { ...state })).toEqual([])
  })

  it('1. contains no address, amount or email address', () => {
    const before: TrackedState = { ...initialState, connectAttempt: attempt }
    const signIn = { kind: 'email', email: 'ada@example.org', step: 'code', resendAt: 0, error: null } as const
    const after: TrackedState = {
      ...initialState,
      open: true,
      signIn,
      connections: connected,
      transactions: [transaction({ kind: 'failed', code: 'INTERNAL', message: secret })],
    }
    const said = JSON.stringify(eventsBetween(before, after))
    for (const never of [secret, '123.45', 'ada@example.org']) expect(said).not.toContain(never)
  })
})

describe('countedOfSignIn', () => {
  const about = { networkId: 'eip155:10', address: secret } as const

  it.each([
    [{ kind: 'signClicked' }, 'CLICK_SIGN_SIWX_MESSAGE', {}],
    [{ kind: 'cancelClicked' }, 'CLICK_CANCEL_SIWX', {}],
    [{ kind: 'signed' }, 'SIWX_AUTH_SUCCESS', {}],
    [{ kind: 'failed', code: 'SIGNATURE_DECLINED' }, 'SIWX_AUTH_ERROR', { code: 'SIGNATURE_DECLINED' }],
  ] as const)('counts %j as %s, with its network and account', (told, event, more) => {
    expect(toTrackedEvent({ ...about, ...told })).toEqual({
      event,
      properties: { network: 'eip155:10', ...more },
      address: secret,
    })
  })
})
