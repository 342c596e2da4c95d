import { associatedAccount } from '@postern/chains/solana/program-address'
import { programs } from '@postern/chains/solana/programs'
import { parseTransaction } from '@postern/chains/solana/transaction'
import { base58, base64 } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testMoney } from '../../testing/test-money'
import { currencyOf, solana } from '../../testing/test-networks'
import type { SendToken } from '../token'
import type { Draft } from './sender'
import { sender, solanaQuote } from './solana'
import type { SolanaFacts } from './solana-facts'

const keyOf = (seed: number) => base58.encode(new Uint8Array(32).fill(seed))
const owner = keyOf(1)
const to = keyOf(2)
const mint = keyOf(3)
const source = keyOf(4)
const sol = currencyOf(solana, 10n ** 10n)
const token: SendToken = { ...sol, key: mint, address: mint, decimals: 6, balance: 5_000_000n }
const draft: Draft = {
  network: solana,
  account: { namespace: 'solana', address: owner, type: 'eoa' },
  token: sol,
  to,
  amount: null,
}
const facts: SolanaFacts = { native: 10n ** 10n, emptyRent: 890_880n, recipient: 'account', tokens: null }

function tokenData(holder: string, amount: bigint, size = 165): string {
  const bytes = new Uint8Array(size)
  bytes.set(base58.decode(mint), 0)
  bytes.set(base58.decode(holder), 32)
  new DataView(bytes.buffer).setBigUint64(64, amount, true)
  return base64.encode(bytes)
}

type Accounts = Readonly<Record<string, { owner: string; executable?: boolean; data?: string }>>

function chain(accounts: Accounts, held: readonly { pubkey: string; amount: bigint }[] = []) {
  const answer = (method: string, params: unknown): unknown => {
    const list: readonly unknown[] = Array.isArray(params) ? params : []
    switch (method) {
      case 'getBalance':
        return { value: 10_000_000_000 }
      case 'getMinimumBalanceForRentExemption':
        return list[0] === 0 ? 890_880 : 2_039_280
      case 'getLatestBlockhash':
        return { value: { blockhash: keyOf(9), lastValidBlockHeight: 1 } }
      case 'getTokenAccountsByOwner':
        return {
          value: held.map(({ pubkey, amount }) => ({
            pubkey,
            account: { owner: programs.token, executable: false, data: [tokenData(owner, amount), 'base64'] },
          })),
        }
      case 'getMultipleAccounts': {
        const asked: readonly unknown[] = Array.isArray(list[0]) ? list[0] : []
        return {
          value: asked.map((one) => {
            const found = accounts[String(one)]
            return found === undefined
              ? null
              : { owner: found.owner, executable: found.executable ?? false, data: [found.data ?? '', 'base64'] }
          }),
        }
      }
      default:
        throw new Error(`Nobody answers ${method}`)
    }
  }
  return testMoney({
    client: (networkId) => ({
      networkId,
      rpc: { request: async ({ method, params }) => answer(method, params) },
      esplora: { get: async () => null, post: async () => '' },
    }),
  })
}

const { signal } = new AbortController()

describe('solanaQuote', () => {
  it('reserves the fee and the account’s rent (3)', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (native) => {
        const { max, fee } = solanaQuote({ ...facts, native }, null)
        expect(max === 0n || max + (fee ?? 0n) + facts.emptyRent <= native).toBe(true)
      }),
    )
  })

  it('requires at least the rent for a new recipient (4)', () => {
    expect(solanaQuote({ ...facts, recipient: 'new' }, 1n).min).toBe(890_880n)
    expect(solanaQuote(facts, 1n).min).toBe(1n)
  })
})

describe('way', () => {
  it('sends lamports', async () => {
    const opened = await sender.prepare(draft, chain({ [to]: { owner: programs.system } }), signal)
    expect(opened.quote(1n, 'normal')).toMatchObject({ native: 10n ** 10n, least: 1n, refusal: null, deposit: 0n })
    const { method, params } = await opened.request(1_000n, 'normal', signal)
    expect(method).toBe('solana_signAndSendTransaction')
    expect(params).toMatchObject({ pubkey: owner, network: draft.network.caipNetworkId })
  })

  it('creates a missing recipient account, and quotes its rent (2)', async () => {
    const money = chain({ [to]: { owner: programs.system } }, [{ pubkey: source, amount: 5_000_000n }])
    const opened = await sender.prepare({ ...draft, token }, money, signal)
    expect(opened.quote(1n, 'normal')).toMatchObject({
      max: 5_000_000n,
      deposit: 2_039_280n,
      needed: 5_000n + 2_039_280n + 890_880n,
    })
    const { params } = await opened.request(7n, 'normal', signal)
    const transaction = transactionOf(params)
    expect(transaction.instructions.map(({ program }) => program)).toEqual([programs.associated, programs.token])
    expect(transaction.instructions[1]?.accounts).toEqual([
      source,
      mint,
      associatedAccount(to, mint, programs.token),
      owner,
    ])
    expect([...(transaction.instructions[1]?.data ?? [])]).toEqual([12, 7, 0, 0, 0, 0, 0, 0, 0, 6])
  })

  it('creates no account if there is one', async () => {
    const destination = associatedAccount(to, mint, programs.token)
    const there = {
      [to]: { owner: programs.system },
      [destination]: { owner: programs.token, data: tokenData(to, 0n) },
    }
    const opened = await sender.prepare({ ...draft, token }, chain(there, [{ pubkey: source, amount: 5n }]), signal)
    expect(opened.quote(1n, 'normal')).toMatchObject({ deposit: 0n, refusal: null })
    const { params } = await opened.request(1n, 'normal', signal)
    expect(transactionOf(params).instructions).toHaveLength(1)
  })

  it('rejects programs, token accounts, and accounts with another owner (5)', async () => {
    const quoteOf = async (accounts: Accounts, changes: Partial<Draft> = {}) =>
      (await sender.prepare({ ...draft, ...changes }, chain(accounts, [{ pubkey: source, amount: 5n }]), signal)).quote(
        1n,
        'normal',
      )
    expect((await quoteOf({ [to]: { owner: keyOf(5), executable: true } })).refusal).toBe('program')
    expect((await quoteOf({ [to]: { owner: programs.token, data: tokenData(owner, 1n) } })).refusal).toBe(
      'tokenAccount',
    )
    const destination = associatedAccount(to, mint, programs.token)
    const sold = {
      [to]: { owner: programs.system },
      [destination]: { owner: programs.token, data: tokenData(keyOf(8), 0n) },
    }
    expect((await quoteOf(sold, { token })).refusal).toBe('tokenAccount')
  })

  it('spends from the fullest account (6)', async () => {
    const held = [
      { pubkey: keyOf(6), amount: 2n },
      { pubkey: source, amount: 9n },
    ]
    const opened = await sender.prepare({ ...draft, token }, chain({}, held), signal)
    expect(opened.quote(1n, 'normal')).toMatchObject({ balance: 9n, max: 9n })
  })

  it('has a zero balance without a token account', async () => {
    const opened = await sender.prepare({ ...draft, token }, chain({}), signal)
    expect(opened.quote(1n, 'normal')).toMatchObject({ balance: 0n, max: 0n })
    await expect(opened.request(1n, 'normal', signal)).rejects.toThrow()
  })
})

function transactionOf(params: unknown) {
  const transaction = typeof params === 'object' && params !== null && 'transaction' in params ? params.transaction : ''
  return parseTransaction(String(transaction))
}
