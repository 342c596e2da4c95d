import { associatedAccount } from '@postern/chains/solana/program-address'
import { programs } from '@postern/chains/solana/programs'
import { parseTransaction } from '@postern/chains/solana/transaction'
import { base58, base64 } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testMoney } from '../../../testing/test-money'
import { currencyOf, solana } from '../../../testing/test-networks'
import type { SendToken } from '../../token'
import type { Draft } from '../sender'
import { limitFor, offerOf, priorityFee } from './compute'
import type { SolanaFacts } from './facts'
import { sender, solanaQuote } from './sender'

const keyOf = (seed: number) => base58.encode(new Uint8Array(32).fill(seed))
const owner = keyOf(1)
const to = keyOf(2)
const mint = keyOf(3)
const computeBudget = 'ComputeBudget111111111111111111111111111111'
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
const facts: SolanaFacts = {
  native: 10n ** 10n,
  emptyRent: 890_880n,
  recipient: 'account',
  tokens: null,
  compute: offerOf('lamports', 0n),
}

function tokenData(holder: string, amount: bigint, size = 165): string {
  const bytes = new Uint8Array(size)
  bytes.set(base58.decode(mint), 0)
  bytes.set(base58.decode(holder), 32)
  new DataView(bytes.buffer).setBigUint64(64, amount, true)
  return base64.encode(bytes)
}

type Accounts = Readonly<Record<string, { owner: string; executable?: boolean; data?: string }>>

function chain(
  accounts: Accounts,
  balances: readonly { pubkey: string; amount: bigint }[] = [],
  more: Readonly<Record<string, unknown>> = {},
) {
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
          value: balances.map(({ pubkey, amount }) => ({
            pubkey,
            account: { owner: programs.token, executable: false, data: [tokenData(owner, amount), 'base64'] },
          })),
        }
      case 'getMultipleAccounts': {
        const requests: readonly unknown[] = Array.isArray(list[0]) ? list[0] : []
        return {
          value: requests.map((one) => {
            const found = accounts[String(one)]
            return found === undefined
              ? null
              : { owner: found.owner, executable: found.executable ?? false, data: [found.data ?? '', 'base64'] }
          }),
        }
      }
      default:
        if (Object.hasOwn(more, method)) return more[method]
        throw new Error(`Unexpected request: ${method}`)
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
    expect(opened.quote(1n, 'normal')).toMatchObject({ native: 10n ** 10n, min: 1n, refusal: null, deposit: 0n })
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
    expect(transaction.instructions.map(({ program }) => program)).toEqual([
      computeBudget,
      programs.associated,
      programs.token,
    ])
    expect(transaction.instructions[2]?.accounts).toEqual([
      source,
      mint,
      associatedAccount(to, mint, programs.token),
      owner,
    ])
    expect([...(transaction.instructions[2]?.data ?? [])]).toEqual([12, 7, 0, 0, 0, 0, 0, 0, 0, 6])
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
    expect(transactionOf(params).instructions.map(({ program }) => program)).toEqual([computeBudget, programs.token])
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
    const balances = [
      { pubkey: keyOf(6), amount: 2n },
      { pubkey: source, amount: 9n },
    ]
    const opened = await sender.prepare({ ...draft, token }, chain({}, balances), signal)
    expect(opened.quote(1n, 'normal')).toMatchObject({ balance: 9n, max: 9n })
  })

  it('has a zero balance without a token account', async () => {
    const opened = await sender.prepare({ ...draft, token }, chain({}), signal)
    expect(opened.quote(1n, 'normal')).toMatchObject({ balance: 0n, max: 0n })
    await expect(opened.request(1n, 'normal', signal)).rejects.toThrow()
  })
})

describe('compute units (9)', () => {
  const limitAndPrice = (params: unknown) =>
    transactionOf(params).instructions.flatMap(({ program, data }) => {
      if (program !== computeBudget) return []
      const view = new DataView(data.buffer, data.byteOffset)
      return data[0] === 2 ? view.getUint32(1, true) : view.getBigUint64(1, true)
    })
  const blocks = (fees: readonly number[]) => fees.map((prioritizationFee, slot) => ({ slot, prioritizationFee }))
  const simulated = { value: { err: null, unitsConsumed: 450 } }

  it('are limited by a simulation, at the price of recent blocks, which the quote contains', async () => {
    const more = { getRecentPrioritizationFees: blocks([9, 1_000_000, 0, 7]), simulateTransaction: simulated }
    const opened = await sender.prepare(draft, chain({ [to]: { owner: programs.system } }, [], more), signal)
    expect(opened.quote(1n, 'normal')).toMatchObject({ fee: 6_000n, max: 10n ** 10n - 6_000n - 890_880n })
    const { params } = await opened.request(1_000n, 'normal', signal)
    expect(limitAndPrice(params)).toEqual([540, 1_000_000n])
  })

  it('cost at most 0.0001 SOL, however busy the network is', async () => {
    const more = { getRecentPrioritizationFees: blocks([10 ** 12, 10 ** 12]), simulateTransaction: simulated }
    const opened = await sender.prepare(draft, chain({ [to]: { owner: programs.system } }, [], more), signal)
    expect(opened.quote(1n, 'normal').fee).toBe(105_000n)
  })

  it('have the ceiling as their limit if the simulation fails', async () => {
    const failed = { value: { err: { InstructionError: [0, 'Custom'] }, unitsConsumed: 3 } }
    const more = { getRecentPrioritizationFees: [], simulateTransaction: failed }
    const opened = await sender.prepare(draft, chain({ [to]: { owner: programs.system } }, [], more), signal)
    expect(opened.quote(1n, 'normal').fee).toBe(5_000n)
    expect(limitAndPrice((await opened.request(1_000n, 'normal', signal)).params)).toEqual([1_000])
  })

  it('never cost more than the quote', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('lamports', 'tokens', 'opening'),
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        fc.option(fc.integer({ min: 1, max: 1_400_000 })),
        (kind, asked, used) => {
          const offer = offerOf(kind, asked)
          const quoted = priorityFee(offer.ceiling, offer.price)
          const { units, price } = limitFor(used, offer)
          expect(quoted <= 100_000n && priorityFee(units, price) <= quoted).toBe(true)
          expect(units).toBeGreaterThanOrEqual(used ?? offer.ceiling)
        },
      ),
    )
  })

  it('end with the request', async () => {
    const opened = await sender.prepare(draft, chain({ [to]: { owner: programs.system } }), signal)
    await expect(opened.request(1n, 'normal', AbortSignal.abort())).rejects.toThrow()
  })
})

function transactionOf(params: unknown) {
  const transaction = typeof params === 'object' && params !== null && 'transaction' in params ? params.transaction : ''
  return parseTransaction(String(transaction))
}
