import type { PageWallet } from '@postern/protocol'
import { createBip122 } from '../namespaces/bip122/provider'
import { createSatsConnectRequest } from '../namespaces/bip122/sats-connect-requests'
import type { Providers } from '../namespaces/contract'
import { createSolana } from '../namespaces/solana/provider'
import { bitcoinAccounts } from '../providers/deferred'
import type { ProviderOptions } from '../providers/options'
import { requestFailure } from '../shared/failures'
import { fromBase58, fromHex } from './bytes'
import { numbered, since } from './router'
import { bitcoinFeatures, solanaFeatures } from './standard-features'

/** `postern.solana`, `postern.bip122`, and the announced wallet's features. */
export function createProviders(
  page: ProviderOptions,
  pageWallets: () => readonly PageWallet[],
  version: string,
): Providers {
  const solana = createSolana({ ...page, pageWallets })
  const bip122 = createBip122({ ...page, pageWallets })
  const features = { ...solanaFeatures(solana.router), ...bitcoinFeatures(bip122.router) }
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
      const accounts = bitcoinAccounts(await (namespace === 'solana' ? solana : bip122).router.connect(silent))
      const shared = purposes?.flatMap((each) => accounts.filter(({ purpose }) => purpose === each)) ?? accounts
      return shared.map(({ address }) => address)
    },
    standardAccounts: (accounts, chains, features) =>
      accounts.map(({ namespace, address, type, publicKey = '' }) =>
        Object.freeze({
          address,
          ...(namespace === 'bip122' && { purpose: type }),
          publicKey: namespace === 'solana' ? fromBase58(address) : fromHex(publicKey),
          chains,
          features,
        }),
      ),
    since: (earlier) => ({
      ...providers,
      solana: since(solana.provider, solana.router, earlier),
      bip122: since(bip122.provider, bip122.router, earlier),
    }),
    stop() {
      solana.stop()
      bip122.stop()
    },
  }
  return providers
}

function isInput(input: unknown): input is Readonly<Record<string, unknown>> {
  return typeof input === 'object' && input !== null
}
