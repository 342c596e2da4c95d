import { testSigner, testTransaction } from '@postern/chains/solana/testing/test-transaction'
import { base58, base64 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import type { ChainContext, SignJob } from '../../contract'
import { testContext } from '../testing'
import { createSolanaChain } from './chain'

const solana = createSolanaChain()
const owner = await testSigner(1)
const other = await testSigner(2)
const networkId = 'solana:PosternDevnet1111111111111111111'

function setUp(changes: Partial<ChainContext> = {}) {
  const asked: SignJob[] = []
  const context = testContext({
    networkId,
    addresses: { ...testContext({}).addresses, solana: owner.address },
    sign: async (job) => {
      asked.push(job)
      if (job.kind !== 'solana.transactions') return 'signature'
      const signed = await Promise.all(job.transactions.map((one) => owner.sign(one)))
      return signed.map(({ transaction }) => transaction).join(' ')
    },
    ...changes,
  })
  return { context, asked }
}

const encoded = (text: string) => base58.encode(new TextEncoder().encode(text))

describe('solana', () => {
  it('returns the account', async () => {
    expect(await solana.answer('solana_getAccounts', undefined, setUp().context)).toEqual([{ pubkey: owner.address }])
  })

  it.each([
    ['another account', { message: encoded('hi'), pubkey: other.address }, 'UNAUTHORIZED'],
    [
      'another network',
      { message: encoded('hi'), network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' },
      'CHAIN_DISCONNECTED',
    ],
    ['no message', {}, 'INVALID_PARAMS'],
    ['what is no base58', { message: '0OIl' }, 'INVALID_PARAMS'],
  ])('1. rejects %s', async (_name, params, code) => {
    await expect(solana.prepare('solana_signMessage', params, setUp().context)).rejects.toMatchObject({ code })
  })

  it('2. rejects a transaction that the account does not sign', async () => {
    const params = { transaction: testTransaction([other.address]) }
    for (const method of ['solana_signTransaction', 'solana_signAndSendTransaction'])
      await expect(solana.prepare(method, params, setUp().context)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    const all = { transactions: [testTransaction([owner.address]), testTransaction([other.address])] }
    await expect(solana.prepare('solana_signAllTransactions', all, setUp().context)).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    })
  })

  it('3. blocks a sign-in for another domain', async () => {
    const message = (domain: string) => ({
      message: encoded(`${domain} wants you to sign in with your Solana account:\n${owner.address}\n`),
    })
    const { context } = setUp()
    expect(await solana.prepare('solana_signMessage', message('evil.example'), context)).toMatchObject({
      blocked: 'DOMAIN_MISMATCH',
    })
    expect(await solana.prepare('solana_signMessage', message('app.example'), context)).not.toHaveProperty('blocked')
  })

  it('4. signs the prepared bytes, each at its position', async () => {
    const { context, asked } = setUp()
    const transactions = [1, 2].map((note) => testTransaction([owner.address, other.address], { note }))
    const { subject } = await solana.prepare('solana_signAllTransactions', { transactions }, context)
    expect(subject).toMatchObject({ transactions, sends: false })
    const answer = await solana.execute('solana_signAllTransactions', subject, context)
    expect(asked).toEqual([{ kind: 'solana.transactions', transactions }])
    expect(answer).toEqual({
      transactions: await Promise.all(transactions.map(async (one) => (await owner.sign(one)).transaction)),
    })
  })

  it('sends through the gateway, and returns the signature', async () => {
    const sent: unknown[] = []
    const { context } = setUp({
      fetch: async (url, given) => {
        expect(String(url)).toBe(`https://wallet.example/v1/?chainId=${encodeURIComponent(networkId)}&projectId=demo`)
        const { id, method, params } = JSON.parse(String(given?.body))
        sent.push([method, params])
        return Response.json({ jsonrpc: '2.0', id, result: 'ignored' })
      },
    })
    const transaction = testTransaction([owner.address])
    const params = { transaction, sendOptions: { skipPreflight: true } }
    const { subject } = await solana.prepare('solana_signAndSendTransaction', params, context)
    const signed = await owner.sign(transaction)
    expect(await solana.execute('solana_signAndSendTransaction', subject, context)).toEqual({
      signature: signed.signature,
    })
    expect(sent).toEqual([['sendTransaction', [signed.transaction, expect.objectContaining({ skipPreflight: true })]]])
  })

  it('signs a message unchanged', async () => {
    const { context, asked } = setUp()
    const { subject } = await solana.prepare('solana_signMessage', [{ message: encoded('hi') }], context)
    expect(await solana.execute('solana_signMessage', subject, context)).toEqual({ signature: 'signature' })
    expect(asked).toMatchObject([{ message: base64.encode(new TextEncoder().encode('hi')) }])
  })
})
