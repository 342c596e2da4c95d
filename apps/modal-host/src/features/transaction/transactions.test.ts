import { manualClock } from '@postern/base/testing/manual-clock'
import { cancelled } from '@postern/chains/outcomes/cancelled'
import { unconfirmed } from '@postern/chains/outcomes/unconfirmed'
import type { CaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { describe, expect, it } from 'vitest'
import type { TrackedTransaction } from '../../snapshot/money'
import { type Ended, followTransaction } from './follow'
import { createTransactions, type TransactionsOptions } from './transactions'

const hash = `0x${'ab'.repeat(32)}`
const networkId: CaipNetworkId = 'eip155:1'
const purpose = { kind: 'send', amount: '1', symbol: 'ETH', to: '0x00' } as const

function setUp(changes: Partial<TransactionsOptions> = {}) {
  let shown: readonly TrackedTransaction[] = []
  let moved = 0
  let ids = 0
  const ends: ((ended: Ended) => void)[] = []
  const transactions = createTransactions({
    clock: manualClock(),
    randomId: () => `t${++ids}`,
    request: async () => hash,
    sender: () => '0x01',
    clientOf: client,
    follow: async () => () => new Promise<Ended>((resolve) => ends.push(resolve)),
    onChange(next) {
      shown = next
    },
    onMoved() {
      moved += 1
    },
    ...changes,
  })
  const transact = () => transactions.transact({ networkId, method: 'eth_sendTransaction', params: [{}], purpose })
  return { transactions, transact, ends, shown: () => shown, moved: () => moved }
}

function client(id: CaipNetworkId) {
  const fail = () => Promise.reject(new Failure('INTERNAL'))
  return { networkId: id, rpc: { request: fail }, esplora: { get: fail, post: fail } }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('createTransactions', () => {
  it('1. reports each from the request to its end', async () => {
    const { transact, ends, shown, moved } = setUp()
    const id = transact()
    expect(shown()).toMatchObject([{ id, from: '0x01', purpose, status: { kind: 'asking' } }])
    await settled()
    expect(shown()[0]?.status).toEqual({ kind: 'sent', hash })
    expect(moved()).toBe(1)
    ends[0]?.({ kind: 'ended', hash, outcome: { kind: 'confirmed' } })
    await settled()
    expect(shown()[0]?.status).toEqual({ kind: 'ended', hash, outcome: { kind: 'confirmed' } })
    expect(moved()).toBe(2)
  })

  it('takes the outcome of another follower, unless its own is known', async () => {
    const { transactions, transact, ends, shown } = setUp()
    transact()
    await settled()
    ends[0]?.({ kind: 'ended', hash, outcome: { kind: 'unknown' } })
    await settled()
    const other = `0x${'cd'.repeat(32)}`
    transactions.settled(hash.toUpperCase().replace('0X', '0x'), { hash: other, outcome: { kind: 'cancelled' } })
    expect(shown()[0]?.status).toEqual({ kind: 'ended', hash: other, outcome: { kind: 'cancelled' } })
    transactions.settled(other, { hash: other, outcome: { kind: 'confirmed' } })
    expect(shown()[0]?.status).toMatchObject({ outcome: { kind: 'cancelled' } })

    const late = setUp()
    late.transact()
    await settled()
    late.transactions.settled(hash, { hash: other, outcome: { kind: 'cancelled' } })
    // It gives up after 180 s.
    late.ends[0]?.({ kind: 'ended', hash, outcome: { kind: 'unknown' } })
    await settled()
    expect(late.shown()[0]?.status).toEqual({ kind: 'ended', hash: other, outcome: { kind: 'cancelled' } })
  })

  it('2. maps a rejection to declined, and keeps the message of any other failure', async () => {
    const declined = setUp({ request: () => Promise.reject(new Failure('USER_REJECTED')) })
    declined.transact()
    const failed = setUp({ request: () => Promise.reject(new Failure('CHAIN_DISCONNECTED')) })
    failed.transact()
    const disconnected = setUp({ sender: () => null })
    disconnected.transact()
    await settled()
    expect(declined.shown()[0]?.status).toEqual({ kind: 'declined' })
    expect(failed.shown()[0]?.status).toMatchObject({ kind: 'failed', code: 'CHAIN_DISCONNECTED' })
    expect(disconnected.shown()[0]?.status).toMatchObject({ kind: 'failed', code: 'NO_ACTIVE_ADDRESS' })
  })

  it.each([null, '0x12', {}, { txid: 'nonsense' }, { signature: '' }, []])(
    '3. fails if %j identifies no transaction',
    async (answer) => {
      const { transact, shown } = setUp({ request: async () => answer })
      transact()
      await settled()
      expect(shown()[0]?.status.kind).toBe('failed')
    },
  )

  it('4. drops ended transactions before pending ones', async () => {
    const { transact, ends, shown } = setUp()
    for (let count = 0; count < 99; count += 1) transact()
    await settled()
    ends[40]?.({ kind: 'ended', hash, outcome: { kind: 'confirmed' } })
    await settled()
    transact()
    expect(shown()).toHaveLength(99)
    expect(shown().map(({ id }) => id)).not.toContain('t41')
    expect(shown().map(({ id }) => id)).toContain('t1')
  })

  it('5. follows a batch by the wallet’s id', async () => {
    const requests: unknown[] = []
    const { transactions, shown } = setUp({
      async request(_namespace, method, params) {
        requests.push([method, params])
        return method === 'wallet_sendCalls' ? { id: 'batch' } : { status: 200, receipts: [{ transactionHash: hash }] }
      },
      follow: async () => followTransaction,
    })
    transactions.transact({ networkId, method: 'wallet_sendCalls', params: [{}], purpose })
    await expect.poll(() => shown()[0]?.status).toEqual({ kind: 'ended', hash, outcome: { kind: 'confirmed' } })
    expect(requests).toEqual([
      ['wallet_sendCalls', [{}]],
      ['wallet_getCallsStatus', ['batch']],
    ])
  })

  it.each([
    [500, { kind: 'reverted', reason: null }],
    [600, { kind: 'partlyReverted' }],
    [400, { kind: 'dropped' }],
  ])('5. maps a batch status of %i to %j', async (status, outcome) => {
    const { transactions, shown } = setUp({
      request: async (_namespace, method) => (method === 'wallet_sendCalls' ? 'batch' : { status }),
      follow: async () => followTransaction,
    })
    transactions.transact({ networkId, method: 'wallet_sendCalls', params: [{}], purpose })
    await expect.poll(() => shown()[0]?.status).toEqual({ kind: 'ended', hash: null, outcome })
  })

  it('6. follows a transaction that may still land, although the wallet got no response', async () => {
    const requests: unknown[] = []
    const { transact, shown, moved } = setUp({
      async request(_namespace, method, params) {
        requests.push([method, params])
        if (method === 'eth_sendTransaction') throw unconfirmed({ sentHash: hash, callsId: 'batch' })
        return { status: 200, receipts: [{ transactionHash: hash }] }
      },
      follow: async () => followTransaction,
    })
    transact()
    await expect.poll(() => shown()[0]?.status).toEqual({ kind: 'ended', hash, outcome: { kind: 'confirmed' } })
    expect(requests[1]).toEqual(['wallet_getCallsStatus', ['batch']])
    expect(moved()).toBe(2)

    const plain = setUp({ request: () => Promise.reject(unconfirmed({ sentHash: hash })) })
    plain.transact()
    await settled()
    expect(plain.shown()[0]?.status).toEqual({ kind: 'sent', hash })
  })

  it('6. a payment whose answer was lost is no failure: it may have been sent', async () => {
    const { transact, shown, moved } = setUp({ request: () => Promise.reject(new Failure('OUTCOME_UNKNOWN')) })
    transact()
    await settled()
    expect(shown()[0]?.status).toEqual({ kind: 'ended', hash: null, outcome: { kind: 'unknown' } })
    expect(moved()).toBe(1)
  })

  it('7. ends as cancelled if the user cancelled it before the wallet had a hash for it', async () => {
    const other = `0x${'cd'.repeat(32)}`
    const failure = cancelled({ sentHash: hash, transactionHash: other })
    const { transact, shown, moved } = setUp({ request: () => Promise.reject(failure) })
    transact()
    await settled()
    expect(shown()[0]?.status).toEqual({ kind: 'ended', hash: other, outcome: { kind: 'cancelled' } })
    expect(moved()).toBe(1)
  })

  it('6. fails if the error does not identify what was sent', async () => {
    const { transact, shown } = setUp({
      request: () => Promise.reject(new Failure('TRANSACTION_UNCONFIRMED', { data: { sentHash: 7 } })),
    })
    transact()
    await settled()
    expect(shown()[0]?.status).toMatchObject({ kind: 'failed', code: 'TRANSACTION_UNCONFIRMED' })
  })

  it('5. rejects a batch id for a single transaction', async () => {
    const { transact, shown } = setUp({ request: async () => ({ id: 'batch' }) })
    transact()
    await settled()
    expect(shown()[0]?.status.kind).toBe('failed')
  })

  it('reports nothing after the page is gone', async () => {
    const { transactions, transact, shown } = setUp()
    transact()
    transactions.end()
    await settled()
    expect(shown()[0]?.status).toEqual({ kind: 'asking' })
  })
})
