import * as z from 'zod/mini'
import type { KnownNetwork } from '../account'
import { ask, askAll, type Chain, ChainError } from '../chain'
import type { TokenList } from '../tokens'
import { type Holding, shortAddress } from './holding'
import { readTokenWords, token2022Program } from './solana-tokens'

/** The original token program and Token-2022 (https://spl.solana.com/token). */
const tokenPrograms = ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', token2022Program]

/** May exceed the safe integers. */
export const Lamports = z.number().check(z.gte(0), z.refine(Number.isInteger))
const Balance = z.object({ value: Lamports })
const TokenAccounts = z.object({
  value: z.array(
    z.object({
      pubkey: z.string(),
      account: z.object({
        data: z.object({
          parsed: z.object({
            info: z.object({
              mint: z.string(),
              tokenAmount: z.object({
                amount: z.string().check(z.regex(/^\d{1,20}$/)),
                decimals: z.int().check(z.gte(0), z.lte(255)),
              }),
            }),
          }),
        }),
      }),
    }),
  ),
})

const commitment = 'confirmed'
/** Max accounts whose history is read. */
const maxAccounts = 20

/** @throws {ChainError | UpstreamsFailedError} */
export async function readSolanaBalances(
  { id, definition }: KnownNetwork,
  owner: string,
  { chain, tokens }: { readonly chain: Chain; readonly tokens: TokenList },
): Promise<Holding[]> {
  const [balance, accounts] = await Promise.all([
    ask(chain, { method: 'getBalance', params: [owner, { commitment }] }, Balance),
    askTokenAccounts(owner, chain),
  ])
  const lamports = BigInt(balance.value)
  const totals = new Map<string, { amount: bigint; decimals: number; program: string }>()
  for (const { mint, amount, decimals, program } of accounts) {
    totals.set(mint, { decimals, program, amount: (totals.get(mint)?.amount ?? 0n) + amount })
  }
  const unlisted = [...totals].flatMap(([mint, { amount, program }]) =>
    amount > 0n && program === token2022Program && tokens.find(id, mint) === undefined ? [mint] : [],
  )
  const words = await readTokenWords(chain, unlisted)
  const native = { chainId: id, address: null, ...definition.nativeCurrency, amount: lamports, isListed: true }
  const others = [...totals].flatMap(([mint, { amount, decimals }]): Holding[] => {
    if (amount === 0n) return []
    const listed = tokens.find(id, mint)
    const { name, symbol } = listed ?? words.get(mint) ?? { name: shortAddress(mint), symbol: shortAddress(mint) }
    return [{ chainId: id, address: mint, name, symbol, decimals, amount, isListed: listed !== undefined }]
  })
  return [native, ...others]
}

/** Accounts with a balance first. @throws {ChainError | UpstreamsFailedError} */
export async function readTokenAccounts(owner: string, chain: Chain): Promise<readonly string[]> {
  const accounts = await askTokenAccounts(owner, chain)
  const full = accounts.filter(({ amount }) => amount > 0n)
  const empty = accounts.filter(({ amount }) => amount === 0n)
  return [...full, ...empty].slice(0, maxAccounts).map(({ address }) => address)
}

export type TokenAccount = {
  readonly address: string
  readonly mint: string
  readonly amount: bigint
  readonly decimals: number
  readonly program: string
}

/** @throws {ChainError | UpstreamsFailedError} */
export async function askTokenAccounts(owner: string, chain: Chain): Promise<readonly TokenAccount[]> {
  const method = 'getTokenAccountsByOwner'
  const calls = tokenPrograms.map((programId) => ({
    method,
    params: [owner, { programId }, { encoding: 'jsonParsed', commitment }],
  }))
  const answers = await askAll(chain, calls, TokenAccounts)
  return answers.flatMap((answer, index) => {
    if (answer === null) throw new ChainError(method)
    const program = tokenPrograms[index] ?? ''
    return answer.value.map(({ pubkey, account }) => {
      const { mint, tokenAmount } = account.data.parsed.info
      return { address: pubkey, mint, program, amount: BigInt(tokenAmount.amount), decimals: tokenAmount.decimals }
    })
  })
}
