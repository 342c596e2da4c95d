import type { WalletProvider } from '../discovery/wallet-provider'
import { adaptLeather } from '../namespaces/bip122/adapt/leather'
import { adaptPhantom } from '../namespaces/bip122/adapt/phantom'
import { adaptSatsConnect } from '../namespaces/bip122/adapt/sats-connect'
import { adaptBitcoinStandard } from '../namespaces/bip122/adapt/standard'
import { adaptUnisat } from '../namespaces/bip122/adapt/unisat'
import type { Source } from '../namespaces/contract'
import { adaptSolanaStandard } from '../namespaces/solana/adapt'

export { createProviders } from './providers'

const adapters: Readonly<Record<Source['kind'], (source: object) => WalletProvider>> = {
  solanaStandard: adaptSolanaStandard,
  bip122Standard: adaptBitcoinStandard,
  satsConnect: adaptSatsConnect,
  leather: adaptLeather,
  unisat: adaptUnisat,
  okx: adaptUnisat,
  phantom: adaptPhantom,
}

/** Serves the page link's requests (protocol, `wallet-requests.ts`). */
export function adapt({ kind, source }: Source): WalletProvider {
  return adapters[kind](source)
}
