import { manualClock } from '@postern/base/testing/manual-clock'
import { describe, expect, it } from 'vitest'
import type { ChainClient } from '../chain-client'
import { followTransaction } from './outcome'

const [hash, otherHash] = [`0x${'12'.repeat(32)}`, `0x${'34'.repeat(32)}`]
const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const to = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const known = { hash, from, nonce: '0x3', to, value: '0x7', input: '0x' }
const receipt = {
  transactionHash: hash,
  blockHash: `0x${'00'.repeat(32)}`,
  blockNumber: '0x9',
  gasUsed: '0x5208',
  status: '0x1',
  logs: [],
}

/** The test sets responses by method. */
function evm(answers: Record<string, unknown>) {
  const client: ChainClient = {
    networkId: 'eip155:1',
    rpc: {
      async request({ method, params }) {
        const answer = answers[method]
        return (typeof answer === 'function' ? answer(params) : answer) ?? null
      },
    },
    esplora: { get: () => Promise.reject(new Error()), post: () => Promise.reject(new Error()) },
  }
  const clock = manualClock()
  const controller = new AbortController()
  const wait = { clock, signal: controller.signal }
  /** Changes the responses after the current poll, then advances to the next. */
  async function pass(changes: Record<string, unknown> = {}): Promise<void> {
    await expect.poll(() => clock.pending(), { interval: 1 }).toBe(1)
    Object.assign(answers, changes)
    clock.advance(4_000)
  }
  return { client, wait, pass, controller }
}

describe('followTransaction', () => {
  it('follows a transaction by its hash once the chain has seen it', async () => {
    const { client, wait, pass } = evm({ eth_getTransactionCount: '0x3' })
    const ended = followTransaction(client, { namespace: 'eip155', hash }, wait)
    await pass({ eth_getTransactionByHash: known })
    const other = { ...known, hash: otherHash, value: '0x8' }
    await pass({
      eth_getTransactionByHash: null,
      eth_getTransactionCount: '0x4',
      eth_blockNumber: '0x9',
      eth_getBlockByNumber: { number: '0x9', transactions: [other] },
    })
    expect(await ended).toEqual({ kind: 'replaced', hash: otherHash })
  })

  it('does not report a replacement if a node lags behind the one that returned the nonce', async () => {
    const { client, wait, pass } = evm({
      eth_getTransactionByHash: known,
      eth_getTransactionCount: ([, block]: readonly unknown[]) => (block === 'latest' ? '0x4' : '0x3'),
      eth_blockNumber: '0x8',
      eth_getBlockByNumber: { number: '0x8', transactions: [] },
    })
    const ended = followTransaction(client, { namespace: 'eip155', hash }, wait)
    await pass({ eth_getTransactionCount: '0x4', eth_blockNumber: '0x9', eth_getBlockByNumber: null })
    await pass({ eth_getTransactionReceipt: receipt })
    expect(await ended).toEqual({ kind: 'confirmed', hash })
  })

  it('reports a replacement that is too old to find', async () => {
    const { client, wait } = evm({
      eth_getTransactionByHash: known,
      eth_getTransactionCount: '0x4',
      eth_blockNumber: '0x99',
      eth_getBlockByNumber: { number: '0x99', transactions: [] },
    })
    const ended = followTransaction(client, { namespace: 'eip155', hash }, wait)
    expect(await ended).toEqual({ kind: 'replaced', hash: null })
  })

  it('reports a confirmation', async () => {
    const answers = {
      eth_getTransactionByHash: known,
      eth_getTransactionCount: '0x4',
      eth_getTransactionReceipt: receipt,
    }
    const { client, wait } = evm(answers)
    expect(await followTransaction(client, { namespace: 'eip155', hash }, wait)).toEqual({ kind: 'confirmed', hash })
  })

  it('is unknown after 180 s if the chain never saw the transaction', async () => {
    const { client, wait, pass } = evm({})
    const ended = followTransaction(client, { namespace: 'eip155', hash }, wait)
    for (let at = 0; at < 45; at += 1) await pass()
    expect(await ended).toEqual({ kind: 'unknown', hash })
  })

  it('stops when its signal aborts', async () => {
    const { client, wait, controller } = evm({})
    const ended = expect(followTransaction(client, { namespace: 'eip155', hash }, wait)).rejects.toMatchObject({
      code: 'ABORTED',
    })
    controller.abort()
    await ended
  })
})
