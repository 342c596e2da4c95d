import { manualClock } from '@postern/base/testing/manual-clock'
import { configureNetworks } from '@postern/chains/networks'
import type { CaipNetworkId, Connection } from '@postern/protocol'
import { Failure, toLinkError } from '@postern/protocol/failure'
import { describe, expect, it } from 'vitest'
import { sendAndWait, timeoutMsOf } from './send-and-wait'

const from = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const transaction = { from, to: from, value: '0x1' }
const hash = `0x${'ab'.repeat(32)}`
const receipt = { transactionHash: hash, status: '0x0', logs: [], l1Fee: '0x5' }
const connected: Connection = {
  status: 'connected',
  connector: { id: 'w', name: 'Lantern', type: 'ANNOUNCED', pageWallet: 'w' },
  accounts: [{ namespace: 'eip155', address: from, type: 'eoa' }],
  networkId: 'eip155:8453',
}

type Asked = { readonly method: string; readonly params?: unknown }

function setUp({ connection = connected, send = async (): Promise<unknown> => hash } = {}) {
  const clock = manualClock()
  const sent: Asked[] = []
  const reads: (Asked & { networkId: CaipNetworkId })[] = []
  let answer: (signal?: AbortSignal, request?: Asked) => Promise<unknown> = async () => null
  const controller = new AbortController()
  const ask = (params: unknown) =>
    sendAndWait(
      { namespace: 'eip155', networkId: 'eip155:8453', method: 'eth_sendTransactionSync', params },
      controller.signal,
      {
        clock,
        sessions: { connection: () => connection, restored: async () => undefined },
        networks: configureNetworks(['ethereum', 'base'], {
          additional: [],
          gatewayEndpoint: () => 'https://gateway.example',
          imageUrl: () => '',
        }),
        async rpc(request) {
          sent.push(request)
          return send()
        },
        clientOf: (networkId) => ({
          networkId,
          rpc: {
            async request(request, signal) {
              reads.push({ networkId, ...request })
              return answer(signal, request)
            },
          },
          esplora: {
            get: () => Promise.reject(new Error('not Bitcoin')),
            post: () => Promise.reject(new Error('not Bitcoin')),
          },
        }),
      },
    )
  return {
    ...{ clock, sent, reads, controller, ask },
    endpoint: (next: typeof answer) => {
      answer = next
    },
  }
}

const receiptsIn = (reads: readonly Asked[]) => reads.filter(({ method }) => method === 'eth_getTransactionReceipt')
const linkError = (promise: Promise<unknown>) => promise.then(() => null, toLinkError)

describe('1. the wallet sends', () => {
  it('gets eth_sendTransaction on the network of the request', async () => {
    const { ask, sent, endpoint } = setUp()
    endpoint(async () => receipt)
    await ask([transaction, 5_000])
    expect(sent).toEqual([
      { namespace: 'eip155', networkId: 'eip155:8453', method: 'eth_sendTransaction', params: [transaction] },
    ])
  })

  it.each([[undefined], [[]], [['0x02f8']], [[null]], [{}]])('gets nothing for the parameters %j', async (params) => {
    const { ask, sent } = setUp()
    expect(await linkError(ask(params))).toMatchObject({ code: 'INVALID_PARAMS', rpc: -32602 })
    expect(sent).toEqual([])
  })

  it('gets nothing on a network without an endpoint, and without an account', async () => {
    const elsewhere = setUp({ connection: { ...connected, networkId: 'eip155:5' } })
    expect(await linkError(elsewhere.ask([transaction]))).toMatchObject({ code: 'NETWORK_NOT_FOUND' })
    const out = setUp({ connection: { status: 'disconnected' } })
    expect(await linkError(out.ask([transaction]))).toMatchObject({ code: 'UNAUTHORIZED' })
    expect([...elsewhere.sent, ...out.sent]).toEqual([])
  })

  it('passes the user’s refusal on, and reads nothing', async () => {
    const { ask, reads } = setUp({ send: () => Promise.reject(new Failure('USER_REJECTED')) })
    expect(await linkError(ask([transaction]))).toMatchObject({ code: 'USER_REJECTED', rpc: 4001 })
    expect(reads).toEqual([])
  })
})

describe('2. the timeout', () => {
  it.each([
    [2_000, 2_000],
    ['0x7d0', 2_000],
    [0, 180_000],
    [-1, 180_000],
    [1.5, 180_000],
    ['2000', 180_000],
    ['0x', 180_000],
    [Number.NaN, 180_000],
    [undefined, 180_000],
    [3_600_000, 180_000],
  ])('%j is %d ms', (timeout, ms) => expect(timeoutMsOf(timeout)).toBe(ms))

  it('starts when the wallet has sent', async () => {
    let approve = (_: unknown) => {}
    const { ask, clock, reads, sent, endpoint } = setUp({
      send: () =>
        new Promise((resolve) => {
          approve = resolve
        }),
    })
    const answer = ask([transaction, 1_000])
    await expect.poll(() => sent).toHaveLength(1)
    clock.advance(600_000)
    endpoint(async () => receipt)
    approve(hash)
    expect(await answer).toEqual(receipt)
    expect(reads).toHaveLength(1)
  })
})

it('3. resolves with the receipt as the endpoint gives it, also of a reverted transaction', async () => {
  const { ask, clock, reads, endpoint } = setUp()
  const answer = ask([transaction])
  await expect.poll(() => clock.pending()).toBe(2)
  endpoint(async () => receipt)
  clock.advance(1_000)
  expect(await answer).toEqual(receipt)
  expect(receiptsIn(reads)).toEqual(
    Array(2).fill({ networkId: 'eip155:8453', method: 'eth_getTransactionReceipt', params: [hash] }),
  )
  expect(clock.pending()).toBe(0)
})

describe('5. without a receipt', () => {
  const unconfirmed = {
    code: 'TRANSACTION_UNCONFIRMED',
    rpc: 4,
    data: hash,
    message: `The transaction isn’t confirmed yet: ${hash}`,
  }

  it('ends at the timeout with code 4 and the hash', async () => {
    const { ask, clock, reads } = setUp()
    const ended = linkError(ask([transaction, '0x9c4']))
    for (const pauses of [1, 2]) {
      await expect.poll(() => [receiptsIn(reads).length, clock.pending()]).toEqual([pauses, 2])
      clock.advance(1_000)
    }
    await expect.poll(() => [receiptsIn(reads).length, clock.pending()]).toEqual([3, 2])
    clock.advance(500)
    expect(await ended).toEqual(unconfirmed)
    expect(clock.pending()).toBe(0)
  })

  it('ends at the timeout although the endpoint does not respond', async () => {
    const { ask, clock, reads, endpoint } = setUp()
    endpoint(
      (signal) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Failure('ABORTED')))),
    )
    const ended = linkError(ask([transaction, 2_000]))
    await expect.poll(() => reads).toHaveLength(1)
    clock.advance(2_000)
    expect(await ended).toEqual(unconfirmed)
  })

  it('ends like that if the endpoint keeps failing, because the transaction was sent', async () => {
    const { ask, clock, reads, endpoint } = setUp()
    endpoint(() => Promise.reject(new Failure('INTERNAL')))
    const ended = linkError(ask([transaction]))
    for (let read = 1; read <= 6; read += 1) {
      await expect.poll(() => [reads.length, clock.pending()]).toEqual([read, 2])
      clock.advance(1_000)
    }
    expect(await ended).toEqual(unconfirmed)
  })

  it('a cancelled request is ABORTED, and nothing runs on', async () => {
    const { ask, clock, controller } = setUp()
    const ended = linkError(ask([transaction]))
    await expect.poll(() => clock.pending()).toBe(2)
    controller.abort()
    expect(await ended).toMatchObject({ code: 'ABORTED' })
    expect(clock.pending()).toBe(0)
  })
})

describe('4. the user replaces it', () => {
  const other = `0x${'cd'.repeat(32)}`
  const to = `0x${'11'.repeat(20)}`
  const sentCall = { hash, from, nonce: '0x3', to, value: '0x1', input: '0x' }
  const whole = { blockHash: `0x${'0'.repeat(64)}`, blockNumber: '0x9', gasUsed: '0x5208', logs: [] }

  async function replaced(by: object) {
    const { ask, clock, endpoint } = setUp()
    let isMined = false
    endpoint(async (_, request) => {
      const [first] = Array.isArray(request?.params) ? request.params : []
      switch (request?.method) {
        case 'eth_getTransactionReceipt':
          return isMined && first === other ? { ...whole, transactionHash: other, status: '0x1' } : null
        case 'eth_getTransactionByHash':
          return first === hash && !isMined ? sentCall : null
        case 'eth_getTransactionCount':
          return isMined ? '0x4' : '0x3'
        case 'eth_blockNumber':
          return '0x9'
        default:
          return { number: '0x9', transactions: isMined ? [{ ...sentCall, hash: other, ...by }] : [] }
      }
    })
    const end = ask([transaction]).catch(toLinkError)
    await expect.poll(() => clock.pending()).toBe(2)
    isMined = true
    for (let pause = 0; pause < 4; pause += 1) {
      clock.advance(1_000)
      await new Promise((resolve) => setImmediate(resolve))
      await expect.poll(() => clock.pending() !== 1).toBe(true)
    }
    return end
  }

  it('with a higher fee: resolves with that receipt', async () => {
    expect(await replaced({})).toMatchObject({ transactionHash: other, status: '0x1' })
  })

  it('with nothing: rejects with the reason and both hashes', async () => {
    expect(await replaced({ to: from, value: '0x0' })).toMatchObject({
      code: 'TRANSACTION_REPLACED',
      data: { sentHash: hash, transactionHash: other, reason: 'cancelled' },
    })
  })
})
