import { AccountData } from '@postern/chains/solana/account-data'
import { base64 } from '@scure/base'
import * as z from 'zod/mini'

export const system = '11111111111111111111111111111111'
export const computeBudget = 'ComputeBudget111111111111111111111111111111'

export const native = { symbol: 'SOL', decimals: 9 } as const

/** Base64 from an endpoint; null if missing. */
export const SolanaAccountData = z.nullable(z.object({ lamports: z.number(), data: AccountData, owner: z.string() }))

export function bytesIn(found: z.infer<typeof SolanaAccountData>): Uint8Array | null {
  if (found === null) return null
  try {
    return base64.decode(found.data[0])
  } catch {
    return null
  }
}
