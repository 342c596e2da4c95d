import type { ApprovalRequest, ApprovalSubject } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import type { Intent, IntentStep } from '../../intent/intent'
import { newStorage, testLadder } from '../../testing/test-frame'
import { counterpartiesOf, createKnownAddresses, noParties } from './known-addresses'

const mallory = '0x2222222222222222222222222222222222222222'
const request = { networkId: 'eip155:1', origin: 'https://app.example' } as const

const sending: ApprovalSubject = {
  kind: 'eip155.transaction',
  from: '0x1111111111111111111111111111111111111111',
  nonce: '0',
  unsigned: '0x02',
  fees: { gas: '1' },
  call: { to: mallory, value: '0', data: '0x' },
}
const typedData: ApprovalSubject = { kind: 'eip155.typedData', address: mallory, account: 'eoa', json: '{}' }

function parties(subject: ApprovalSubject, ...steps: readonly IntentStep[]) {
  const intent: Intent = { steps, warnings: [], fee: null, changes: { kind: 'unknown' }, raw: [] }
  const asked: Pick<ApprovalRequest, 'subject'> = { subject }
  return counterpartiesOf(asked, intent)
}

describe('counterpartiesOf', () => {
  const amount = { raw: '1' }

  it('3. makes a recipient known by a transfer of something', () => {
    expect(parties(sending, { kind: 'transfer', to: mallory, amount })).toEqual({
      recipients: [mallory],
      contracts: [],
    })
    expect(parties(sending, { kind: 'transfer', to: mallory, amount: { raw: '0' } })).toEqual(noParties)
  })

  it.each<[string, IntentStep]>([
    ['an approval', { kind: 'approve', spender: mallory, amount }],
    ['an approval of nothing', { kind: 'approve', spender: mallory, amount: { raw: '0' } }],
    ['an approval of everything', { kind: 'approveAll', spender: mallory, token: mallory, granted: true }],
    ['taking one back', { kind: 'approveAll', spender: mallory, token: mallory, granted: false }],
    ['a new contract', { kind: 'create', bytes: 1, value: amount }],
  ])('3. makes nothing known by %s', (_, step) => {
    expect(parties(sending, step)).toEqual(noParties)
  })

  it.each<[string, IntentStep]>([['a call', { kind: 'call', contract: mallory, value: { raw: '0' }, fields: [] }]])(
    '3. makes no recipient known by %s',
    (_, step) => {
      expect(parties(sending, step)).toEqual({ recipients: [], contracts: [mallory] })
    },
  )

  it('3. makes nothing known by a signature', () => {
    expect(parties(typedData, { kind: 'permit', spender: mallory, amount })).toEqual(noParties)
    expect(parties(typedData, { kind: 'transfer', to: mallory, amount })).toEqual(noParties)
  })
})

describe('createKnownAddresses', () => {
  it('1. stores past recipients in the wallet’s own storage', async () => {
    const storage = newStorage()
    const alice = { userId: 'alice', request }
    await createKnownAddresses(testLadder(storage)).add(alice, { recipients: ['a'], contracts: [] })
    expect((await createKnownAddresses(testLadder(storage)).list(alice)).recipients).toEqual(['a'])
  })

  it('2. has a list per user, namespace and dapp, with the newest 100', async () => {
    const known = createKnownAddresses(testLadder(newStorage()))
    const alice = { userId: 'alice', request }
    await known.add(alice, { recipients: ['a'], contracts: ['c'] })
    await known.add(alice, { recipients: ['b'], contracts: [] })
    expect(await known.list(alice)).toEqual({ recipients: ['b', 'a'], contracts: ['c'] })
    expect(await known.list({ userId: 'bob', request })).toEqual(noParties)
    expect(await known.list({ ...alice, request: { ...request, origin: 'https://evil.example' } })).toEqual(noParties)
    const bitcoin = 'bip122:000000000019d6689c085ae165831e93'
    expect(await known.list({ ...alice, request: { ...request, networkId: bitcoin } })).toEqual(noParties)
    await known.add(alice, { recipients: Array.from({ length: 100 }, (_, at) => `${at}`), contracts: [] })
    expect((await known.list(alice)).recipients).not.toContain('a')
  })
})
