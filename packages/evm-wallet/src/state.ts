import * as z from 'zod/mini'
import { type EvmWalletOptions, WalletNetwork } from './options'

const WalletState = z.strictObject({
  /** Permission for one origin suffices: storage belongs to the origin. */
  permitted: z.boolean(),
  account: z.int().check(z.gte(0), z.lte(9)),
  chainId: z.int(),
  networks: z.array(WalletNetwork).check(z.minLength(1)),
  locked: z.boolean(),
  autoApprove: z.boolean(),
})
export type WalletState = Readonly<z.infer<typeof WalletState>>

export function initialState(options: EvmWalletOptions): WalletState {
  const { account, networks, locked, autoApprove } = options
  return {
    permitted: false,
    account,
    chainId: options.chain ?? networks[0]?.chainId ?? 0,
    networks: [...networks],
    locked,
    autoApprove,
  }
}

/** Null if nothing usable is stored, or storage is denied. */
export function parseState(stored: string | null): WalletState | null {
  if (stored === null) return null
  try {
    const parsed = z.safeParse(WalletState, JSON.parse(stored))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
