import * as z from 'zod/mini'
import type { KnownNetwork } from '../account'
import { type Chain, ChainError } from '../chain'
import type { TokenList } from '../tokens'
import { type Holding, shortAddress } from './holding'

/** The original token program and Token-2022. Source: https://spl.solana.com/token */
const tokenPrograms = ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb']

const Balance = z.object({ value: z.number().check(z.gte(0)) })
const TokenAccounts = z.object({
  value: z.array(
    z.object({
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

/** SOL, and the sum of the account's token accounts for each mint; decimals are the mint's. @throws {ChainError} and {UpstreamsFailedError} */
export async function readSolanaBalances(
  { id, definition }: KnownNetwork,
  owner: string,
  { chain, tokens }: { readonly chain: Chain; readonly tokens: TokenList },
): Promise<Holding[]> {
  const commitment = 'confirmed'
  const [balance, ...programs] = await chain.upstreams.exchange(chain.urls, [
    { method: 'getBalance', params: [owner, { commitment }] },
    ...tokenPrograms.map((programId) => ({
      method: 'getTokenAccountsByOwner',
      params: [owner, { programId }, { encoding: 'jsonParsed', commitment }],
    })),
  ])
  if (balance === undefined || 'error' in balance) throw new ChainError('getBalance')
  const lamports = BigInt(Balance.parse(balance.result).value)
  const held = new Map<string, { amount: bigint; decimals: number }>()
  for (const answer of programs) {
    if ('error' in answer) throw new ChainError('getTokenAccountsByOwner')
    for (const { account } of TokenAccounts.parse(answer.result).value) {
      const { mint, tokenAmount } = account.data.parsed.info
      const { decimals } = tokenAmount
      held.set(mint, { decimals, amount: (held.get(mint)?.amount ?? 0n) + BigInt(tokenAmount.amount) })
    }
  }
  const native = { chainId: id, address: null, ...definition.nativeCurrency, amount: lamports, isListed: true }
  const others = [...held].flatMap(([mint, { amount, decimals }]): Holding[] => {
    if (amount === 0n) return []
    const listed = tokens.find(id, mint)
    const { name, symbol } = listed ?? { name: shortAddress(mint), symbol: shortAddress(mint) }
    return [{ chainId: id, address: mint, name, symbol, decimals, amount, isListed: listed !== undefined }]
  })
  return [native, ...others]
}
