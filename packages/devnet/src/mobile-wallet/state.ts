import { byNamespace, CaipNetworkId } from '@postern/protocol'
import * as z from 'zod/mini'
import { devnetBitcoinId, devnetChains, devnetSolanaId } from '../chain-ids'
import type { MobileNetwork } from './contract'
import type { TextStore } from './storage'

/** The devnet's networks at their usual ports. */
const mobileNetworks: readonly MobileNetwork[] = [
  ...devnetChains.map(
    ({ chainId, name, port }): MobileNetwork => ({ id: `eip155:${chainId}`, name, url: `http://127.0.0.1:${port}` }),
  ),
  { id: devnetSolanaId, name: 'Postern Solana', url: 'http://127.0.0.1:8547' },
  { id: devnetBitcoinId, name: 'Bitcoin Regtest', url: 'http://127.0.0.1:8549' },
]

const Network = z.object({ id: CaipNetworkId, name: z.string(), url: z.url({ protocol: /^https?$/ }) })
const MobileState = z.object({
  account: z.int().check(z.gte(0), z.lte(9)),
  networks: z.array(Network).check(z.minLength(1)),
  granted: z.array(CaipNetworkId),
  active: z.object(byNamespace(() => z.optional(CaipNetworkId))),
  autoApprove: z.boolean(),
  signsIn: z._default(z.boolean(), false),
})
export type MobileState = Readonly<z.infer<typeof MobileState>>

const key = 'mobile-wallet'

/** Account 1, because the wallet in the page starts with account 0. */
export function initialState(account = 1, known = mobileNetworks): MobileState {
  const networks = known.map((network) => ({ ...network }))
  return { account, networks, granted: networks.map(({ id }) => id), active: {}, autoApprove: false, signsIn: false }
}

/** Null if nothing usable is stored. */
export function readState(store: TextStore): MobileState | null {
  try {
    return MobileState.parse(JSON.parse(store.getItem(key) ?? ''))
  } catch {
    return null
  }
}

export function writeState(store: TextStore, state: MobileState): void {
  try {
    store.setItem(key, JSON.stringify(state))
  } catch {
    // The wallet then lasts until the next reload.
  }
}
