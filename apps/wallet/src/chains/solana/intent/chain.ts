import type { ChainClient } from '@postern/chains/chain-client'
import { readLookupTables } from '@postern/chains/solana/lookup-tables'
import {
  feeAt,
  feeOf,
  feesDiffer,
  type Mint,
  readMint,
  readTokenAccount,
  type TokenAccount,
} from '@postern/chains/solana/token-account'
import { parseTransaction } from '@postern/chains/solana/transaction'
import * as z from 'zod/mini'
import type { Amount, IntentStep } from '../../../intent/intent'
import { bytesIn, native, SolanaAccountData } from './accounts'
import { isAssociated } from './associated'
import type { Allowance } from './control'

const Accounts = z.object({ value: z.array(SolanaAccountData) })
const Epoch = z.object({ epoch: z.int().check(z.gte(0)) })
/** Limit of `getMultipleAccounts`. */
const maxAccounts = 100

export function readTables(client: ChainClient, transactions: readonly string[], signal: AbortSignal) {
  return readLookupTables(client.rpc, transactions.map(parseTransaction), signal)
}

/** Which of the addresses are token accounts. */
export async function existingAccounts(
  client: ChainClient,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const found = await readAccounts(client, addresses, signal)
  return new Set([...found].flatMap(([address, { account }]) => (account === null ? [] : [address])))
}

type Transfer = Extract<IntentStep, { kind: 'transfer' }>

/** The wallet's own facts, which no endpoint can change. */
export type OwnerFacts = {
  readonly owner: string
  /** True for the user's own addresses and earlier recipients. */
  readonly isFamiliar: (address: string) => boolean
  /** True for mints that have a name and decimals in a list. */
  readonly isListed: (mint: string) => boolean
}

/**
 * Adds to the steps what the chain says about their accounts, if it responds.
 *
 * 1. A transfer names the owner and the mint instead of token accounts; for Token-2022, also the mint's symbol and its
 *    fee unless the instruction states it. Only the account's address proves an owner whose name would remove a
 *    warning, and a listed mint: an endpoint can say anything.
 * 2. A closed account's amount is the SOL that it holds now.
 * 3. An allowance of the mint's supply or more is unlimited. It says whether it covers the whole balance.
 * @param allowances of the steps of kind `approve`, in their order
 */
export async function nameTokenAccounts(
  client: ChainClient,
  steps: readonly IntentStep[],
  signal: AbortSignal,
  allowances: readonly Allowance[],
  facts: OwnerFacts,
): Promise<readonly IntentStep[]> {
  const named = [...steps.flatMap(accountsOf), ...allowances.map(({ account }) => account)]
  const accounts = await readAccounts(client, named, signal)
  if (accounts.size === 0) return steps
  const kindAt = (address: string | undefined) => (address === undefined ? undefined : accounts.get(address))
  const sourceAt = (address: string | undefined) =>
    address === undefined ? undefined : provenSource(address, kindAt(address), facts)
  const mintsOfAccounts = allowances.flatMap(({ account }) => sourceAt(account)?.account?.mint ?? [])
  const mints = await readAccounts(client, mintsOfAccounts, signal)
  const fees = [...accounts.values()].flatMap(({ mint }) => mint?.fees ?? [])
  const epoch = fees.some(feesDiffer) ? await epochOf(client, signal) : 0n
  const rest = [...allowances]
  return steps.map((step) => {
    if (step.kind === 'approve') {
      const account = sourceAt(rest.shift()?.account)?.account ?? null
      const supply = account === null ? undefined : mints.get(account.mint)?.mint?.supply
      return { ...step, amount: allowed(step.amount, account, supply) }
    }
    if (step.kind !== 'transfer' || step.amount.token === undefined) return step
    if (step.amount.everything) return closed(step, kindAt(step.amount.token))
    const source = sourceAt(step.amount.token)
    return {
      ...step,
      to: ownerOf(step.to, kindAt(step.to), facts) ?? step.to,
      ...amountsOf(step, source?.account, source?.mint, epoch),
    }
  })
}

/** Rule 1: a source of a listed token counts as missing, unless its address proves it. */
function provenSource(address: string, found: Found | undefined, { owner, isListed }: OwnerFacts): Found | undefined {
  if (found === undefined || found.account === null || !isListed(found.account.mint)) return found
  return isAssociated(address, owner, found.account.mint, found.program) ? found : undefined
}

/** Rule 1; null if there is no owner. */
function ownerOf(to: string, found: Found | undefined, { isFamiliar }: OwnerFacts): string | null {
  if (found === undefined || found.account === null) return null
  const { owner, mint } = found.account
  return isFamiliar(owner) && !isAssociated(to, owner, mint, found.program) ? null : owner
}

/** Rule 1. */
function amountsOf(
  step: Transfer,
  account: TokenAccount | null | undefined,
  mint: Mint | null | undefined,
  epoch: bigint,
): Pick<Transfer, 'amount' | 'withheld'> {
  const amount = {
    ...step.amount,
    token: account?.mint ?? step.amount.token ?? '',
    ...(mint?.symbol && { symbol: mint.symbol }),
  }
  const withheld = step.withheld?.raw ?? withheldOf(mint ?? null, amount.raw, epoch)
  return { amount, ...(withheld !== null && { withheld: { ...amount, raw: withheld } }) }
}

/** Rule 2. */
function closed(step: Transfer, found: Found | undefined): Transfer {
  if (found === undefined) return step
  return { ...step, amount: { raw: `${BigInt(found.lamports)}`, ...native, everything: true } }
}

/** Rule 3: 0 allows nothing. */
function allowed(amount: Amount, account: TokenAccount | null, supply: bigint | undefined): Amount {
  if (account === null || amount.raw === '0') return amount
  const raw = BigInt(amount.raw)
  const isAll = supply !== undefined && supply > 0n && raw >= supply
  return {
    ...amount,
    token: account.mint,
    ...(isAll && { unlimited: true }),
    ...(account.amount > 0n && raw >= account.amount && { coversBalance: true }),
  }
}

function accountsOf(step: IntentStep): readonly string[] {
  if (step.kind !== 'transfer' || step.amount.token === undefined) return []
  return [step.to, step.amount.token]
}

type Found = {
  readonly account: TokenAccount | null
  readonly mint: Mint | null
  readonly lamports: number
  readonly program: string
}

async function readAccounts(
  client: ChainClient,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Found>> {
  const uniqueAddresses = [...new Set(addresses)]
    .filter((address) => /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address))
    .slice(0, maxAccounts)
  if (uniqueAddresses.length === 0) return new Map()
  const params = [uniqueAddresses, { encoding: 'base64', commitment: 'confirmed' }]
  const { value } = Accounts.parse(await client.rpc.request({ method: 'getMultipleAccounts', params }, signal))
  return new Map(
    uniqueAddresses.flatMap((address, at) => {
      const found = kindOf(value[at] ?? null)
      return found === null ? [] : [[address, found] as const]
    }),
  )
}

function kindOf(found: z.infer<typeof SolanaAccountData>): Found | null {
  const data = bytesIn(found)
  if (found === null || data === null) return null
  const { owner, lamports } = found
  return { account: readTokenAccount(owner, data), mint: readMint(owner, data), lamports, program: owner }
}

function withheldOf(mint: Mint | null, amount: string, epoch: bigint): string | null {
  if (mint === null || mint.fees === null) return null
  return `${feeOf(feeAt(mint.fees, epoch), BigInt(amount))}`
}

async function epochOf(client: ChainClient, signal: AbortSignal): Promise<bigint> {
  const params = [{ commitment: 'confirmed' }]
  return BigInt(Epoch.parse(await client.rpc.request({ method: 'getEpochInfo', params }, signal)).epoch)
}
