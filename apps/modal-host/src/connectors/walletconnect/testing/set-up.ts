import { manualClock } from '@postern/base/testing/manual-clock'
import { configureNetworks } from '@postern/chains/networks'
import { type CaipNetworkId, type Namespace, resolveNetwork } from '@postern/protocol'
import { createHostStorage } from '../../../services/storage'
import type { WalletConnectOptions } from '../options'

export const evmAccount = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
export const otherEvmAccount = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const solanaAccount = '4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA'
export const paymentAddress = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
export const ordinalsAddress = 'bcrt1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqvg32hk'

export const solanaMainnet = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
export const oldSolanaMainnet = 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ'
export const regtest = 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328'

export const networks = configureNetworks(
  [
    'ethereum',
    'base',
    solanaMainnet,
    { id: regtest, name: 'Regtest', nativeCurrency: { name: 'Bitcoin', symbol: 'BTC', decimals: 8 }, testnet: true },
  ],
  { additional: [], gatewayEndpoint: (id) => `https://gateway.example/${id}`, imageUrl: () => '' },
)
if (resolveNetwork(solanaMainnet) === null) throw new Error('Solana is not built in')

function preferredNetwork(namespace: Namespace): CaipNetworkId {
  const network = networks.list.find(({ chainNamespace }) => chainNamespace === namespace)
  if (network === undefined) throw new Error(`No ${namespace} network is configured`)
  return network.caipNetworkId
}

export function memoryStorage(): Storage {
  const values = new Map<string, string>()
  return {
    get length() {
      return values.size
    },
    key: (index) => [...values.keys()][index] ?? null,
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
    clear: () => values.clear(),
  }
}

export function hostStorage(frame: Storage = memoryStorage()) {
  return createHostStorage({
    frameStorage: () => frame,
    projectId: 'demo',
    origin: 'https://dapp.example',
    stored: {},
    keepInPage: async () => {},
  })
}

/** The clock starts at the real time and moves only when advanced. */
export function hostOptions(relayUrl: string, changes: Partial<WalletConnectOptions> = {}) {
  // real time: WalletConnect's libraries end sessions by it, and number requests with it.
  const clock = manualClock(Date.now())
  const options: WalletConnectOptions = {
    relay: { relayUrl, projectId: 'test' },
    networks,
    metadata: {
      name: 'Dapp',
      description: 'A dapp',
      url: 'https://dapp.example',
      icons: ['https://dapp.example/i.png'],
    },
    storage: hostStorage(),
    clock,
    onPageReturn: () => () => {},
    normalise: async (_, addresses) => {
      if (addresses.some((address) => !/^[a-zA-Z0-9]{26,90}$/.test(address))) throw new Error('not an address')
      return addresses
    },
    preferredNetwork,
    ...changes,
  }
  return { options, clock }
}
