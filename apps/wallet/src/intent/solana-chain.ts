/** Owners of token accounts and fees of their mints, from the chain. */

import type { ChainClient } from '@postern/chains/chain-client'
import {
  feeAt,
  feeOf,
  feesDiffer,
  type Mint,
  readMint,
  readTokenAccount,
  type TokenAccount,
} from '@postern/chains/solana/token-account'
import * as z from 'zod/mini'
import type { IntentStep } from './intent'
import { bytesIn, SolanaAccountData } from './solana-accounts'

const Accounts = z.object({ value: z.array(SolanaAccountData) })
const Epoch = z.object({ epoch: z.int().check(z.gte(0)) })

/**
 * Names owners and mints instead of token accounts, if the chain responds. For Token-2022, also the mint's symbol, and
 * its fee unless the instruction states it.
 */
export async function nameTokenAccounts(
  client: ChainClient,
  steps: readonly IntentStep[],
  signal: AbortSignal,
): Promise<readonly IntentStep[]> {
  const accounts = [
    ...new Set(
      steps.flatMap((step) =>
        step.kind === 'transfer' && step.amount.token !== undefined ? [step.to, step.amount.token] : [],
      ),
    ),
  ].filter((address) => /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(address))
  if (accounts.length === 0) return steps
  const params = [accounts, { encoding: 'base64', commitment: 'confirmed' }]
  const answer = Accounts.parse(await client.rpc.request({ method: 'getMultipleAccounts', params }, signal))
  const found = new Map(accounts.map((address, at) => [address, kindOf(answer.value[at] ?? null)]))
  const mints = [...found.values()].flatMap(({ mint }) => (mint === null ? [] : [mint]))
  const epoch = mints.some(({ fees }) => fees !== null && feesDiffer(fees)) ? await epochOf(client, signal) : 0n
  return steps.map((step) => {
    if (step.kind !== 'transfer' || step.amount.token === undefined) return step
    const source = found.get(step.amount.token)
    const amount = {
      ...step.amount,
      token: source?.account?.mint ?? step.amount.token,
      ...(source?.mint?.symbol && { symbol: source.mint.symbol }),
    }
    const withheld = step.withheld?.raw ?? withheldOf(source?.mint ?? null, amount.raw, epoch)
    return {
      ...step,
      to: found.get(step.to)?.account?.owner ?? step.to,
      amount,
      ...(withheld !== null && { withheld: { ...amount, raw: withheld } }),
    }
  })
}

type Kind = { readonly account: TokenAccount | null; readonly mint: Mint | null }

function kindOf(found: z.infer<typeof SolanaAccountData>): Kind {
  const data = bytesIn(found)
  if (found === null || data === null) return { account: null, mint: null }
  return { account: readTokenAccount(found.owner, data), mint: readMint(found.owner, data) }
}

function withheldOf(mint: Mint | null, amount: string, epoch: bigint): string | null {
  if (mint === null || mint.fees === null) return null
  return `${feeOf(feeAt(mint.fees, epoch), BigInt(amount))}`
}

async function epochOf(client: ChainClient, signal: AbortSignal): Promise<bigint> {
  const params = [{ commitment: 'confirmed' }]
  return BigInt(Epoch.parse(await client.rpc.request({ method: 'getEpochInfo', params }, signal)).epoch)
}
