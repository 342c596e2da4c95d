import { describe, expect, it } from 'vitest'
import { LinkFailure } from '../../link/failure'
import { type SignTransaction, signAndSend } from './send'
import { testSigner, testTransaction } from './testing/test-transaction'

const signal = new AbortController().signal
const [ada, bob] = await Promise.all([testSigner(1), testSigner(2)])
const transaction = testTransaction([ada.address])

function setUp(answer: () => Promise<unknown> = async () => 'whatever') {
  const asked: { method: string; params?: unknown }[] = []
  const rpc = {
    request(request: { method: string; params?: unknown }) {
      asked.push(request)
      return answer()
    },
  }
  const send = (sign: SignTransaction, asking = transaction, account = ada.address) =>
    signAndSend({ transaction: asking, account }, { sign, rpc }, signal)
  return { asked, send, rpc }
}

describe('signAndSend', () => {
  it('sends what the wallet signed, and answers with its first signature', async () => {
    const { asked, send } = setUp()
    const signed = await ada.sign(transaction)
    expect(await send(ada.sign)).toEqual({ signature: signed.signature })
    expect(asked).toEqual([
      {
        method: 'sendTransaction',
        params: [signed.transaction, { preflightCommitment: 'confirmed', encoding: 'base64' }],
      },
    ])
  })

  it('puts the signature in itself where the wallet answers with nothing else', async () => {
    const { asked, send } = setUp()
    const { signature, transaction: whole } = await ada.sign(transaction)
    expect(await send(async () => ({ signature }))).toEqual({ signature })
    expect(asked[0]?.params).toMatchObject([whole, {}])
  })

  it('passes on how to send, but not how to write', async () => {
    const { asked, rpc } = setUp()
    const sendOptions = { skipPreflight: true, maxRetries: 2, preflightCommitment: 'processed' as const }
    await signAndSend({ transaction, account: ada.address, sendOptions }, { sign: ada.sign, rpc }, signal)
    expect(asked[0]?.params).toMatchObject([{}, { ...sendOptions, encoding: 'base64' }].with(0, expect.any(String)))
  })

  it('1. asks no wallet for what is no transaction, or none of the account’s', async () => {
    const { asked, send } = setUp()
    let isAsked = false
    const sign: SignTransaction = (text) => {
      isAsked = true
      return ada.sign(text)
    }
    await expect(send(sign, 'AAAA')).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    await expect(send(sign, transaction, bob.address)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    expect([isAsked, asked]).toEqual([false, []])
  })

  it('2. takes a transaction that the wallet added to, and its signature is the answer', async () => {
    const { send } = setUp()
    const other = await ada.sign(testTransaction([ada.address], { note: 7 }))
    expect(await send(async () => ({ ...other, signature: '1'.repeat(64) }))).toEqual({ signature: other.signature })
  })

  it('2. sends nothing that the account did not sign, or that somebody else pays', async () => {
    const { asked, send } = setUp()
    const foreign = await bob.sign(testTransaction([bob.address]))
    await expect(send(async () => foreign)).rejects.toMatchObject({ code: 'TRANSACTION_MISMATCH' })
    const paidByBob = await bob.sign((await ada.sign(testTransaction([bob.address, ada.address]))).transaction)
    await expect(send(async () => paidByBob)).rejects.toMatchObject({ code: 'TRANSACTION_MISMATCH' })
    const unsigned = { signature: '1'.repeat(64), transaction }
    await expect(send(async () => unsigned)).rejects.toMatchObject({ code: 'TRANSACTION_MISMATCH' })
    await expect(send(async () => ({ ...unsigned, transaction: 'AAAA' }))).rejects.toMatchObject({
      code: 'TRANSACTION_MISMATCH',
    })
    expect(asked).toEqual([])
  })

  it('3. sends nothing that another signer has yet to sign', async () => {
    const { asked, send } = setUp()
    const both = testTransaction([ada.address, bob.address])
    await expect(send(ada.sign, both)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(asked).toEqual([])
    await send(ada.sign, (await bob.sign(both)).transaction)
    expect(asked).toHaveLength(1)
  })

  it('4. a transaction that the chain has already was sent; any other failure is the chain’s own', async () => {
    const fail = (message: string) => setUp(() => Promise.reject(new LinkFailure('INTERNAL', { message, rpc: -32002 })))
    const known = fail('Transaction simulation failed: This transaction has already been processed')
    expect(await known.send(ada.sign)).toEqual({ signature: (await ada.sign(transaction)).signature })
    await expect(fail('Blockhash not found').send(ada.sign)).rejects.toMatchObject({
      message: 'Blockhash not found',
      rpc: -32002,
    })
  })

  it('4. what the chain knows although the endpoint gave no answer was sent: nobody sends it a second time', async () => {
    const { signature } = await ada.sign(transaction)
    const answering = (status: unknown, failure = new LinkFailure('TIMEOUT')) => {
      const asked: { method: string; params?: unknown }[] = []
      const rpc = {
        async request(request: { method: string; params?: unknown }) {
          asked.push(request)
          if (request.method === 'sendTransaction') throw failure
          return { context: { slot: 1 }, value: [status] }
        },
      }
      const sending = signAndSend({ transaction, account: ada.address }, { sign: ada.sign, rpc }, signal)
      return { asked, sending }
    }
    const taken = answering({ slot: 1, confirmations: 0, err: null, confirmationStatus: 'processed' })
    expect(await taken.sending).toEqual({ signature })
    expect(taken.asked[1]).toEqual({ method: 'getSignatureStatuses', params: [[signature]] })
    await expect(answering(null).sending).rejects.toMatchObject({ code: 'TIMEOUT' })
  })
})
