import type { ChainClient } from '@postern/chains/chain-client'
import { noTables } from '@postern/chains/solana/lookup-tables'
import { associatedAccount } from '@postern/chains/solana/program-address'
import { accountBytes, extensions, mintBytes, type TestAccount } from '@postern/chains/solana/testing/token-2022'
import { token2022Program, tokenProgram } from '@postern/chains/solana/token-account'
import { openAccount, transferTokens, writeTransaction } from '@postern/chains/solana/transfer'
import { base58, base64 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { simulateSolana } from './simulation'

const keyOf = (seed: number) => base58.encode(new Uint8Array(32).fill(seed))
const [owner, to, mint, source] = [keyOf(1), keyOf(2), keyOf(3), keyOf(4)]
const destination = associatedAccount(to, mint, token2022Program)
const { signal } = new AbortController()

const account = (bytes: Uint8Array, program: string, lamports = 2) => ({
  lamports,
  data: [base64.encode(bytes), 'base64'],
  owner: program,
})
const wallet = (lamports: number) => account(new Uint8Array(), keyOf(0), lamports)
const tokenAccount = (changes: Partial<TestAccount>, program = token2022Program) =>
  account(accountBytes({ mint, owner, amount: 9n, ...changes }, [extensions.fixedOwner]), program)
const ofMint = (program = token2022Program) =>
  account(
    mintBytes(program === tokenProgram ? [] : [extensions.pointer(mint), extensions.metadata(mint, 'N', 'SYM')]),
    program,
  )

type Accounts = Readonly<Record<string, unknown>>

function clientOf(before: Accounts, after: Accounts | null, err: unknown = null): ChainClient {
  const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
  const addressesIn = (config: unknown) =>
    typeof config === 'object' && config !== null && 'accounts' in config ? Object(config.accounts).addresses : []
  return {
    networkId: 'solana:PosternDevnet1111111111111111111',
    rpc: {
      async request({ method, params }) {
        const [first, second] = list(params)
        if (method === 'getMultipleAccounts') return { value: list(first).map((key) => before[String(key)] ?? null) }
        const now = after === null ? null : { ...before, ...after }
        const accounts = now === null ? null : list(addressesIn(second)).map((key) => now[String(key)] ?? null)
        return { value: { err, accounts } }
      },
    },
    esplora: { get: async () => null, post: async () => '' },
  }
}

const transfer = transferTokens({
  program: token2022Program,
  mint,
  source,
  destination,
  owner,
  amount: 5n,
  decimals: 6,
  withheld: null,
})
const transaction = writeTransaction(owner, keyOf(9), [openAccount(owner, to, mint, token2022Program), transfer])
const before = { [owner]: wallet(1_000), [source]: tokenAccount({}), [mint]: ofMint() }
const told = (after: Accounts | null, err?: unknown, from: Accounts = before) =>
  simulateSolana(clientOf(from, after, err), transaction, owner, noTables, signal)
const sol = (raw: string) => ({ direction: 'out', amount: { raw, symbol: 'SOL', decimals: 9 } })

describe('simulateSolana', () => {
  it('1 returns outgoing tokens and the cost', async () => {
    const after = {
      [owner]: wallet(900),
      [source]: tokenAccount({ amount: 4n }),
      [destination]: tokenAccount({ owner: to, amount: 5n }),
    }
    expect(await told(after)).toEqual({
      fails: false,
      isAll: true,
      givenTo: [],
      changes: [{ direction: 'out', amount: { raw: '5', token: mint, decimals: 6, symbol: 'SYM' } }, sol('100')],
    })
  })

  it('1 shows outgoing tokens even if another address pays the fee', async () => {
    expect(await told({ [source]: tokenAccount({ amount: 0n }) })).toMatchObject({
      changes: [{ direction: 'out', amount: { raw: '9', token: mint } }],
    })
  })

  it.each<[string, Accounts]>([
    ['closed', { [source]: null }],
    ['given to another account', { [source]: tokenAccount({ owner: to }) }],
    ['another program’s by then', { [source]: tokenAccount({}, keyOf(8)) }],
  ])('1 an account that is %s is gone with what is in it', async (_, after) => {
    expect(await told(after)).toMatchObject({ changes: [{ direction: 'out', amount: { raw: '9', token: mint } }] })
  })

  it('1 shows incoming tokens, also for a new account and a mint without metadata', async () => {
    const from = { [owner]: wallet(1_000), [mint]: ofMint(tokenProgram) }
    const opened = { [source]: tokenAccount({ amount: 7n }, token2022Program) }
    expect(await told(opened, null, from)).toMatchObject({
      fails: false,
      changes: [{ direction: 'in', amount: { raw: '7', token: mint, decimals: 6 } }],
    })
  })

  it('1 keeps decimals and symbol of a mint with truncated metadata', async () => {
    const words = extensions.metadata(mint, 'N', 'SYM')
    const long = { ...words, data: [...words.data, ...new Array<number>(3_000).fill(65)] }
    const cut = mintBytes([extensions.pointer(mint), long]).subarray(0, 2_048)
    const from = { ...before, [mint]: account(cut, token2022Program) }
    expect(await told({ [source]: tokenAccount({ amount: 4n }) }, null, from)).toMatchObject({
      changes: [{ direction: 'out', amount: { raw: '5', token: mint, decimals: 6, symbol: 'SYM' } }],
    })
  })

  it('2 is unknown if the endpoint returns no accounts, or a lookup table hides some', async () => {
    expect(await told(null)).toMatchObject({ fails: false, changes: null })
    // Version 0; its instruction uses one lookup table.
    const bytes = [1, ...new Uint8Array(64), 128, 1, 0, 1, 2, ...base58.decode(owner), ...base58.decode(tokenProgram)]
    bytes.push(...base58.decode(keyOf(9)), 1, 1, 2, 2, 0, 1, 5, 1, ...base58.decode(keyOf(7)), 1, 0, 0)
    const hidden = base64.encode(Uint8Array.from(bytes))
    const simulated = await simulateSolana(clientOf(before, {}), hidden, owner, noTables, signal)
    expect(simulated).toMatchObject({ fails: false, changes: null })
  })

  it('reports a failing transaction, and returns null if the endpoint does not respond', async () => {
    expect(await told({}, { InstructionError: [0, 'Custom'] })).toMatchObject({ fails: true, changes: null })
    const silent = { ...clientOf({}, null), rpc: { request: () => Promise.reject(new Error('silent')) } }
    expect(await simulateSolana(silent, transaction, owner, noTables, signal)).toBeNull()
  })
})
