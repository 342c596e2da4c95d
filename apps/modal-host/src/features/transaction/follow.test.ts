import { manualClock } from '@postern/base/testing/manual-clock'
import type { ChainClient } from '@postern/chains/chain-client'
import { Failure } from '@postern/protocol/failure'
import { describe, expect, it } from 'vitest'
import { type Follow, followTransaction } from './follow'

const hash = `0x${'12'.repeat(32)}`
const from = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const fail = () => Promise.reject(new Failure('INTERNAL'))

function setUp(changes: Partial<Follow> & { answers?: Record<string, unknown> } = {}) {
  const { answers = {}, ...rest } = changes
  const client: ChainClient = {
    networkId: 'eip155:1',
    rpc: { request: async ({ method }) => answers[method] ?? null },
    esplora: { get: fail, post: fail },
  }
  const clock = manualClock()
  const controller = new AbortController()
  const follow: Follow = { sent: { kind: 'transaction', hash }, from, params: [{}], client, request: fail, ...rest }
  return { clock, controller, ended: followTransaction(follow, { clock, signal: controller.signal }) }
}

describe('followTransaction', () => {
  it('reports the outcome of a hash', async () => {
    const known = { hash, from, nonce: '0x3', to: from, value: '0x7', input: '0x' }
    const receipt = {
      transactionHash: hash,
      blockHash: `0x${'00'.repeat(32)}`,
      blockNumber: '0x9',
      gasUsed: '0x5208',
      status: '0x1',
      logs: [],
    }
    const { ended } = setUp({
      answers: { eth_getTransactionByHash: known, eth_getTransactionCount: '0x4', eth_getTransactionReceipt: receipt },
    })
    expect(await ended).toEqual({ kind: 'ended', hash, outcome: { kind: 'confirmed' } })
  })

  it('polls the wallet for its batch until it ends', async () => {
    const requests: unknown[] = []
    const answers = [{ status: 100 }, { status: 500, receipts: [{ transactionHash: hash }] }]
    const { ended, clock } = setUp({
      sent: { kind: 'calls', id: 'batch' },
      request: async (...request) => {
        requests.push(request.slice(0, 3))
        return answers.shift()
      },
    })
    await expect.poll(() => clock.pending(), { interval: 1 }).toBe(1)
    clock.advance(4_000)
    expect(await ended).toEqual({ kind: 'ended', hash, outcome: { kind: 'reverted', reason: null } })
    expect(requests).toEqual(Array.from({ length: 2 }, () => ['eip155', 'wallet_getCallsStatus', ['batch']]))
  })

  it('1. is unknown without a response, and stops with its signal', async () => {
    const lost = setUp({ sent: { kind: 'calls', id: 'batch' } })
    for (let failures = 0; failures < 6; failures += 1) {
      await expect.poll(() => lost.clock.pending(), { interval: 1 }).toBe(1)
      lost.clock.advance(4_000)
    }
    expect(await lost.ended).toEqual({ kind: 'ended', hash: null, outcome: { kind: 'unknown' } })

    const left = setUp()
    left.controller.abort()
    await expect(left.ended).rejects.toMatchObject({ code: 'ABORTED' })
  })
})
