import type { ChainClient } from '@postern/chains/chain-client'
import type { LookupTables } from '@postern/chains/solana/lookup-tables'
import { readMintWords } from '@postern/chains/solana/token-account'
import { parseTransaction } from '@postern/chains/solana/transaction'
import * as z from 'zod/mini'
import type { Amount, BalanceChange } from '../../../intent/intent'
import { bytesIn, native, SolanaAccountData } from './accounts'
import { readSolanaFee } from './budget'
import { isControlled, isSameAccount, newControllers, type States, tokensIn, withdrawn } from './control'
import { isInBalances, lookedUpAccounts } from './instruction'
import { readAllowances, readSolanaTransaction } from './transaction'

const Accounts = z.object({ value: z.array(SolanaAccountData) })
const Simulated = z.object({ value: z.object({ err: z.unknown(), accounts: z.nullish(z.array(SolanaAccountData)) }) })

type AccountData = z.infer<typeof SolanaAccountData>
type Outcome = {
  readonly fails: boolean
  readonly changes: readonly BalanceChange[] | null
  /** Nothing else of the owner's changes. */
  readonly isAll: boolean
  /** Addresses that would gain control over the owner's account or its contents. */
  readonly givenTo: readonly string[]
}

const unknown = { fails: false, changes: null, isAll: false, givenTo: [] } as const

/** A token account and most mints fit. */
const bytesRead = 2_048
/** Limit of `getMultipleAccounts`. */
const maxAccounts = 100

/**
 * A Solana owner's balance changes, by simulateTransaction.
 *
 * 1. The owner's balances are compared before and after: SOL, including fee and deposits, and every token account that
 *    is the owner's before or after. A closed or transferred account loses its contents; so does a stake, vote or nonce
 *    account from which the owner alone could withdraw.
 * 2. `changes` is null if the endpoint returns no accounts, or does not know an account of a lookup table. With a
 *    lookup table the changes are never complete: an endpoint that invents its entries hides an account of the owner.
 * 3. If the owner's own account changes its program, `changes` is null. If an address gains a right, or an instruction
 *    is undecoded, the changes are not complete; null if there is only the fee.
 * 4. Null if the endpoint does not respond.
 */
export async function simulateSolana(
  client: ChainClient,
  transaction: string,
  owner: string,
  tables: LookupTables,
  signal: AbortSignal,
): Promise<Outcome | null> {
  try {
    const parsed = parseTransaction(transaction)
    const lookedUp = lookedUpAccounts(parsed, tables)
    const keys = [...new Set([...parsed.staticKeys, ...lookedUp.flatMap((one) => one ?? [])])].slice(0, maxAccounts)
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
    const givenTo = newControllers(watched, owner, states, readAllowances(transaction, owner, tables))
    const isNamed = keys.includes(owner) && !lookedUp.includes(null)
    if (!isNamed || !isSameAccount(owner, states)) return { ...unknown, givenTo }
    const tokens = tokenChanges(watched, owner, states)
    const mints = await readMints(client, [...tokens.keys()], before, signal)
    const lamports = (known: Known) => BigInt(known.get(owner)?.lamports ?? 0)
    const own = lamports(states.after) - lamports(before)
    const left = own - withdrawn(watched, owner, states)
    const isAll =
      givenTo.length === 0 && lookedUp.length === 0 && readSolanaTransaction(transaction, owner).every(isInBalances)
    const fee = readSolanaFee(transaction, owner)
    const maxFee = typeof fee === 'bigint' ? fee : 0n
    // A withdrawal counts as received, unless more leaves the stake.
    const net = -left > maxFee ? left : own
    const isFee = tokens.size === 0 && net <= 0n && -net <= maxFee
    if (!isAll && isFee) return { ...unknown, givenTo }
    return {
      fails: false,
      changes: [
        ...[...tokens].flatMap(([mint, units]) => changeOf(units, { token: mint, ...mints.get(mint) })),
        ...changeOf(net, native),
      ],
      isAll,
      givenTo,
    }
  } catch {
    return null
  }
}

type Known = ReadonlyMap<string, AccountData>

async function readAccounts(client: ChainClient, keys: readonly string[], signal: AbortSignal): Promise<Known> {
  if (keys.length === 0) return new Map()
  const config = { encoding: 'base64', commitment: 'confirmed', dataSlice: { offset: 0, length: bytesRead } }
  const answer = await client.rpc.request({ method: 'getMultipleAccounts', params: [keys, config] }, signal)
  const { value } = Accounts.parse(answer)
  return new Map(keys.map((key, at) => [key, value[at] ?? null]))
}

/** Net, without zeros. */
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

async function readMints(
  client: ChainClient,
  mints: readonly string[],
  known: Known,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Pick<Amount, 'decimals' | 'symbol'>>> {
  const others = mints.filter((mint) => !known.has(mint))
  const otherStates = await readAccounts(client, others, signal)
  return new Map(
    mints.map((mint) => {
      const found = known.get(mint) ?? otherStates.get(mint) ?? null
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
