import { describe, expect, it } from 'vitest'
import type { JsonRpcClient } from '../json-rpc'
import { solanaOutcome } from './outcome'
import { testSigner, testTransaction } from './testing/test-transaction'

const signal = new AbortController().signal
const ada = await testSigner(1)
const transaction = testTransaction([ada.address])
const signature = '5'.repeat(88)

/** Each status and each height in its turn, the last one again and again. The newest blockhash holds until 250. */
function chain(statuses: readonly unknown[], heights: readonly number[] = [100]) {
  const left = [...statuses]
  const ahead = [...heights]
  const asked: string[] = []
  const rpc: JsonRpcClient = {
    async request({ method }) {
      asked.push(method)
      if (method === 'getLatestBlockhash') return { value: { blockhash: 'b', lastValidBlockHeight: 250 } }
      if (method === 'getBlockHeight') return ahead.length > 1 ? ahead.shift() : ahead[0]
      const status = left.length > 1 ? left.shift() : left[0]
      return { context: { slot: 9 }, value: [status ?? null] }
    },
  }
  const look = solanaOutcome(rpc, { signature, transaction })
  return { asked, look: () => look(signal) }
}

const status = (confirmationStatus: string, err: unknown = null) => ({
  slot: 1,
  confirmations: 0,
  err,
  confirmationStatus,
})

describe('solanaOutcome', () => {
  it('1. waits until two thirds of the stake voted', async () => {
    expect(await chain([status('processed')]).look()).toBeNull()
    expect(await chain([status('confirmed')]).look()).toEqual({ kind: 'confirmed' })
    expect(await chain([status('finalized')]).look()).toEqual({ kind: 'confirmed' })
    expect(await chain([status('processed', { InstructionError: [0, 'x'] })]).look()).toBeNull()
  })

  it('1. says why it failed in the chain’s words', async () => {
    const { look } = chain([status('confirmed', { InstructionError: [0, { Custom: 1 }] })])
    expect(await look()).toEqual({ kind: 'failed', reason: 'InstructionError 0 Custom 1' })
  })

  it('2. waits while a block may hold it, and expired after that', async () => {
    const { look, asked } = chain([null], [250, 251])
    expect(await look()).toBeNull()
    expect(await look()).toEqual({ kind: 'expired' })
    // What the newest blockhash is later says nothing of this one.
    expect(asked.filter((method) => method === 'getLatestBlockhash')).toHaveLength(1)
  })

  it('2. is not expired when it landed between the two questions', async () => {
    const { look, asked } = chain([null, status('confirmed')], [251])
    expect(await look()).toEqual({ kind: 'confirmed' })
    expect(asked).toEqual(['getSignatureStatuses', 'getLatestBlockhash', 'getBlockHeight', 'getSignatureStatuses'])
  })

  it('an answer that is none is a failure, not an end', async () => {
    const rpc: JsonRpcClient = { request: async () => ({ value: [] }) }
    await expect(solanaOutcome(rpc, { signature, transaction })(signal)).rejects.toMatchObject({ code: 'INTERNAL' })
  })
})
