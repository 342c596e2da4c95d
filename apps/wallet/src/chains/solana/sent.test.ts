import { manualClock } from '@postern/base/testing/manual-clock'
import { testSigner, testTransaction } from '@postern/chains/solana/testing/test-transaction'
import { base58 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { memoryNotes } from '../notes'
import { testContext } from '../testing'
import { createSolanaChain } from './chain'

const owner = await testSigner(1)
const networkId = 'solana:PosternDevnet1111111111111111111'
const Call = z.object({ id: z.number(), method: z.string() })

type Fate = 'arrives' | 'hangs' | 'is cut off' | 'is refused'
type Status = { readonly err: unknown; readonly confirmationStatus: string } | null

function setUp() {
  let fate: Fate = 'arrives'
  let status: Status = null
  let height = 100
  let asked = 0
  let end = new AbortController()
  const notes = memoryNotes()
  const clock = manualClock(1_800_000_000_000)
  const context = testContext({
    networkId,
    addresses: { ...testContext({}).addresses, solana: owner.address },
    sign: async (job) => {
      if (job.kind !== 'solana.transactions') throw new Error('no transaction')
      return (await Promise.all(job.transactions.map((one) => owner.sign(one)))).map((one) => one.transaction).join(' ')
    },
    fetch: async (_, given) => {
      const { id, method } = Call.parse(JSON.parse(String(given?.body)))
      const answer = (result: unknown) => Response.json({ jsonrpc: '2.0', id, result })
      if (method === 'getSignatureStatuses') return answer({ value: [status] })
      if (method === 'getLatestBlockhash') return answer({ value: { lastValidBlockHeight: height + 150 } })
      if (method === 'getBlockHeight') return answer(height)
      asked += 1
      if (fate === 'hangs') return new Promise(() => {})
      if (fate === 'is cut off') {
        end.abort()
        throw new TypeError('Failed to fetch')
      }
      if (fate === 'is refused')
        return Response.json({ jsonrpc: '2.0', id, error: { code: -32_002, message: 'Transaction simulation failed' } })
      return answer('ignored')
    },
  })
  const tab = () => {
    const wallet = createSolanaChain(notes, clock)
    const here = { ...context, signal: end.signal }
    const prepare = async (note: number, blockhash = 9) => {
      const recent = base58.encode(new Uint8Array(32).fill(blockhash))
      const transaction = testTransaction([owner.address], { note, blockhash: recent })
      return (await wallet.prepare('solana_signAndSendTransaction', { transaction }, here)).subject
    }
    return {
      prepare,
      pay: async (note: number, blockhash?: number) =>
        wallet.execute('solana_signAndSendTransaction', await prepare(note, blockhash), here),
    }
  }
  return {
    tab,
    clock,
    asked: () => asked,
    status: (next: Status) => {
      status = next
    },
    pass: (blocks: number) => {
      height += blocks
    },
    in: (next: Fate) => {
      fate = next
      end = new AbortController()
    },
  }
}

const pending = { code: 'REQUEST_PENDING' }

describe('a transaction that may or may not have arrived', () => {
  it('2. holds up the next one until no block can include it', async () => {
    const { tab, in: during, pass } = setUp()
    during('is cut off')
    await expect(tab().pay(1)).rejects.toMatchObject({ code: 'ABORTED' })
    during('arrives')
    for (const _ of [1, 2]) await expect(tab().prepare(2)).rejects.toMatchObject(pending)
    pass(150)
    await expect(tab().prepare(2)).rejects.toMatchObject(pending)
    pass(1)
    await tab().pay(2)
  })

  it('3. is reported once if it was included', async () => {
    const { tab, in: during, status } = setUp()
    during('is cut off')
    await expect(tab().pay(1)).rejects.toThrow()
    during('arrives')
    status({ err: null, confirmationStatus: 'processed' })
    await expect(tab().prepare(2)).rejects.toMatchObject(pending)
    status({ err: null, confirmationStatus: 'confirmed' })
    await expect(tab().prepare(2)).rejects.toMatchObject({ code: 'TRANSACTION_REPLACED' })
    await tab().prepare(2)
  })

  it('3. is not told if it failed', async () => {
    const { tab, in: during, status } = setUp()
    during('is cut off')
    await expect(tab().pay(1)).rejects.toThrow()
    during('arrives')
    status({ err: { InstructionError: [0, 'Custom'] }, confirmationStatus: 'finalized' })
    await tab().prepare(2)
  })

  it('2. had its frame reloaded while it was sent: the next one waits', async () => {
    const { tab, in: during, asked, clock } = setUp()
    during('hangs')
    void tab()
      .pay(1)
      .catch(() => undefined)
    await expect.poll(asked).toBe(1)
    during('arrives')
    await expect(tab().prepare(2)).rejects.toMatchObject(pending)
    clock.advance(60_000)
    await expect(tab().prepare(2)).rejects.toMatchObject(pending)
  })

  it('4. and that the node refused holds up its call with another blockhash, until no block can include it', async () => {
    const { tab, in: during, pass } = setUp()
    during('is refused')
    await expect(tab().pay(1)).rejects.toThrow('simulation failed')
    during('arrives')
    await expect(tab().prepare(1, 8)).rejects.toMatchObject(pending)
    await tab().pay(2)
    pass(151)
    await tab().pay(1, 8)
  })

  it('4. and that the node refused long ago holds up nothing: the wait does not begin at the next request', async () => {
    const { tab, in: during, pass } = setUp()
    during('is refused')
    await expect(tab().pay(1)).rejects.toThrow('simulation failed')
    during('arrives')
    pass(151)
    await tab().pay(1, 8)
  })

  it('4. and that the node refused may be sent again as it is: the chain takes it once', async () => {
    const { tab, in: during } = setUp()
    during('is refused')
    await expect(tab().pay(1)).rejects.toThrow('simulation failed')
    during('arrives')
    await tab().pay(1)
  })

  it('4. and that the node refused is reported once if it was included after all', async () => {
    const { tab, in: during, status } = setUp()
    during('is refused')
    await expect(tab().pay(1)).rejects.toThrow('simulation failed')
    during('arrives')
    status({ err: null, confirmationStatus: 'confirmed' })
    await expect(tab().prepare(1, 8)).rejects.toMatchObject({ code: 'TRANSACTION_REPLACED' })
    await tab().prepare(1, 8)
  })

  it('4. holds up no other call if the node refused it', async () => {
    const { tab, in: during } = setUp()
    during('is refused')
    await expect(tab().pay(1)).rejects.toThrow('simulation failed')
    during('arrives')
    await tab().pay(2)
  })

  it('5. holds up nothing if the caller has its signature', async () => {
    const { tab } = setUp()
    await tab().pay(1)
    await tab().pay(1, 8)
  })

  it('5. holds up no other request of its own frame while it is sent', async () => {
    const { tab, in: during, asked } = setUp()
    const one = tab()
    during('hangs')
    void one.pay(1).catch(() => undefined)
    await expect.poll(asked).toBe(1)
    during('arrives')
    await one.pay(2)
  })
})
