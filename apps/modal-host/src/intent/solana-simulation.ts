/** What the chain says would change for the owner of a Solana account. */

import type { ChainClient } from '@postern/chains/chain-client'
import { readMintWords } from '@postern/chains/solana/token-account'
import { parseTransaction } from '@postern/chains/solana/transaction'
import * as z from 'zod/mini'
import type { Amount, BalanceChange } from './contract'
import { readAllowances, readSolanaFee, readSolanaTransaction } from './solana'
import { bytesIn, SolanaAccountData } from './solana-accounts'
import { controlGiven, isAccountKept, isControlled, type States, tokensIn } from './solana-control'
import { isInBalances } from './solana-instruction'

const Accounts = z.object({ value: z.array(SolanaAccountData) })
const Simulated = z.object({ value: z.object({ err: z.unknown(), accounts: z.nullish(z.array(SolanaAccountData)) }) })

type Found = z.infer<typeof SolanaAccountData>
type Outcome = {
  readonly fails: boolean
  readonly changes: readonly BalanceChange[] | null
  /** Nothing that the owner has changes besides. */
  readonly isAll: boolean
  /** Who would decide over an account of the owner's, or over what is in it. */
  readonly givenTo: readonly string[]
}

const unknown = { fails: false, changes: null, isAll: false, givenTo: [] } as const

/** Of each account so many bytes are read: more than a token account has, and enough of most mints. */
const bytesRead = 2_048

/**
 * By simulateTransaction.
 *
 * 1. What the owner has is compared before and after: their SOL, with the fee and deposits, and every token account that the transaction names and that is theirs before or after.
 *    One that is closed or given away is gone with what is in it.
 * 2. `changes` is null where not all of that can be known: the endpoint does not tell what becomes of the accounts, or some stand in lookup tables, where nobody names them.
 * 3. Balances are not everything. Where the owner's own account becomes somebody else's, `changes` is null. Where somebody is given a right, or an instruction was not read,
 *    they are not said to be all, and null where there is nothing but the fee.
 * 4. Null where nobody answers.
 */
export async function simulateSolana(
  client: ChainClient,
  transaction: string,
  owner: string,
  signal: AbortSignal,
): Promise<Outcome | null> {
  try {
    const { staticKeys, instructions } = parseTransaction(transaction)
    const keys = [...new Set(staticKeys)]
    const before = await readAccounts(client, keys, signal)
    const watched = keys.filter((key) => key === owner || isControlled(before.get(key) ?? null))
    const config = {
      encoding: 'base64',
      commitment: 'confirmed',
      sigVerify: false,
      replaceRecentBlockhash: true,
      accounts: { encoding: 'base64', addresses: watched },
    }
    const answer = await client.rpc.request({ method: 'simulateTransaction', params: [transaction, config] }, signal)
    const { err, accounts } = Simulated.parse(answer).value
    if (err !== null && err !== undefined) return { ...unknown, fails: true }
    if (accounts?.length !== watched.length) return unknown
    const states = { before, after: new Map(watched.map((key, at) => [key, accounts[at] ?? null])) }
    const givenTo = controlGiven(watched, owner, states, readAllowances(transaction, owner))
    const isNamed = keys.includes(owner) && instructions.every((one) => !one.accounts.includes(null))
    if (!isNamed || !isAccountKept(owner, states)) return { ...unknown, givenTo }
    const tokens = tokenChanges(watched, owner, states)
    const mints = await readMints(client, [...tokens.keys()], before, signal)
    const lamports = (known: Known) => BigInt(known.get(owner)?.lamports ?? 0)
    const net = lamports(states.after) - lamports(before)
    const isAll = givenTo.length === 0 && readSolanaTransaction(transaction, owner).every(isInBalances)
    const isFee = tokens.size === 0 && net <= 0n && -net <= (readSolanaFee(transaction, owner) ?? 0n)
    if (!isAll && isFee) return { ...unknown, givenTo }
    return {
      fails: false,
      changes: [
        ...[...tokens].flatMap(([mint, units]) => changeOf(units, { token: mint, ...mints.get(mint) })),
        ...changeOf(net, { symbol: 'SOL', decimals: 9 }),
      ],
      isAll,
      givenTo,
    }
  } catch {
    return null
  }
}

type Known = ReadonlyMap<string, Found>

async function readAccounts(client: ChainClient, keys: readonly string[], signal: AbortSignal): Promise<Known> {
  if (keys.length === 0) return new Map()
  const config = { encoding: 'base64', commitment: 'confirmed', dataSlice: { offset: 0, length: bytesRead } }
  const answer = await client.rpc.request({ method: 'getMultipleAccounts', params: [keys, config] }, signal)
  const { value } = Accounts.parse(answer)
  return new Map(keys.map((key, at) => [key, value[at] ?? null]))
}

/** By mint, what comes less what goes; without what stays the same. */
function tokenChanges(keys: readonly string[], owner: string, { before, after }: States): ReadonlyMap<string, bigint> {
  const changes = new Map<string, bigint>()
  for (const key of keys) {
    for (const [known, sign] of [
      [before, -1n],
      [after, 1n],
    ] as const) {
      const tokens = tokensIn(known.get(key) ?? null)
      if (tokens?.owner === owner) changes.set(tokens.mint, (changes.get(tokens.mint) ?? 0n) + sign * tokens.amount)
    }
  }
  return new Map([...changes].filter(([, units]) => units !== 0n))
}

/** How the mints write their amounts; those that the transaction does not name are asked for. */
async function readMints(
  client: ChainClient,
  mints: readonly string[],
  known: Known,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Pick<Amount, 'decimals' | 'symbol'>>> {
  const others = mints.filter((mint) => !known.has(mint))
  const asked = await readAccounts(client, others, signal)
  return new Map(
    mints.map((mint) => {
      const found = known.get(mint) ?? asked.get(mint) ?? null
      const data = bytesIn(found)
      const facts = found === null || data === null ? null : readMintWords(found.owner, data)
      if (facts === null) return [mint, {}]
      return [mint, { decimals: facts.decimals, ...(facts.symbol !== null && { symbol: facts.symbol }) }]
    }),
  )
}

function changeOf(units: bigint, of: Omit<Amount, 'raw'>): readonly BalanceChange[] {
  if (units === 0n) return []
  return [{ direction: units > 0n ? 'in' : 'out', amount: { ...of, raw: `${units > 0n ? units : -units}` } }]
}
