/** What a wallet remembers for one origin, and how it survives a reload. */
import * as z from 'zod/mini'
import { WalletNetwork, type WalletOptions } from './options'

const WalletState = z.strictObject({
  /** The origin may see the account. Storage belongs to an origin, so there is one such answer. */
  permitted: z.boolean(),
  /** Index of the active account. */
  account: z.int().check(z.gte(0), z.lte(9)),
  chainId: z.int(),
  networks: z.array(WalletNetwork).check(z.minLength(1)),
  locked: z.boolean(),
  autoApprove: z.boolean(),
})
export type WalletState = Readonly<z.infer<typeof WalletState>>

export function initialState(options: WalletOptions): WalletState {
  const { account, networks, locked, autoApprove } = options
  return {
    permitted: false,
    account,
    chainId: options.chain ?? networks[0]?.chainId ?? 0,
    networks,
    locked,
    autoApprove,
  }
}

/** Not Postern's own key: in life this storage belongs to a browser extension, out of every page's reach. */
export const storageKey = (rdns: string) => `devnet-wallet/${rdns}`

/** Null when nothing usable is stored, or the page may not store. */
export function parseState(stored: string | null): WalletState | null {
  if (stored === null) return null
  try {
    const parsed = z.safeParse(WalletState, JSON.parse(stored))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
