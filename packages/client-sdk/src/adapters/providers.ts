import type { PageWallet } from '@postern/protocol'
import { failure } from '../errors'
import type { ProviderOptions } from '../providers/options'
import type { Account, BitcoinProvider, Snapshot, SolanaProvider } from '../types'
import { createBip122 } from './bip122'
import { fromBase58, fromHex } from './bytes'
import { numbered, since } from './router'
import { createSolana } from './solana'
import { bitcoinFeatures, solanaFeatures } from './standard-features'

export type Providers = {
  readonly solana: SolanaProvider
  readonly bip122: BitcoinProvider
  /** Answers a signing feature of Wallet Standard, by its name. */
  sign(feature: string, inputs: readonly unknown[]): Promise<object[]>
  /** Connects, and answers with the addresses that were shared; of Bitcoin's, those for the purposes. */
  connect(namespace: 'solana' | 'bip122', silent: boolean, purposes?: readonly string[]): Promise<string[]>
  /** The public key of an account, as bytes; empty where it is not known. */
  keyOf(account: Account): Uint8Array
  /** For whoever asked for them when `seen` was so: their listeners miss nothing that came about until now. */
  since(seen: Snapshot): Providers
  stop(): void
}

/** What answers a dapp about Solana and Bitcoin: `postern.solana`, `postern.bip122`, and the features of the announced wallet. */
export function createProviders(page: ProviderOptions, pageWallets: () => readonly PageWallet[]): Providers {
  const solana = createSolana({ ...page, pageWallets })
  const bip122 = createBip122({ ...page, pageWallets })
  const features = { ...solanaFeatures(solana.router), ...bitcoinFeatures(bip122.router) }
  const providers: Providers = {
    solana: solana.provider,
    bip122: bip122.provider,
    sign: (feature, inputs) =>
      numbered(async () => {
        const sign = Object.hasOwn(features, feature) ? features[feature] : undefined
        if (sign === undefined || !inputs.every(isInput)) throw failure('INVALID_PARAMS')
        return sign(inputs)
      }),
    async connect(namespace, silent, purposes) {
      const accounts = await (namespace === 'solana' ? solana : bip122).router.connect(silent)
      return accounts
        .filter(({ type }) => purposes === undefined || purposes.includes(type === 'ordinals' ? type : 'payment'))
        .map(({ address }) => address)
    },
    keyOf: ({ namespace, address, publicKey = '' }) =>
      namespace === 'solana' ? fromBase58(address) : fromHex(publicKey),
    since: (seen) => ({
      ...providers,
      solana: since(solana.provider, solana.router, seen),
      bip122: since(bip122.provider, bip122.router, seen),
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
