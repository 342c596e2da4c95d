import { devnetBitcoinId, devnetChains, devnetSolanaId } from '../chain-ids'
import type { MobileNetwork } from './contract'

/** The devnet's networks at their usual ports. */
export const mobileNetworks: readonly MobileNetwork[] = [
  ...devnetChains.map(
    ({ chainId, name, port }): MobileNetwork => ({ id: `eip155:${chainId}`, name, url: `http://127.0.0.1:${port}` }),
  ),
  { id: devnetSolanaId, name: 'Postern Solana', url: 'http://127.0.0.1:8547' },
  { id: devnetBitcoinId, name: 'Bitcoin Regtest', url: 'http://127.0.0.1:8549' },
]
