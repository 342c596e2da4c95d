import { describe, expect, it } from 'vitest'
import type { JsonRpcClient } from '../../services/json-rpc'
import { solanaOutcome } from './outcome'
import { testSigner, testTransaction } from './testing/test-transaction'

const signal = new AbortController().signal
const ada = await testSigner(1)
const transaction = testTransaction([ada.address])
const signature = '5'.repeat(88)

/** Each status in its turn, the last one again and again. */
function chain(statuses: readonly unknown[], isValid = true) {
  const left = [...statuses]
  const asked: string[] = []
  const rpc: JsonRpcClient = {
    async request({ method }) {
      asked.push(method)
      if (method === 'isBlockhashValid') return { context: { slot: 9 }, value: isValid }
      const status = left.length > 1 ? left.shift() : left[0]
      return { context: { slot: 9 }, value: [status ?? null] }
    },
  }
  return { asked, look: (wire = transaction) => solanaOutcome(rpc, { signature, transaction: wire }, signal) }
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

  it('2. waits while its blockhash is young, and expired after that', async () => {
    expect(await chain([null]).look()).toBeNull()
    expect(await chain([null], false).look()).toEqual({ kind: 'expired' })
  })

  it('2. is not expired when it landed between the two questions', async () => {
    const { look, asked } = chain([null, status('confirmed')], false)
    expect(await look()).toEqual({ kind: 'confirmed' })
    expect(asked).toEqual(['getSignatureStatuses', 'isBlockhashValid', 'getSignatureStatuses'])
  })

  it('an answer that is none is a failure, not an end', async () => {
    const rpc: JsonRpcClient = { request: async () => ({ value: [] }) }
    await expect(solanaOutcome(rpc, { signature, transaction }, signal)).rejects.toMatchObject({ code: 'INTERNAL' })
  })
})
