import type { WaitingTransaction } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { ethereum } from '../testing/test-networks'
import type { ActivityEntry } from './describe'
import { withWaiting } from './waiting'

const [first, second] = [`0x${'1'.repeat(64)}`, `0x${'2'.repeat(64)}`]
const waiting: WaitingTransaction = {
  networkId: 'eip155:1',
  from: '0x01',
  hash: first,
  newest: first,
  to: '0x02',
  value: '1500000000000000000',
  isPlain: true,
  sentAt: 5,
}
const entry: ActivityEntry = {
  id: 't1',
  networkId: 'eip155:1',
  hash: first.toUpperCase().replace('0X', '0x'),
  at: 7,
  status: 'pending',
  operation: 'trade',
  amounts: [],
  party: null,
  picture: undefined,
  isSpam: false,
}
const sped: WaitingTransaction = { ...waiting, newest: second, replacedBy: 'speedUp' }

describe('withWaiting', () => {
  it('describes what only the wallet knows', () => {
    expect(withWaiting([], [waiting], [ethereum])).toEqual([
      {
        id: first,
        networkId: 'eip155:1',
        hash: first,
        at: 5,
        status: 'pending',
        operation: 'send',
        amounts: [{ sign: '', decimal: '1.500', unit: 'ETH' }],
        party: { kind: 'to', address: '0x02' },
        picture: undefined,
        isSpam: false,
        waiting,
      },
    ])
    const { to: _, ...creation } = { ...waiting, value: '0', isPlain: false }
    expect(withWaiting([], [creation], [])).toMatchObject([{ operation: 'deploy', amounts: [], party: null }])
    expect(withWaiting([], [{ ...waiting, isPlain: false }], [])).toMatchObject([{ operation: 'execute' }])
  })

  it('links to no explorer for a user operation, and shows it once', () => {
    const operation: WaitingTransaction = { ...waiting, isOperation: true }
    expect(withWaiting([], [operation], [ethereum])).toMatchObject([{ id: first, hash: null, waiting: operation }])
    // The wallet's id of a batch begins with the hash of its operation.
    const tracked: ActivityEntry = { ...entry, hash: null, callsId: `${first}7073` }
    const sped = { ...operation, newest: second }
    expect(withWaiting([tracked], [sped], [])).toEqual([{ ...tracked, hash: null, waiting: sped }])
    const other = { ...tracked, callsId: `${second}7073` }
    expect(withWaiting([other], [operation], [])).toHaveLength(2)
    expect(withWaiting([{ ...tracked, status: 'confirmed' }], [operation], [])).toHaveLength(1)
  })

  it('describes a payment on Bitcoin in its own units', () => {
    const [txid, newest] = ['3'.repeat(64), '4'.repeat(64)]
    const networkId = 'bip122:000000000019d6689c085ae165831e93'
    const payment = { ...waiting, networkId, hash: txid, newest, to: 'bc1q', value: '150000000' } as const
    const amounts = [{ sign: '', decimal: '1.500', unit: '' }]
    expect(withWaiting([], [payment], [])).toMatchObject([{ hash: newest, operation: 'send', amounts }])
    const listed = { ...entry, networkId, hash: newest } as const
    expect(withWaiting([listed], [payment], [])).toEqual([{ ...listed, waiting: payment }])
  })

  it('1. lists a replaced one once, as the entry that knows what it does', () => {
    const replacement = { ...entry, id: 't2', hash: second, operation: 'send' as const }
    const lines = withWaiting([entry, replacement], [sped], [ethereum])
    expect(lines).toEqual([{ ...entry, hash: second, waiting: sped }])
  })

  it('2. leaves what the chain has decided', () => {
    const confirmed = { ...entry, hash: second, status: 'confirmed' as const }
    expect(withWaiting([confirmed], [sped], [ethereum])).toEqual([confirmed])
  })

  it('leaves a transaction of another network with the same hash', () => {
    const elsewhere = { ...entry, networkId: 'eip155:10' }
    expect(withWaiting([elsewhere], [waiting], [ethereum])).toHaveLength(2)
  })
})
