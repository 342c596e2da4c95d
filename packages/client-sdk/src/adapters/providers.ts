import type { PageWallet } from '@postern/protocol'
import type { StandardNamespace } from '@postern/protocol/namespaces'
import { createBip122 } from '../namespaces/bip122/provider'
import { createSatsConnectRequest } from '../namespaces/bip122/sats-connect-requests'
import type { Providers, Sign } from '../namespaces/contract'
import { createSolana } from '../namespaces/solana/provider'
import { bitcoinAccounts } from '../providers/deferred'
import type { ProviderOptions } from '../providers/options'
import { requestFailure } from '../shared/failures'
import { type LoadedProvider, numbered, since } from './router'

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
