import * as z from 'zod/mini'
import type { KnownNetwork } from '../account'
import { shortAddress } from '../accounts/holding'
import { Lamports, readTokenAccounts } from '../accounts/solana'
import { readTokenWords, token2022Program } from '../accounts/solana-tokens'
import { askAll, type Chain, ChainError, UnixTime } from '../chain'
import type { TokenList } from '../tokens'
import type { Landed, Move, Page } from './landed'

const Signatures = z.array(
  z.object({ signature: z.string(), slot: z.number(), err: z.unknown(), blockTime: z.nullish(UnixTime) }),
)
const TokenBalances = z.nullish(
  z.array(
    z.object({
      mint: z.string(),
      owner: z.optional(z.string()),
      programId: z.optional(z.string()),
      uiTokenAmount: z.object({
        amount: z.string().check(z.regex(/^\d{1,20}$/)),
        decimals: z.int().check(z.gte(0), z.lte(255)),
      }),
    }),
  ),
)
const Transaction = z.object({
  transaction: z.object({
    message: z.object({ accountKeys: z.array(z.object({ pubkey: z.string(), signer: z.boolean() })) }),
  }),
  meta: z.object({
    fee: Lamports,
    preBalances: z.array(Lamports),
    postBalances: z.array(Lamports),
    preTokenBalances: TokenBalances,
    postTokenBalances: TokenBalances,
  }),
})
type Transaction = z.infer<typeof Transaction>

const pageSize = 25
/** In lamports; above a new token account's rent (2,039,280). */
const rent = 3_000_000n
const systemProgram = '11111111111111111111111111111111'
const commitment = 'confirmed'

/**
 * 1. Transactions of the account or its token accounts (at most 20, those with a balance first: a transfer need not
 *    name the owner), newest first. The cursor is a signature, which the chain accepts for any account.
 * 2. A transfer is the account's change of balance, without the fee. The counterparty has the largest opposite change.
 * 3. A token without a counterparty was minted or burned. SOL next to tokens shows only above a token account's rent.
 * 4. A transaction that the chain does not return in full has no transfers.
 * 5. Unlisted Token-2022 tokens have the names of their mints.
 * @throws {ChainError | UpstreamsFailedError}
 */
export async function readSolanaHistory(
  { id, definition }: KnownNetwork,
  owner: string,
  cursor: string | null,
  { chain, tokens }: { readonly chain: Chain; readonly tokens: TokenList },
): Promise<Page> {
  const config = { limit: pageSize, commitment, ...(cursor !== null && { before: cursor }) }
  const method = 'getSignaturesForAddress'
  const accounts = await readTokenAccounts(owner, chain)
  const [own, ...others] = await askAll(
    chain,
    [owner, ...accounts].map((account) => ({ method, params: [account, config] })),
    Signatures,
  )
  if (own == null || others.includes(null)) throw new ChainError(method)
  const lists = [own, ...others.flatMap((list) => (list === null ? [] : [list]))]
  const all = [...new Map(lists.flat().map((each) => [each.signature, each])).values()]
  const signatures = all.sort((a, b) => b.slot - a.slot).slice(0, pageSize)
  const isMore = all.length > pageSize || lists.some(({ length }) => length === pageSize)
  const reading = { encoding: 'jsonParsed', maxSupportedTransactionVersion: 0, commitment }
  const transactions = await askAll(
    chain,
    signatures.map(({ signature }) => ({ method: 'getTransaction', params: [signature, reading] })),
    z.nullable(Transaction),
  )
  const mints = transactions
    .flatMap((each) => [...(each?.meta.preTokenBalances ?? []), ...(each?.meta.postTokenBalances ?? [])])
    .flatMap(({ mint, programId }) => (programId === token2022Program && !tokens.find(id, mint) ? [mint] : []))
  const words = await readTokenWords(chain, mints)
  const landed = signatures.map(({ signature, err, blockTime }, index): Landed => {
    const transaction = transactions[index] ?? null
    const keys = transaction?.transaction.message.accountKeys ?? []
    const isFailed = err !== null && err !== undefined
    return {
      chainId: id,
      hash: signature,
      status: isFailed ? 'failed' : 'confirmed',
      at: (blockTime ?? 0) * 1000,
      from: keys[0]?.pubkey ?? owner,
      to: keys.find(({ signer }) => !signer)?.pubkey ?? owner,
      isOwn: keys.some(({ signer, pubkey }) => signer && pubkey === owner),
      moves: transaction === null || isFailed ? [] : movesOf(transaction),
      otherwise: 'execute',
    }
  })
  return { landed, next: isMore ? (signatures.at(-1)?.signature ?? null) : null }

  function movesOf({ transaction, meta }: Transaction): Move[] {
    const keys = transaction.message.accountKeys.map(({ pubkey }) => pubkey)
    const lamports = new Map(
      keys.map((key, index) => {
        const fee = index === 0 ? meta.fee : 0
        return [key, BigInt(meta.postBalances[index] ?? 0) - BigInt(meta.preBalances[index] ?? 0) + BigInt(fee)]
      }),
    )
    const native = moveOf(lamports, { ...definition.nativeCurrency, contract: null })
    const mints = new Map<string, { decimals: number; changes: Map<string, bigint> }>()
    for (const [sign, balances] of [
      [-1n, meta.preTokenBalances ?? []],
      [1n, meta.postTokenBalances ?? []],
    ] as const) {
      for (const { mint, owner: holder = '', uiTokenAmount } of balances) {
        const entry = mints.get(mint) ?? { decimals: uiTokenAmount.decimals, changes: new Map<string, bigint>() }
        mints.set(mint, entry)
        entry.changes.set(holder, (entry.changes.get(holder) ?? 0n) + sign * BigInt(uiTokenAmount.amount))
      }
    }
    const others = [...mints].flatMap(([mint, { decimals, changes }]) => {
      const named = tokens.find(id, mint) ?? words.get(mint)
      const { name, symbol } = named ?? { name: shortAddress(mint), symbol: shortAddress(mint) }
      return moveOf(changes, { name, symbol, decimals, contract: mint })
    })
    return others.length === 0 ? native : [...others, ...native.filter(({ amount }) => amount > rent)]
  }

  function moveOf(changes: ReadonlyMap<string, bigint>, what: Pick<Move, 'name' | 'symbol' | 'decimals' | 'contract'>) {
    const own = changes.get(owner) ?? 0n
    if (own === 0n) return []
    const rest = [...changes].filter(([key]) => key !== owner)
    const [other] = rest.sort(([, a], [, b]) => (own > 0n ? compare(a, b) : compare(b, a)))
    const counterpart = other?.[0] ?? systemProgram
    const ends = own > 0n ? { from: counterpart, to: owner } : { from: owner, to: counterpart }
    return [{ ...ends, ...what, amount: own > 0n ? own : -own }]
  }
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
