import type { PageWallet } from '@postern/protocol'
import type { StandardNamespace } from '@postern/protocol/namespaces'
import type { WalletProvider } from '../discovery/wallet-provider'
import { adaptLeather } from '../namespaces/bip122/adapt/leather'
import { adaptPhantom } from '../namespaces/bip122/adapt/phantom'
import { adaptSatsConnect } from '../namespaces/bip122/adapt/sats-connect'
import { adaptBitcoinStandard } from '../namespaces/bip122/adapt/standard'
import { adaptUnisat } from '../namespaces/bip122/adapt/unisat'
import { createBip122 } from '../namespaces/bip122/provider'
import { createSatsConnectRequest } from '../namespaces/bip122/sats-connect-requests'
import type { Providers, Sign, Source } from '../namespaces/contract'
import { adaptSolanaStandard } from '../namespaces/solana/adapt'
import { createSolana } from '../namespaces/solana/provider'
import { bitcoinAccounts } from '../providers/deferred'
import type { ProviderOptions } from '../providers/options'
import { requestFailure } from '../shared/failures'
import { type LoadedProvider, numbered, since } from './router'

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

/** Creates `postern.solana`, `postern.bip122` and the announced wallet's features. */
export function createProviders(
  page: ProviderOptions,
  pageWallets: () => readonly PageWallet[],
  version: string,
): Providers {
  const solana = createSolana({ ...page, pageWallets })
  const bip122 = createBip122({ ...page, pageWallets })
  const loaded: Readonly<Record<StandardNamespace, LoadedProvider<object>>> = { solana, bip122 }
  const features: Readonly<Record<string, Sign>> = Object.assign(
    {},
    ...Object.values(loaded).map((each) => each.features),
  )
  const providers: Providers = {
    solana: solana.provider,
    bip122: bip122.provider,
    satsConnect: createSatsConnectRequest(bip122.router, { version, subtle: globalThis.crypto?.subtle }),
    sign: (feature, inputs, accountOf) =>
      numbered(async () => {
        const sign = Object.hasOwn(features, feature) ? features[feature] : undefined
        if (sign === undefined || !inputs.every(isInput)) throw requestFailure('INVALID_PARAMS')
        return sign(inputs, accountOf)
      }),
    async connect(namespace, silent, purposes) {
      const accounts = bitcoinAccounts(await loaded[namespace].router.connect(silent))
      const shared = purposes?.flatMap((each) => accounts.filter(({ purpose }) => purpose === each)) ?? accounts
      return shared.map(({ address }) => address)
    },
    standardAccounts: (namespace, accounts, chains, features) =>
      accounts.map((account) => Object.freeze({ ...loaded[namespace].standardAccount(account), chains, features })),
    since: (earlier) => ({
      ...providers,
      solana: since(solana.provider, solana.router, earlier),
      bip122: since(bip122.provider, bip122.router, earlier),
    }),
    stop() {
      for (const each of Object.values(loaded)) each.stop()
    },
  }
  return providers
}

function isInput(input: unknown): input is Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null
}
