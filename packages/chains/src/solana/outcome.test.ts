import { describe, expect, it } from 'vitest'
import type { JsonRpcClient } from '../nodes/json-rpc'
import { solanaOutcome } from './outcome'
import { testSigner, testTransaction } from './testing/test-transaction'

const signal = new AbortController().signal
const ada = await testSigner(1)
const transaction = testTransaction([ada.address])
const signature = '5'.repeat(88)

/** Each status and height in turn, the last one repeated. Valid until height 250. */
function chain(statuses: readonly unknown[], heights: readonly number[] = [100]) {
  const left = [...statuses]
  const ahead = [...heights]
  const requests: string[] = []
  const rpc: JsonRpcClient = {
    async request({ method }) {
      requests.push(method)
      if (method === 'getLatestBlockhash') return { value: { blockhash: 'b', lastValidBlockHeight: 250 } }
      if (method === 'getBlockHeight') return ahead.length > 1 ? ahead.shift() : ahead[0]
      const status = left.length > 1 ? left.shift() : left[0]
      return { context: { slot: 9 }, value: [status ?? null] }
    },
  }
  const look = solanaOutcome(rpc, { signature, transaction })
  return { requests, look: () => look(signal) }
}

const status = (confirmationStatus: string, err: unknown = null) => ({
  slot: 1,
  confirmations: 0,
  err,
  confirmationStatus,
})

describe('solanaOutcome', () => {
  it('1. waits until two thirds of the stake voted for the block', async () => {
    expect(await chain([status('processed')]).look()).toBeNull()
    expect(await chain([status('confirmed')]).look()).toEqual({ kind: 'confirmed' })
    expect(await chain([status('finalized')]).look()).toEqual({ kind: 'confirmed' })
    expect(await chain([status('processed', { InstructionError: [0, 'x'] })]).look()).toBeNull()
  })

  it('1. reports the failure in the chain’s own words', async () => {
    const { look } = chain([status('confirmed', { InstructionError: [0, { Custom: 1 }] })])
    expect(await look()).toEqual({ kind: 'failed', reason: 'InstructionError 0 Custom 1' })
  })

  it('2. waits while a block may include it, then expires', async () => {
    const { look, requests } = chain([null], [250, 251])
    expect(await look()).toBeNull()
    expect(await look()).toEqual({ kind: 'expired' })
    // A later blockhash says nothing about this one.
    expect(requests.filter((method) => method === 'getLatestBlockhash')).toHaveLength(1)
  })

  it('2. does not expire if it landed between the two checks', async () => {
    const { look, requests } = chain([null, status('confirmed')], [251])
    expect(await look()).toEqual({ kind: 'confirmed' })
    expect(requests).toEqual(['getSignatureStatuses', 'getLatestBlockhash', 'getBlockHeight', 'getSignatureStatuses'])
  })

  it('rejects on a malformed response instead of settling', async () => {
    const rpc: JsonRpcClient = { request: async () => ({ value: [] }) }
    await expect(solanaOutcome(rpc, { signature, transaction })(signal)).rejects.toMatchObject({
      code: 'NETWORK_UNREACHABLE',
    })
  })
})
