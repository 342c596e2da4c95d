import { manualClock } from '@postern/base/testing/manual-clock'
import { limits } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { describe, expect, it } from 'vitest'
import type { JsonRpcClient } from '../nodes/json-rpc'
import { type SignTransaction, signAndSend } from './send'
import { testSigner, testTransaction } from './testing/test-transaction'

const signal = new AbortController().signal
const [ada, bob] = await Promise.all([testSigner(1), testSigner(2)])
const transaction = testTransaction([ada.address])

function setUp(answer: () => Promise<unknown> = async () => 'whatever') {
  const requests: { method: string; params?: unknown }[] = []
  const rpc = {
    request(request: { method: string; params?: unknown }) {
      requests.push(request)
      return answer()
    },
  }
  const send = (sign: SignTransaction, asking = transaction, account = ada.address) =>
    signAndSend({ transaction: asking, account }, { sign, rpc }, signal)
  return { requests, send, rpc }
}

describe('signAndSend', () => {
  it('sends what the wallet signed, and returns its first signature', async () => {
    const { requests, send } = setUp()
    const signed = await ada.sign(transaction)
    expect(await send(ada.sign)).toEqual({ signature: signed.signature })
    expect(requests).toEqual([
      {
        method: 'sendTransaction',
        params: [signed.transaction, { preflightCommitment: 'confirmed', encoding: 'base64' }],
      },
    ])
  })

  it('inserts the signature itself if the wallet returns only that', async () => {
    const { requests, send } = setUp()
    const { signature, transaction: whole } = await ada.sign(transaction)
    expect(await send(async () => ({ signature }))).toEqual({ signature })
    expect(requests[0]?.params).toMatchObject([whole, {}])
  })

  it('passes on the send options, but not the encoding', async () => {
    const { requests, rpc } = setUp()
    const sendOptions = { skipPreflight: true, maxRetries: 2, preflightCommitment: 'processed' as const }
    await signAndSend({ transaction, account: ada.address, sendOptions }, { sign: ada.sign, rpc }, signal)
    expect(requests[0]?.params).toMatchObject([{}, { ...sendOptions, encoding: 'base64' }].with(0, expect.any(String)))
  })

  it('1. does not ask the wallet about an invalid transaction or one that the account does not sign', async () => {
    const { requests, send } = setUp()
    let isAsked = false
    const sign: SignTransaction = (text) => {
      isAsked = true
      return ada.sign(text)
    }
    await expect(send(sign, 'AAAA')).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    await expect(send(sign, transaction, bob.address)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    expect([isAsked, requests]).toEqual([false, []])
  })

  it('2. accepts a transaction that the wallet extended, and returns its signature', async () => {
    const { send } = setUp()
    const other = await ada.sign(testTransaction([ada.address], { note: 7 }))
    expect(await send(async () => ({ ...other, signature: '1'.repeat(64) }))).toEqual({ signature: other.signature })
  })

  it('2. sends nothing if the account did not sign or another account pays', async () => {
    const { requests, send } = setUp()
    const foreign = await bob.sign(testTransaction([bob.address]))
    await expect(send(async () => foreign)).rejects.toMatchObject({ code: 'TRANSACTION_MISMATCH' })
    const paidByBob = await bob.sign((await ada.sign(testTransaction([bob.address, ada.address]))).transaction)
    await expect(send(async () => paidByBob)).rejects.toMatchObject({ code: 'TRANSACTION_MISMATCH' })
    const unsigned = { signature: '1'.repeat(64), transaction }
    await expect(send(async () => unsigned)).rejects.toMatchObject({ code: 'TRANSACTION_MISMATCH' })
    await expect(send(async () => ({ ...unsigned, transaction: 'AAAA' }))).rejects.toMatchObject({
      code: 'TRANSACTION_MISMATCH',
    })
    expect(requests).toEqual([])
  })

  it('3. sends nothing while another signer’s signature is missing', async () => {
    const { requests, send } = setUp()
    const both = testTransaction([ada.address, bob.address])
    await expect(send(ada.sign, both)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(requests).toEqual([])
    await send(ada.sign, (await bob.sign(both)).transaction)
    expect(requests).toHaveLength(1)
  })

  it('4. treats an already processed transaction as sent, and passes on any other failure', async () => {
    const fail = (message: string) => setUp(() => Promise.reject(new Failure('INTERNAL', { message, rpc: -32002 })))
    const known = fail('Transaction simulation failed: This transaction has already been processed')
    expect(await known.send(ada.sign)).toEqual({ signature: (await ada.sign(transaction)).signature })
    await expect(fail('Blockhash not found').send(ada.sign)).rejects.toMatchObject({
      message: 'Blockhash not found',
      rpc: -32002,
    })
  })

  it('4. treats a transaction that the chain knows as sent, even if the endpoint refused it', async () => {
    const refused = { code: -32002, message: 'Blockhash not found' }
    const taken = chain({ send: refused, statuses: [processed] })
    expect(await taken.sending).toEqual({ signature: await signed() })
    expect(taken.requests).toEqual(['sendTransaction', 'getSignatureStatuses'])
    const unknown = chain({ send: refused, statuses: [null] })
    await expect(unknown.sending).rejects.toMatchObject({ rpc: -32002 })
  })

  it.each(['TIMEOUT', 'INTERNAL'] as const)(
    '5. polls until the chain knows the transaction if the endpoint does not respond: %s',
    async (send) => {
      const { sending, pass } = chain({ send, statuses: [null, null, null, processed] })
      await pass(3)
      expect(await sending).toEqual({ signature: await signed() })
    },
  )

  it('5. reports a drop only when no block can include its blockhash any more', async () => {
    const { sending, pass, requests, at } = chain({ heights: [100, 250, 251] })
    await pass(2)
    await expect(sending).rejects.toMatchObject({ code: 'TRANSACTION_DROPPED', data: { sentHash: await signed() } })
    expect(requests.filter((method) => method === 'getLatestBlockhash')).toHaveLength(1)
    expect(requests.slice(-2)).toEqual(['getBlockHeight', 'getSignatureStatuses'])
    expect(at()).toBe(2 * limits.rpcPollingInterval)
  })

  it('5. does not report a drop if it landed between the last two checks', async () => {
    const { sending } = chain({ heights: [251], statuses: [null, processed] })
    expect(await sending).toEqual({ signature: await signed() })
  })

  it('5. is unconfirmed if no node responds, and with a durable nonce, which does not expire', async () => {
    const lost = chain({ statuses: ['TIMEOUT'] })
    await lost.pass(6)
    await expect(lost.sending).rejects.toMatchObject({
      code: 'TRANSACTION_UNCONFIRMED',
      data: { sentHash: await signed() },
    })
    const durable = chain({ heights: [251], wire: durableTransaction })
    await durable.pass(45)
    await expect(durable.sending).rejects.toMatchObject({ code: 'TRANSACTION_UNCONFIRMED' })
    expect(durable.requests).not.toContain('getBlockHeight')
  })

  it('5. stops when its signal aborts', async () => {
    const { sending, pass, controller } = chain({})
    await pass(1)
    controller.abort()
    await expect(sending).rejects.toMatchObject({ code: 'ABORTED' })
  })
})

const processed = { slot: 1, confirmations: 0, err: null, confirmationStatus: 'processed' }
const signed = async () => (await ada.sign(transaction)).signature
const durableTransaction = testTransaction([ada.address], { program: '1'.repeat(32), note: 4 })

type Failing = 'TIMEOUT' | 'INTERNAL' | { readonly code: number; readonly message: string }

function failureOf(failing: Failing): Failure {
  if (typeof failing === 'string') return new Failure(failing)
  return new Failure('INTERNAL', { message: failing.message, rpc: failing.code })
}

/** Fails on send. Each status and height in turn, the last one repeated; blockhashes are valid until height 250. */
function chain({
  send = 'TIMEOUT',
  statuses = [null],
  heights = [100],
  wire = transaction,
}: {
  readonly send?: Failing
  readonly statuses?: readonly (object | null | 'TIMEOUT')[]
  readonly heights?: readonly number[]
  readonly wire?: string
}) {
  const requests: string[] = []
  const clock = manualClock()
  const start = clock.now()
  const controller = new AbortController()
  const next = <T>(list: readonly T[], method: string) =>
    list[Math.min(requests.filter((one) => one === method).length, list.length) - 1]
  const rpc: JsonRpcClient = {
    async request({ method }) {
      requests.push(method)
      if (method === 'sendTransaction') throw failureOf(send)
      if (method === 'getBlockHeight') return next(heights, method)
      if (method === 'getLatestBlockhash') return { value: { blockhash: 'b', lastValidBlockHeight: 250 } }
      const status = next(statuses, method)
      if (status === 'TIMEOUT') throw new Failure('TIMEOUT')
      return { context: { slot: 1 }, value: [status] }
    },
  }
  const sending = signAndSend(
    { transaction: wire, account: ada.address },
    { sign: ada.sign, rpc, clock },
    controller.signal,
  )
  sending.catch(() => undefined)
  return {
    requests,
    sending,
    controller,
    at: () => clock.now() - start,
    async pass(times: number): Promise<void> {
      for (let count = 0; count < times; count += 1) {
        await expect.poll(() => clock.pending(), { interval: 1 }).toBe(1)
        clock.advance(limits.rpcPollingInterval)
      }
    },
  }
}
