import { type Clock, systemClock } from '@postern/base/clock'
import { type ManualClock, manualClock } from '@postern/base/testing/manual-clock'
import { Failure } from '@postern/protocol/failure'
import { createTestClient, createWalletClient, type Hex, http } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createJsonRpcClient, type JsonRpcClient } from '../nodes/json-rpc'
import { pollUntil } from '../nodes/poll-until'
import { type SentTransaction, transactionOutcome } from './receipt'
import { type Devnet, devnetAccounts, devnetContracts, freePorts, startDevnet } from './testing/evm-devnet'

const ports = await freePorts('evm', 'evmTwo')
const rpcUrl = `http://127.0.0.1:${ports.evm}`
const signal = new AbortController().signal
const rpc = createJsonRpcClient({ endpoints: [rpcUrl], fetch, clock: systemClock() })
const tests = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
const friend = '0x00000000000000000000000000000000000F4153'

function waitForReceipt(
  client: JsonRpcClient,
  sent: SentTransaction,
  wait: { readonly clock: Clock; readonly signal: AbortSignal },
) {
  return pollUntil(() => transactionOutcome(client, sent, wait.signal), wait)
}

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ ports })
})
afterAll(() => devnet.stop())

function account(index: number) {
  const found = devnetAccounts[index]
  if (found === undefined) throw new Error()
  return found
}

async function send(
  from: number,
  nonce: number,
  more: { to?: Hex; value?: bigint; data?: Hex; fee?: bigint } = {},
): Promise<SentTransaction> {
  const { to = friend, value = 1n, data = '0x', fee = 10n } = more
  const wallet = createWalletClient({ account: account(from), transport: http(rpcUrl) })
  const maxFeePerGas = fee * 10n ** 9n
  const hash = await wallet.sendTransaction({
    chain: null,
    nonce,
    to,
    value,
    data,
    gas: 200_000n,
    maxFeePerGas,
    maxPriorityFeePerGas: maxFeePerGas,
  })
  return { hash, from: account(from).address, nonce, to, value, data }
}

describe('transactionOutcome, polled', () => {
  it('resolves as confirmed (spec §4)', async () => {
    const sent = await send(0, 0)
    expect(await waitForReceipt(rpc, sent, { clock: systemClock(), signal })).toMatchObject({
      kind: 'confirmed',
      receipt: { transactionHash: sent.hash },
    })
  })

  it('resolves as reverted (spec §4)', async () => {
    const data: Hex = `0xa9059cbb${friend.slice(2).toLowerCase().padStart(64, '0')}${'f'.repeat(64)}`
    const sent = await send(1, 0, { to: devnetContracts.dollar, value: 0n, data })
    expect(await waitForReceipt(rpc, sent, { clock: systemClock(), signal })).toMatchObject({ kind: 'reverted' })
  })

  it.each([
    ['repriced', 2, {}],
    ['cancelled', 3, { to: account(3).address, value: 0n }],
    ['replaced', 4, { value: 7n }],
  ] as const)('resolves as replaced: %s (spec §4)', async (reason, from, other) => {
    await tests.setAutomine(false)
    const sent = await send(from, 0)
    expect(await transactionOutcome(rpc, sent, signal)).toBeNull()
    const second = await send(from, 0, { ...other, fee: 40n })
    await tests.mine({ blocks: 1 })
    await tests.setAutomine(true)
    expect(await waitForReceipt(rpc, sent, { clock: systemClock(), signal })).toEqual({
      kind: 'replaced',
      reason,
      hash: second.hash,
    })
  })
})

describe('transactionOutcome of nodes that lag', () => {
  const sent: SentTransaction = {
    hash: `0x${'ab'.repeat(32)}`,
    from: friend,
    nonce: 7,
    to: account(0).address,
    value: 1n,
    data: '0x',
  }
  const { hash, from, to, data: input } = sent
  const mined = { hash, from, nonce: '0x7', to, value: '0x1', input }
  const node = (answers: Readonly<Record<string, unknown>>): JsonRpcClient => ({
    async request({ method }) {
      return { eth_getTransactionCount: '0x8', eth_blockNumber: '0x10', eth_getTransactionByHash: null, ...answers }[
        method
      ]
    },
  })
  const block = (...transactions: unknown[]) => ({ number: '0x10', transactions })

  it.each([
    ['1. is pending in a block without a receipt', { eth_getBlockByNumber: block(mined) }],
    [
      '1. is pending if a block older than those searched has it',
      { eth_getBlockByNumber: block(), eth_getTransactionByHash: { ...mined, blockHash: `0x${'ef'.repeat(32)}` } },
    ],
    ['2. is pending if the node that has the count lacks the block', { eth_getBlockByNumber: null }],
  ])('%s', async (_, answers) => {
    expect(await transactionOutcome(node({ eth_getTransactionReceipt: null, ...answers }), sent, signal)).toBeNull()
  })

  it('1. is replaced by another transaction with the nonce, also if that is not found', async () => {
    const other = { ...mined, hash: `0x${'cd'.repeat(32)}`, value: '0x2' }
    const outcome = (blocks: unknown) =>
      transactionOutcome(node({ eth_getTransactionReceipt: null, eth_getBlockByNumber: blocks }), sent, signal)
    expect(await outcome(block(other))).toEqual({ kind: 'replaced', reason: 'replaced', hash: other.hash })
    expect(await outcome(block())).toEqual({ kind: 'replaced', reason: 'replaced', hash: null })
  })
})

/** To the next poll. */
async function pass(clock: ManualClock): Promise<void> {
  await expect.poll(() => clock.pending(), { interval: 1 }).toBe(1)
  clock.advance(4_000)
}

describe('polling', () => {
  const sent: SentTransaction = {
    hash: `0x${'1'.repeat(64)}`,
    from: friend,
    nonce: 0,
    to: friend,
    value: 0n,
    data: '0x',
  }
  const pending: JsonRpcClient = {
    request: async ({ method }) => (method === 'eth_getTransactionCount' ? '0x0' : null),
  }
  const failing: JsonRpcClient = { request: () => Promise.reject(new Failure('INTERNAL')) }

  it('1. times out after 180 s (spec §9)', async () => {
    const clock = manualClock()
    const waiting = waitForReceipt(pending, sent, { clock, signal })
    const ended = expect(waiting).rejects.toMatchObject({ code: 'TIMEOUT' })
    for (let at = 0; at < 45; at += 1) await pass(clock)
    await ended
  })

  it('2. tolerates six failures in a row, not seven (spec §9)', async () => {
    const clock = manualClock()
    let requests = 0
    const counting: JsonRpcClient = {
      request: (request) => {
        requests += request.method === 'eth_getTransactionReceipt' ? 1 : 0
        return failing.request(request)
      },
    }
    const ended = expect(waitForReceipt(counting, sent, { clock, signal })).rejects.toMatchObject({ code: 'INTERNAL' })
    for (let at = 0; at < 6; at += 1) await pass(clock)
    await ended
    expect(requests).toBe(7)
  })

  it('3. stops when its signal aborts', async () => {
    const controller = new AbortController()
    const ended = expect(
      waitForReceipt(pending, sent, { clock: manualClock(), signal: controller.signal }),
    ).rejects.toMatchObject({ code: 'ABORTED' })
    controller.abort()
    await ended
  })
})
