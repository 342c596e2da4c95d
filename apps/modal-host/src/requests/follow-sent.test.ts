import { manualClock } from '@postern/base/testing/manual-clock'
import type { ChainClient } from '@postern/chains/chain-client'
import { cancelled } from '@postern/chains/outcomes/cancelled'
import { type WalletFramePayload, type WalletFrameRequestName, walletFrameRequests } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { Psbt } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import { type FollowOptions, followSent } from './follow-sent'
import type { Sent } from './sent/sent'

const [hash, otherHash] = [`0x${'12'.repeat(32)}`, `0x${'34'.repeat(32)}`]
const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const transaction: Sent = {
  kind: 'transaction',
  hash,
  sent: { namespace: 'eip155', hash, transaction: { from, nonce: 3, to, value: 7n, data: '0x' } },
}
const receipt = (of: string, status: '0x0' | '0x1') => ({
  transactionHash: of,
  blockHash: `0x${'00'.repeat(32)}`,
  blockNumber: '0x9',
  gasUsed: '0x5208',
  status,
  logs: [],
})

type Answers = {
  readonly receipts?: Readonly<Record<string, unknown>>
  /** In the block that used the nonce. */
  readonly mined?: object
  readonly call?: () => unknown
}

function options({ receipts = {}, mined, call }: Answers = {}, frame?: (params: unknown) => unknown) {
  const asked: { name: WalletFrameRequestName; payload: unknown }[] = []
  const clock = manualClock()
  const rpc: ChainClient['rpc'] = {
    async request({ method, params }) {
      const [first] = Array.isArray(params) ? params : []
      if (method === 'eth_getTransactionReceipt') return receipts[String(first)] ?? null
      if (method === 'eth_getTransactionCount') return mined === undefined ? '0x3' : '0x4'
      if (method === 'eth_blockNumber') return '0x9'
      if (method === 'eth_getBlockByNumber') return { number: '0x9', transactions: mined === undefined ? [] : [mined] }
      if (method === 'eth_call') return call?.()
      throw new Error(method)
    },
  }
  const esplora = { get: () => Promise.reject(new Error()), post: () => Promise.reject(new Error()) }
  const given: FollowOptions = {
    networkId: 'eip155:1',
    client: { networkId: 'eip155:1', rpc, esplora },
    ask: async <N extends WalletFrameRequestName>(name: N, payload: WalletFramePayload<N>) => {
      asked.push({ name, payload })
      return walletFrameRequests[name].success.parse(frame?.(payload))
    },
    clock,
    signal: new AbortController().signal,
  }
  return { given, asked, clock }
}

const other = (changes: object = {}) => ({
  hash: otherHash,
  from,
  nonce: '0x3',
  to,
  value: '0x7',
  input: '0x',
  ...changes,
})

describe('followSent', () => {
  it('1. confirms an included transaction', async () => {
    const { given } = options({ receipts: { [hash]: receipt(hash, '0x1') } })
    expect(await followSent(transaction, given)).toEqual({ outcome: { kind: 'confirmed' }, hash })
  })

  it.each([
    ['execution reverted: not today', 'not today'],
    ['execution reverted', null],
    ['execution reverted, data: "0x08c379a0"', null],
    ['execution reverted: custom error 0xe450d38c: 0000', null],
    ["VM Exception while processing transaction: reverted with reason string 'no'", "'no'"],
    ['HTTP status code: 502', null],
  ])('1. reports a reverted transaction, with its reason if any: %s', async (message, reason) => {
    const call = () => {
      throw new Failure('INTERNAL', { message, rpc: 3 })
    }
    const { given } = options({ receipts: { [hash]: receipt(hash, '0x0') }, call })
    expect(await followSent(transaction, given)).toEqual({ outcome: { kind: 'reverted', reason }, hash })
  })

  it.each([
    ['cancelled', other({ to: from, value: '0x0' })],
    ['replaced', other({ value: '0x8' })],
  ] as const)('1. reports a transaction that was %s', async (kind, mined) => {
    const { given } = options({ mined, receipts: { [otherHash]: receipt(otherHash, '0x1') } })
    expect(await followSent(transaction, given)).toEqual({ outcome: { kind }, hash: otherHash })
  })

  it('1. follows a transaction that was resent with another fee', async () => {
    const good = options({ mined: other(), receipts: { [otherHash]: receipt(otherHash, '0x1') } })
    expect(await followSent(transaction, good.given)).toEqual({ outcome: { kind: 'repriced' }, hash: otherHash })
    const bad = options({ mined: other(), receipts: { [otherHash]: receipt(otherHash, '0x0') } })
    expect(await followSent(transaction, bad.given)).toEqual({
      outcome: { kind: 'reverted', reason: null },
      hash: otherHash,
    })
  })

  it.each([
    ['repriced', [{ scriptpubkey: '00aa', value: 40_000 }]],
    ['cancelled', []],
  ] as const)('1. follows a replacement on Bitcoin as what it replaces: %s', async (kind, payments) => {
    const [first, second] = ['ab'.repeat(32), 'cd'.repeat(32)]
    const coin = '11'.repeat(32)
    const earlier = new Psbt().addInput({ hash: coin, index: 0 })
    earlier.addOutput({ script: Uint8Array.of(0, 0xaa), value: 40_000n })
    const mined = {
      ...{ txid: second, weight: 400, fee: 900, vin: [{ txid: coin, vout: 0 }] },
      ...{ vout: payments, status: { confirmed: true } },
    }
    const { given } = options()
    const esplora = {
      get: async (path: string) =>
        path.startsWith('/address/') ? [mined] : Promise.reject(new Failure('INTERNAL', { data: { status: 404 } })),
      post: () => Promise.reject(new Error()),
    }
    const sent: Sent = {
      kind: 'transaction',
      hash: first,
      sent: { namespace: 'bip122', hash: first, address: 'bc1q', psbt: earlier.toBase64() },
    }
    const networkId = 'bip122:000000000019d6689c085ae165831e93'
    const client = { ...given.client, networkId, esplora } as const
    expect(await followSent(sent, { ...given, networkId, client })).toEqual({ outcome: { kind }, hash: second })
  })

  it('1. confirms a response that came with its block', async () => {
    const { given } = options()
    expect(await followSent({ kind: 'included', hash }, given)).toEqual({ outcome: { kind: 'confirmed' }, hash })
  })

  it.each([
    [true, { kind: 'confirmed' }],
    [false, { kind: 'reverted', reason: null }],
  ])('1. reads an operation’s own receipt: success is %s', async (success, outcome) => {
    const answer = { success, receipt: { transactionHash: otherHash } }
    const { given, asked } = options({}, () => answer)
    expect(await followSent({ kind: 'operation', hash: null, id: hash }, given)).toEqual({ outcome, hash: otherHash })
    expect(asked).toEqual([
      {
        name: 'RPC_REQUEST',
        payload: { method: 'eth_getUserOperationReceipt', params: [hash], networkId: 'eip155:1' },
      },
    ])
  })

  it('1. follows an operation that the user sped up or cancelled', async () => {
    const sped = { userOpHash: otherHash, success: true, receipt: { transactionHash: otherHash } }
    const operation: Sent = { kind: 'operation', hash: null, id: hash }
    const repriced = { outcome: { kind: 'repriced' }, hash: otherHash }
    expect(await followSent(operation, options({}, () => sped).given)).toEqual(repriced)
    const reject = () => {
      throw cancelled({ sentHash: hash, transactionHash: otherHash })
    }
    const ended = { outcome: { kind: 'cancelled' }, hash: otherHash }
    expect(await followSent(operation, options({}, reject).given)).toEqual(ended)
  })

  it.each([
    [200, { kind: 'confirmed' }],
    [400, { kind: 'dropped' }],
    [500, { kind: 'reverted', reason: null }],
    [600, { kind: 'partlyReverted' }],
  ])('1. reads the status of calls once they are not pending: %i', async (status, outcome) => {
    const statuses = [{ status: 100 }, { status, receipts: [{ transactionHash: otherHash }] }]
    const { given, clock, asked } = options({}, () => statuses.shift())
    const ended = followSent({ kind: 'calls', hash: null, id: '0x01' }, given)
    await expect.poll(() => clock.pending(), { interval: 1 }).toBe(1)
    clock.advance(4_000)
    expect(await ended).toEqual({ outcome, hash: otherHash })
    expect(asked[1]?.payload).toEqual({ method: 'wallet_getCallsStatus', params: ['0x01'], networkId: 'eip155:1' })
  })

  it('2. is unknown after 180 s', async () => {
    const { given, clock } = options()
    const ended = followSent(transaction, given)
    for (let at = 0; at < 45; at += 1) {
      await expect.poll(() => clock.pending(), { interval: 1 }).toBe(1)
      clock.advance(4_000)
    }
    expect(await ended).toEqual({ outcome: { kind: 'unknown' }, hash })
  })

  it('2. is unknown after seven failures in a row', async () => {
    const { given, clock, asked } = options({}, () => {
      throw new Failure('BUNDLER_UNAVAILABLE')
    })
    const ended = followSent({ kind: 'calls', hash: null, id: '0x01' }, given)
    for (let at = 0; at < 6; at += 1) {
      await expect.poll(() => clock.pending(), { interval: 1 }).toBe(1)
      clock.advance(4_000)
    }
    expect(await ended).toEqual({ outcome: { kind: 'unknown' }, hash: null })
    expect(asked).toHaveLength(7)
  })

  it('2. rejects with ABORTED when the page is gone', async () => {
    const controller = new AbortController()
    const { given } = options()
    const ended = expect(followSent(transaction, { ...given, signal: controller.signal })).rejects.toMatchObject({
      code: 'ABORTED',
    })
    controller.abort()
    await ended
  })
})
