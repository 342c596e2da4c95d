/** An answer that cannot be read is as none: the user may try again (`approvals.ts`, rule 6). */
import { regtest, testEsplora, testKey } from '@postern/chains/bip122/testing/test-chain'
import { isUnreachable, mayAnswerLater } from '@postern/chains/nodes/unreachable'
import { testSigner, testTransaction } from '@postern/chains/solana/testing/test-transaction'
import { describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { WalletChain } from '../contract'
import { createBip122Chain } from './bip122/chain'
import { memoryNotes } from './notes'
import { createSolanaChain } from './solana/chain'
import { testContext } from './testing'

const page = () => new Response('<!doctype html><title>Sign in to the network</title>', { status: 200 })
const json = (text: string) => new Response(text, { headers: { 'content-type': 'application/json' } })
const forms: Readonly<Record<string, (call: { readonly id?: number }) => Response>> = {
  'a page': page,
  'half an answer': () => json('{"jsonrpc":"2.0","id":1,"resu'),
  'JSON of another shape': ({ id }) => json(JSON.stringify({ jsonrpc: '2.0', id, result: { other: ['shape'] } })),
  'no result': ({ id }) => json(JSON.stringify({ jsonrpc: '2.0', id, result: null })),
  text: () => new Response('OK'),
}
const names = Object.keys(forms)
const notesOf = (note: object) => {
  const notes = memoryNotes()
  return notes.update(() => [{ isFollowed: false, ...note }]).then(() => notes)
}

async function failureOf(prepared: ReturnType<WalletChain['prepare']>) {
  const failure = await prepared.then(
    () => expect.unreachable('it is prepared'),
    (error: unknown) => error,
  )
  expect(failure).toMatchObject({ code: 'NETWORK_UNREACHABLE' })
  return failure
}

describe('Solana', async () => {
  const owner = await testSigner(1)
  const networkId = 'solana:PosternDevnet1111111111111111111'
  const account = owner.address
  const Call = z.object({ id: z.number(), method: z.string() })
  const good: Readonly<Record<string, unknown>> = {
    getLatestBlockhash: { value: { blockhash: '1'.repeat(32), lastValidBlockHeight: 150 } },
    getBlockHeight: 151,
    getSignatureStatuses: { value: [null] },
  }

  const prepare = async (answer: (call: z.infer<typeof Call>) => Response) => {
    const context = testContext({
      networkId,
      addresses: { ...testContext({}).addresses, solana: account },
      fetch: async (_, init) => answer(Call.parse(JSON.parse(String(init?.body)))),
    })
    const chain = createSolanaChain(await notesOf({ networkId, account, signature: '1'.repeat(64) }))
    return chain.prepare('solana_signAndSendTransaction', { transaction: testTransaction([account]) }, context)
  }
  const goodAnswer = ({ id, method }: z.infer<typeof Call>) =>
    Response.json({ jsonrpc: '2.0', id, result: good[method] })

  it('prepares if each answer can be read', async () => {
    expect(await prepare(goodAnswer)).toMatchObject({ subject: { sends: true } })
  })

  for (const form of names)
    it.each(Object.keys(good))(`${form} to %s is no answer`, async (method) => {
      const answer = (call: z.infer<typeof Call>) => (call.method === method ? forms[form]?.(call) : undefined)
      const failure = await failureOf(prepare((call) => answer(call) ?? goodAnswer(call)))
      expect(mayAnswerLater(failure)).toBe(true)
    })
})

const Coins = z.array(z.object({ txid: z.string(), vout: z.number() }))

describe('Bitcoin', () => {
  const owner = testKey('p2wpkh', 1)
  const txid = 'ab'.repeat(32)
  const coins = [{ value: 30_000n }, { value: 40_000n, isConfirmed: false }]

  const prepare = async (answer: (path: string) => Response | undefined) => {
    const esplora = testEsplora(owner, coins, { '2': 3 })
    const context = testContext({
      networkId: regtest,
      addresses: { ...testContext({}).addresses, bip122: owner.account.publicKey ?? '' },
      fetch: async (url) => {
        const path = new URL(String(url)).pathname.slice(`/v1/esplora/${regtest}`.length)
        const given = answer(path)
        if (given !== undefined) return given
        const found = await esplora.esplora.get(path).catch(() => null)
        if (found === null) return new Response('Transaction not found', { status: 404 })
        return typeof found === 'string' ? new Response(found) : Response.json(found)
      },
    })
    const [coin] = Coins.parse(await esplora.esplora.get(`/address/${owner.address}/utxo`))
    const spent: `${string}:${number}`[] = coin === undefined ? [] : [`${coin.txid}:${coin.vout}`]
    const note = { networkId: regtest, address: owner.address, txid, coins: spent, hex: '00' }
    const chain = createBip122Chain(await notesOf(note))
    return chain.prepare('bip122_sendTransfer', { recipientAddress: owner.address, amount: '60000' }, context)
  }
  const reads: Readonly<Record<string, RegExp>> = {
    'coins of the address': /\/utxo$/,
    'fee estimates': /^\/fee-estimates$/,
    'an earlier payment': new RegExp(`^/tx/${txid}$`),
    'the transaction of an unconfirmed coin': /^\/tx\/(?!ab)[0-9a-f]{64}$/,
    'the bytes of a coin’s transaction': /\/hex$/,
  }

  it('prepares if each answer can be read', async () => {
    expect(await prepare(() => undefined)).toMatchObject({ subject: { sends: true } })
  })

  for (const form of names)
    it.each(Object.keys(reads))(`${form} for %s is no answer`, async (read) => {
      let isAsked = false
      const prepared = prepare((path) => {
        if (reads[read]?.test(path) !== true) return undefined
        isAsked = true
        return forms[form]?.({})
      })
      const failure = await failureOf(prepared)
      expect([isAsked, mayAnswerLater(failure)]).toEqual([true, true])
    })

  it.each(Object.keys(reads))('a page with status 404 for %s is not the chain’s', async (read) => {
    const failure = await failureOf(
      prepare((path) => (reads[read]?.test(path) ? new Response('<html></html>', { status: 404 }) : undefined)),
    )
    expect([isUnreachable(failure), mayAnswerLater(failure)]).toEqual([true, false])
  })
})
