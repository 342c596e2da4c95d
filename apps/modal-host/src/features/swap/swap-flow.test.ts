import { errors } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { describe, expect, it, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import type { HostSnapshot } from '../../snapshot/contract'
import type { BlockchainApi, MoneyHost, TrackedTransaction } from '../../snapshot/money'
import { createSnapshotStore } from '../../snapshot/store'
import { testMoney } from '../testing/test-money'
import type { SwapOrder } from './plan'
import { createSwapFlow } from './swap-flow'
import {
  account,
  builtApproval,
  builtSwap,
  chainWith,
  dollar,
  ether,
  gem,
  networkId,
  orderOf,
  owner,
  quote,
  router,
} from './testing/swap-fixtures'

const hash = `0x${'ab'.repeat(32)}`
const shown = quote(10n ** 18n, { endsAt: 30_000 })
const tokensOrder = orderOf(dollar, gem, 1_000_000n, shown)
const etherOrder = orderOf(ether, gem, 5n, shown)

type Setting = {
  readonly order?: SwapOrder
  readonly allowance?: bigint
  readonly atomic?: string
  readonly api?: Partial<BlockchainApi>
  readonly now?: () => number
  readonly client?: MoneyHost['client']
}

function setUp({
  order = tokensOrder,
  allowance = 0n,
  atomic,
  api = {},
  now = () => 0,
  client = chainWith(0n),
}: Setting = {}) {
  const base = createSnapshotStore({ themeMode: 'light', locale: 'en', walletCount: null, isTopLevel: false })
  const store = createStore<HostSnapshot>(() => ({
    ...base.getState(),
    open: true,
    connections: {
      eip155: {
        status: 'connected',
        connector: { id: 'w', name: 'Lantern', type: 'ANNOUNCED' },
        accounts: [{ namespace: 'eip155', address: owner, type: 'eoa' }],
        networkId,
      },
    },
  }))
  const requests: { method: string; params: unknown }[] = []
  const money = testMoney({
    clock: { now, after: () => () => {} },
    client,
    request: async (_namespace, method) => {
      if (method !== 'wallet_getCapabilities' || atomic === undefined) throw new Failure('UNSUPPORTED_METHOD')
      return { '0x1': { atomic: { status: atomic } } }
    },
    transact({ method, params, purpose, networkId: on }) {
      requests.push({ method, params })
      const id = `t${requests.length}`
      const added: TrackedTransaction = { id, networkId: on, from: owner, purpose, at: 0, status: { kind: 'asking' } }
      store.setState(({ transactions }) => ({ transactions: [added, ...transactions] }))
      return id
    },
    api: {
      swapQuotes: async () => ({ quotes: [quoted('1000000000000000000')] }),
      swapAllowance: async () => ({ allowance: `${allowance}` }),
      buildSwap: async () => builtSwap(order),
      buildApprove: async () => builtApproval(order),
      ...api,
    },
  })
  const quoted = (toAmount: string) => ({
    id: null,
    fromAmount: `${order.amount}`,
    fromAccount: order.from.id,
    toAmount,
    toAccount: order.to.id,
  })
  const flow = createSwapFlow({ host: { store }, money })
  flow.review(order)
  const become = (id: string, status: TrackedTransaction['status']) =>
    store.setState(({ transactions }) => ({
      transactions: transactions.map((one) => (one.id === id ? { ...one, status } : one)),
    }))
  const run = () => flow.store.getState().run
  const arrives = (state: object) => expect.poll(() => run()).toMatchObject(state)
  return { flow, store, requests, become, run, arrives, quoted }
}

const confirmed = { kind: 'ended', hash, outcome: { kind: 'confirmed' } } as const
const sent = { kind: 'sent', hash } as const

describe('a swap', () => {
  it('needs one request for the native currency', async () => {
    const { flow, requests, become, arrives } = setUp({ order: etherOrder })
    const going = flow.confirm()
    await arrives({ kind: 'waiting', step: 'swap', transaction: 't1' })
    expect(requests).toEqual([
      {
        method: 'eth_sendTransaction',
        params: [{ from: owner, to: router, data: builtSwap(etherOrder).tx.data, value: '0x5', chainId: '0x1' }],
      },
    ])
    become('t1', sent)
    await going
    await arrives({ kind: 'sent', transaction: 't1' })
  })

  it('1. reloads an expired price, and continues if it is as good', async () => {
    const { flow, arrives } = setUp({ order: etherOrder, now: () => 30_000 })
    void flow.confirm()
    await arrives({ kind: 'waiting' })
    expect(flow.store.getState().order?.quote.endsAt).toBe(60_000)
  })

  it('1. reports an expired price that is now worse before it asks the wallet', async () => {
    const setting = { order: etherOrder, now: () => 30_000 }
    const worse = setUp({
      ...setting,
      api: { swapQuotes: async () => ({ quotes: [worse.quoted('999')] }) },
    })
    await worse.flow.confirm()
    expect(worse.run()).toEqual({ kind: 'changed', before: shown.toAmount })
    expect(worse.flow.store.getState().order?.quote.toAmount).toBe(999n)
    expect(worse.requests).toEqual([])
  })

  it('1. stops without a route', async () => {
    const { flow, run } = setUp({
      order: etherOrder,
      now: () => 30_000,
      api: { swapQuotes: async () => ({ quotes: [] }) },
    })
    await flow.confirm()
    expect(run()).toEqual({ kind: 'stopped', step: 'check', stop: { kind: 'noRoute' } })
  })

  it('2. is built from what was shown', async () => {
    const buildSwap = vi.fn(async () => builtSwap(etherOrder))
    const { flow, arrives } = setUp({ order: etherOrder, api: { buildSwap } })
    void flow.confirm()
    await arrives({ kind: 'waiting' })
    const query = { amount: '5', from: ether.id, to: gem.id, userAddress: account, toAmount: `${shown.toAmount}` }
    expect(buildSwap).toHaveBeenCalledWith(query, expect.anything())
  })

  it('2. shows a new quote if the price moved beyond the tolerance', async () => {
    const moved = () => Promise.reject(new Failure('HTTP_STATUS', { data: { status: 409 } }))
    const { flow, run, requests, quoted } = setUp({
      order: etherOrder,
      api: { buildSwap: moved, swapQuotes: async () => ({ quotes: [quoted('5')] }) },
    })
    await flow.confirm()
    expect(run()).toEqual({ kind: 'changed', before: shown.toAmount })
    expect(flow.store.getState().order?.quote.toAmount).toBe(5n)
    expect(requests).toEqual([])
  })

  it('2. never passes on a transaction for another account', async () => {
    const stranger = `0x${'66'.repeat(20)}`
    const { flow, run, requests } = setUp({
      order: etherOrder,
      api: { buildSwap: async () => builtSwap(etherOrder, { recipient: stranger }) },
    })
    await flow.confirm()
    expect(run()).toMatchObject({ kind: 'stopped', step: 'check', stop: { kind: 'failed', code: 'INTERNAL' } })
    expect(requests).toEqual([])
  })

  it.each([
    ['of what is paid', dollar],
    ['of what arrives', gem],
  ])('2. stops if the service lies about the decimals %s', async (_name, token) => {
    const lying = chainWith(0n, {}, [{ ...token, decimals: 8 }, ...[dollar, gem].filter((one) => one !== token)])
    const { flow, run, requests } = setUp({ client: lying })
    await flow.confirm()
    expect([run(), requests]).toMatchObject([{ kind: 'stopped', step: 'check' }, []])
  })

  it('3. approves a token, waits for it, then swaps', async () => {
    const { flow, requests, become, run, arrives } = setUp()
    void flow.confirm()
    await arrives({ kind: 'waiting', step: 'approve', transaction: 't1' })
    expect(requests).toMatchObject([{ method: 'eth_sendTransaction', params: [{ to: dollar.address, value: '0x0' }] }])
    become('t1', sent)
    expect(run()).toMatchObject({ step: 'approve' })
    become('t1', confirmed)
    await arrives({ kind: 'waiting', step: 'swap', transaction: 't2' })
    expect(flow.store.getState().approved).toBe(true)
    expect(requests[1]).toMatchObject({ params: [{ to: router }] })
    become('t2', sent)
    await arrives({ kind: 'sent', transaction: 't2' })
  })

  it('3. needs one request if the allowance suffices', async () => {
    const { flow, requests, arrives } = setUp({ allowance: tokensOrder.amount })
    void flow.confirm()
    await arrives({ kind: 'waiting', step: 'swap' })
    expect(requests).toHaveLength(1)
  })

  it('3. combines approval and swap if the wallet is atomic', async () => {
    const { flow, requests, arrives } = setUp({ atomic: 'supported' })
    void flow.confirm()
    await arrives({ kind: 'waiting', step: 'swap', together: true })
    expect(requests).toMatchObject([
      {
        method: 'wallet_sendCalls',
        params: [
          {
            version: '2.0.0',
            from: owner,
            chainId: '0x1',
            atomicRequired: true,
            calls: [{ to: dollar.address }, { to: router }],
          },
        ],
      },
    ])
  })

  it('3. sends them separately if the wallet would change the account first', async () => {
    const { flow, arrives } = setUp({ atomic: 'ready' })
    void flow.confirm()
    await arrives({ kind: 'waiting', step: 'approve', together: false })
  })

  it('3. resets an earlier allowance first if the token requires it', async () => {
    const honest = chainWith(0n)
    const data = builtApproval(tokensOrder).tx.data
    const client: MoneyHost['client'] = (id) => ({
      ...honest(id),
      rpc: {
        request: (request) =>
          JSON.stringify(request).includes(data)
            ? Promise.reject(new Failure('INTERNAL', { message: 'execution reverted' }))
            : honest(id).rpc.request(request),
      },
    })
    const { flow, requests, become, arrives } = setUp({ allowance: 5n, client })
    void flow.confirm()
    await arrives({ kind: 'waiting', step: 'approve', transaction: 't1' })
    expect(requests).toMatchObject([
      { params: [{ to: dollar.address, data: `${data.slice(0, 74)}${'0'.repeat(64)}` }] },
    ])
    become('t1', confirmed)
    await arrives({ kind: 'waiting', step: 'approve', transaction: 't2' })
    expect(requests[1]).toMatchObject({ params: [{ to: dollar.address, data }] })
    become('t2', confirmed)
    await arrives({ kind: 'waiting', step: 'swap', transaction: 't3' })
  })

  it('3. changes an earlier allowance directly if the token allows it or the chain does not say', async () => {
    const { flow, requests, arrives } = setUp({ allowance: 5n })
    void flow.confirm()
    await arrives({ kind: 'waiting', step: 'approve' })
    expect(requests).toMatchObject([{ params: [{ data: builtApproval(tokensOrder).tx.data }] }])
  })

  it('3. approves only the contract that swaps', async () => {
    const spender = `0x${'66'.repeat(20)}`
    const { flow, run, requests } = setUp({ api: { buildApprove: async () => builtApproval(tokensOrder, spender) } })
    await flow.confirm()
    expect([run(), requests]).toMatchObject([{ kind: 'stopped', step: 'check' }, []])
  })

  it.each([
    ['declined', { kind: 'declined' }, { kind: 'declined' }],
    ['reverted', { kind: 'ended', hash, outcome: { kind: 'reverted', reason: null } }, { kind: 'reverted' }],
    ['replaced', { kind: 'ended', hash, outcome: { kind: 'cancelled' } }, { kind: 'replaced' }],
    ['not confirmed', { kind: 'ended', hash, outcome: { kind: 'unknown' } }, { kind: 'unknown' }],
  ] as const)('4. stops if its approval was %s', async (_name, status, stop) => {
    const { flow, become, arrives, requests } = setUp()
    void flow.confirm()
    await arrives({ kind: 'waiting' })
    become('t1', status)
    await arrives({ kind: 'stopped', step: 'approve', stop })
    expect(flow.store.getState().approved).toBe(false)
    expect(requests).toHaveLength(1)
  })

  it('4. skips the approval on the next try if only the swap was declined', async () => {
    let allowance = 0n
    const { flow, become, arrives, requests } = setUp({
      api: { swapAllowance: async () => ({ allowance: `${allowance}` }) },
    })
    void flow.confirm()
    await arrives({ kind: 'waiting', step: 'approve' })
    allowance = tokensOrder.amount
    become('t1', confirmed)
    await arrives({ kind: 'waiting', step: 'swap' })
    become('t2', { kind: 'declined' })
    await arrives({ kind: 'stopped', step: 'swap', stop: { kind: 'declined' } })
    expect(flow.store.getState().approved).toBe(true)
    void flow.confirm()
    await arrives({ kind: 'waiting', step: 'swap', transaction: 't3' })
    expect(requests).toHaveLength(3)
  })

  it('4. reports why the wallet could not send', async () => {
    const { flow, become, arrives } = setUp({ order: etherOrder })
    void flow.confirm()
    await arrives({ kind: 'waiting' })
    become('t1', { kind: 'failed', code: 'CHAIN_DISCONNECTED', message: 'gone' })
    await arrives({ stop: { kind: 'failed', code: 'CHAIN_DISCONNECTED', message: 'gone' } })
  })

  it('4. asks once for two presses', async () => {
    const { flow, requests, arrives } = setUp({ order: etherOrder })
    void flow.confirm()
    void flow.confirm()
    await arrives({ kind: 'waiting' })
    await flow.confirm()
    expect(requests).toHaveLength(1)
  })

  it('4. asks once while the wallet is pending, even if the visitor went back and confirms again', async () => {
    const { flow, requests, become, run, arrives } = setUp({ order: etherOrder })
    void flow.confirm()
    await arrives({ kind: 'waiting', step: 'swap', transaction: 't1' })
    flow.leave()
    flow.review(etherOrder)
    await flow.confirm()
    expect(requests).toHaveLength(1)
    expect(run()).toMatchObject({ kind: 'stopped', step: 'swap', stop: { kind: 'failed', code: 'REQUEST_PENDING' } })
    become('t1', { kind: 'declined' })
    void flow.confirm()
    await arrives({ kind: 'waiting', step: 'swap', transaction: 't2' })
  })

  it('4. tells the form about a swap sent after the visitor went back', async () => {
    const { flow, arrives } = setUp({ order: etherOrder })
    void flow.confirm()
    await arrives({ kind: 'waiting', step: 'swap', transaction: 't1' })
    flow.leave()
    expect(flow.store.getState().sent).toBe('t1')
  })

  it('5. asks nothing more if the modal was closed after the approval', async () => {
    const { flow, store, become, requests, arrives } = setUp()
    void flow.confirm()
    await arrives({ kind: 'waiting', step: 'approve' })
    store.setState({ open: false })
    become('t1', confirmed)
    await arrives({ kind: 'idle' })
    expect(requests).toHaveLength(1)
  })

  it('5. asks nothing more after the visitor left, even when a pending step completes', async () => {
    let answer = () => {}
    const slow = new Promise<void>((resolve) => {
      answer = resolve
    })
    const { flow, requests, run } = setUp({
      order: etherOrder,
      api: { buildSwap: async () => slow.then(() => builtSwap(etherOrder)) },
    })
    const going = flow.confirm()
    flow.leave()
    answer()
    await going
    expect([run(), requests]).toEqual([{ kind: 'idle' }, []])
  })

  it.each([
    ['account', { accounts: [{ namespace: 'eip155', address: router, type: 'eoa' }], networkId }, 'UNAUTHORIZED'],
    [
      'network',
      { accounts: [{ namespace: 'eip155', address: owner, type: 'eoa' }], networkId: 'eip155:10' },
      'CHAIN_DISCONNECTED',
    ],
  ] as const)('5. asks no other %s', async (_name, connection, code) => {
    const { flow, store, requests, run } = setUp({ order: etherOrder })
    const connector = { id: 'w', name: 'Lantern', type: 'ANNOUNCED' } as const
    store.setState({
      connections: {
        eip155: { status: 'connected', connector, ...connection, accounts: [...connection.accounts] },
      },
    })
    await flow.confirm()
    expect(run()).toEqual({
      kind: 'stopped',
      step: 'check',
      stop: { kind: 'failed', code, message: errors[code].message },
    })
    expect(requests).toEqual([])
  })
})
