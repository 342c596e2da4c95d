/** What only the chain knows of a Solana transaction: whose token accounts they are, and what would change for the owner. */
import { base58, base64 } from '@scure/base'
import * as z from 'zod/mini'
import type { ChainClient } from '../chains/chain-client'
import type { BalanceChange, IntentStep } from './contract'

const AccountData = z.nullable(
  z.object({ lamports: z.number(), data: z.tuple([z.string(), z.literal('base64')]), owner: z.string() }),
)
const Accounts = z.object({ value: z.array(AccountData) })
const Simulated = z.object({
  value: z.object({ err: z.unknown(), accounts: z.nullish(z.array(z.nullable(z.object({ lamports: z.number() })))) }),
})
const Balance = z.object({ value: z.number() })

/** Transfers of tokens by their owners and mints instead of the accounts that hold them, where the chain tells. */
export async function nameTokenAccounts(
  client: ChainClient,
  steps: readonly IntentStep[],
  signal: AbortSignal,
): Promise<readonly IntentStep[]> {
  const asked = [
    ...new Set(
      steps.flatMap((step) =>
        step.kind === 'transfer' && step.amount.token !== undefined ? [step.to, step.amount.token] : [],
      ),
    ),
  ].filter((address) => /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address))
  if (asked.length === 0) return steps
  const params = [asked, { encoding: 'base64', commitment: 'confirmed' }]
  const answer = Accounts.parse(await client.rpc.request({ method: 'getMultipleAccounts', params }, signal))
  const found = new Map(asked.map((address, at) => [address, readTokenAccount(answer.value[at]?.data[0])]))
  return steps.map((step) => {
    if (step.kind !== 'transfer' || step.amount.token === undefined) return step
    const token = found.get(step.amount.token)?.mint ?? step.amount.token
    return { ...step, to: found.get(step.to)?.owner ?? step.to, amount: { ...step.amount, token } }
  })
}

/** The layout of a token account: mint 32, owner 32, amount 8; 165 bytes and more. */
function readTokenAccount(data: string | undefined): { readonly mint: string; readonly owner: string } | null {
  if (data === undefined) return null
  try {
    const bytes = base64.decode(data)
    if (bytes.length < 165) return null
    return { mint: base58.encode(bytes.slice(0, 32)), owner: base58.encode(bytes.slice(32, 64)) }
  } catch {
    return null
  }
}

/** By simulateTransaction. `changes` is null where the endpoint does not say what becomes of the account; the fee is part of it. */
export async function simulateSolana(
  client: ChainClient,
  transaction: string,
  owner: string,
  signal: AbortSignal,
): Promise<{ readonly fails: boolean; readonly changes: readonly BalanceChange[] | null } | null> {
  try {
    const accounts = { encoding: 'base64', addresses: [owner] }
    const config = {
      encoding: 'base64',
      commitment: 'confirmed',
      sigVerify: false,
      replaceRecentBlockhash: true,
      accounts,
    }
    const [simulated, balance] = await Promise.all([
      client.rpc.request({ method: 'simulateTransaction', params: [transaction, config] }, signal),
      client.rpc.request({ method: 'getBalance', params: [owner, { commitment: 'confirmed' }] }, signal),
    ])
    const { err, accounts: after } = Simulated.parse(simulated).value
    if (err !== null && err !== undefined) return { fails: true, changes: null }
    const lamports = after?.[0]?.lamports
    if (lamports === undefined) return { fails: false, changes: null }
    const net = BigInt(lamports) - BigInt(Balance.parse(balance).value)
    if (net === 0n) return { fails: false, changes: [] }
    const amount = { raw: `${net > 0n ? net : -net}`, symbol: 'SOL', decimals: 9 }
    return { fails: false, changes: [{ direction: net > 0n ? 'in' : 'out', amount }] }
  } catch {
    return null
  }
}
