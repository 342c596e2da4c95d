import type { Namespace, Postern } from '@postern/client'
import type { SignatureVerifier } from '@postern/siwx/verifiers'
import { bitcoinNeighbour, devnetRpcUrls, neighbours, solanaNeighbour } from './config'
import { faucets } from './devnet'

export const namespaces = ['eip155', 'solana', 'bip122'] as const satisfies readonly Namespace[]

type NamespaceParts = {
  readonly name: string
  /** In smallest units. */
  readonly balance: (postern: Postern, address: string) => Promise<unknown>
  /** Receives payments. */
  readonly neighbour: string
  /** Resolves with what the user is told. */
  readonly faucet: (address: string, network: string | undefined) => Promise<string>
  /** Checks signatures of a page without a server. Absent: its accounts do not sign in. */
  readonly verifier?: () => Promise<SignatureVerifier>
}

/** Load with the first signature. */
const verifiers = () => import('@postern/siwx/verifiers')

export const namespaceParts: Readonly<Record<Namespace, NamespaceParts>> = {
  eip155: {
    name: 'EVM',
    balance: ({ eip155 }, address) => eip155.request({ method: 'eth_getBalance', params: [address, 'latest'] }),
    neighbour: neighbours[0].address,
    faucet: faucets.eip155,
    verifier: async () => (await verifiers()).eip155Verifier({ rpcUrl: (id) => devnetRpcUrls[id] }),
  },
  solana: {
    name: 'Solana',
    balance: async ({ solana }, address) =>
      member(await solana.request({ method: 'getBalance', params: [address] }), 'value'),
    neighbour: solanaNeighbour,
    faucet: faucets.solana,
    verifier: async () => (await verifiers()).solanaVerifier(),
  },
  bip122: {
    name: 'Bitcoin',
    balance: async ({ bip122 }, address) =>
      member(await bip122.request({ method: 'bip122_getBalance', params: { address } }), 'total'),
    neighbour: bitcoinNeighbour,
    faucet: faucets.bip122,
    verifier: async () => (await verifiers()).bip122Verifier(),
  },
}

export function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
