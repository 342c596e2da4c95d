import type { WalletProvider } from '../discovery/wallet-provider'
import type { Source } from '../namespaces/contract'
import { adaptBitcoinStandard } from './bitcoin-standard'
import { adaptLeather } from './leather'
import { adaptPhantom } from './phantom'
import { adaptSatsConnect } from './sats-connect'
import { adaptSolanaStandard } from './solana-standard'
import { adaptUnisat } from './unisat'

export { createProviders } from './providers'

const adapters: Readonly<Record<Source['kind'], (source: object) => WalletProvider>> = {
  solanaStandard: adaptSolanaStandard,
  bitcoinStandard: adaptBitcoinStandard,
  satsConnect: adaptSatsConnect,
  leather: adaptLeather,
  unisat: adaptUnisat,
  okx: adaptUnisat,
  phantom: adaptPhantom,
}

/** To the page link's requests (protocol, `wallet-requests.ts`). */
export function adapt({ kind, source }: Source): WalletProvider {
  return adapters[kind](source)
}
