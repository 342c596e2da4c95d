import { pbkdf2Sync } from 'node:crypto'
import type { NetworkDefinition } from '@postern/protocol'
import { type Address, encodePacked, getContractAddress, keccak256 } from 'viem'
import { HDKey, hdKeyToAccount } from 'viem/accounts'
import { devnetBitcoinId, devnetChains, devnetSolanaId } from './chain-ids'
import { devnetMnemonic } from './mnemonic'

/** A service starts only with a port. */
export type DevnetPorts = {
  readonly evm: number
  readonly evmTwo: number
  /** Subscriptions use the next port. */
  readonly solana?: number
  readonly bitcoin?: number
  readonly relay?: number
  readonly mobileWallet?: number
  /** Set with `mailbox` or not at all. */
  readonly smtp?: number
  readonly mailbox?: number
  /** Mock of the social providers. */
  readonly identityProvider?: number
  readonly farcaster?: number
  readonly bundler?: number
  readonly onramp?: number
  /** Holdings by account, and prices. */
  readonly indexer?: number
  /** Serves names below `offchain.eth`. */
  readonly names?: number
}
export const devnetPorts: Required<DevnetPorts> = {
  evm: 8545,
  evmTwo: 8546,
  solana: 8547,
  bitcoin: 8549,
  relay: 8550,
  mobileWallet: 8551,
  smtp: 8552,
  mailbox: 8553,
  identityProvider: 8554,
  farcaster: 8555,
  bundler: 8556,
  onramp: 8557,
  indexer: 8558,
  names: 8559,
}

/** The weather's port between a gateway and the chains. */
export const weatherPort = 8560

const accountCount = 10

/** BIP-39, no passphrase. */
const root = HDKey.fromMasterSeed(pbkdf2Sync(devnetMnemonic, 'mnemonic', 2048, 64, 'sha512'))

/** 10,000 ETH each on both chains; the last deploys the contracts. m/44'/60'/0'/0/i. */
export const devnetAccounts = Array.from({ length: accountCount }, (_, addressIndex) =>
  hdKeyToAccount(root, { addressIndex }),
)

/** Separate from the accounts that tests and people spend from. */
export function deployer() {
  const account = devnetAccounts[accountCount - 1]
  if (account === undefined) throw new Error('The devnet has no accounts.')
  return account
}

/** Separate from the deployer, whose addresses must not change. m/44'/60'/0'/0/1001. */
export const marketMaker = hdKeyToAccount(root, { addressIndex: 1_001 })

/** m/44'/60'/0'/0/1002. */
export const nameRegistrar = hdKeyToAccount(root, { addressIndex: 1_002 })

/** The on-ramp pays from here. m/44'/60'/0'/0/1003. */
export const treasury = hdKeyToAccount(root, { addressIndex: 1_003 })

/** Signs for `offchain.eth`. m/44'/60'/0'/0/1004. */
export const nameSigner = hdKeyToAccount(root, { addressIndex: 1_004 })

const names = getContractAddress({ from: nameRegistrar.address, nonce: 0n })
/** Created by the registrar's first contract. */
export const ensContracts = {
  names,
  registry: getContractAddress({ from: names, nonce: 1n }),
  resolver: getContractAddress({ from: names, nonce: 2n }),
  universalResolver: getContractAddress({ from: names, nonce: 3n }),
  /** The registrar's second contract, if the server runs. */
  offchainResolver: getContractAddress({ from: nameRegistrar.address, nonce: 1n }),
} as const

const madeByMarket = (nonce: bigint) => getContractAddress({ from: marketMaker.address, nonce })
const swapFactory = madeByMarket(1n)

/** Source: UniswapV2Library.pairFor of @uniswap/v2-periphery. */
export function pairAddress(a: Address, b: Address): Address {
  const sorted = a.toLowerCase() < b.toLowerCase() ? ([a, b] as const) : ([b, a] as const)
  return getContractAddress({
    opcode: 'CREATE2',
    from: swapFactory,
    salt: keccak256(encodePacked(['address', 'address'], sorted)),
    bytecodeHash: '0x96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f',
  })
}

/** Same on every chain. Source: https://www.multicall3.com */
export const multicall3Address = '0xcA11bde05977b3631167028862bE2a173976CA11'

/** Its real address. Source: https://docs.farcaster.xyz/reference/contracts/deployments */
export const idRegistryAddress = '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b'

/** The first three transactions of deployer and market maker are the same on both chains. */
export const devnetContracts = {
  multicall3: multicall3Address,
  dollar: getContractAddress({ from: deployer().address, nonce: 0n }),
  gem: getContractAddress({ from: deployer().address, nonce: 1n }),
  collectible: getContractAddress({ from: deployer().address, nonce: 2n }),
  /** 18 decimals. */
  wrapped: madeByMarket(0n),
  swapFactory,
  swapRouter: madeByMarket(2n),
  items: madeByMarket(3n),
} as const

/** Solana and Bitcoin only if they have ports. */
export function devnetNetworks(ports: DevnetPorts = devnetPorts): NetworkDefinition[] {
  const networks: NetworkDefinition[] = devnetChains.map(({ key, chainId, name, colour }) => ({
    id: `eip155:${chainId}`,
    name,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: [`http://127.0.0.1:${ports[key]}`],
    testnet: true,
    imageUrl: picture(colour),
  }))
  if (ports.solana !== undefined)
    networks.push({
      id: devnetSolanaId,
      name: 'Postern Solana',
      nativeCurrency: { name: 'Solana', symbol: 'SOL', decimals: 9 },
      rpcUrls: [`http://127.0.0.1:${ports.solana}`],
      testnet: true,
      imageUrl: picture('#6b3fc4'),
    })
  if (ports.bitcoin !== undefined)
    networks.push({
      id: devnetBitcoinId,
      name: 'Bitcoin Regtest',
      nativeCurrency: { name: 'Bitcoin', symbol: 'BTC', decimals: 8 },
      rpcUrls: [`http://127.0.0.1:${ports.bitcoin}`],
      testnet: true,
      imageUrl: picture('#b85f00'),
    })
  return networks
}

/** Distinguishes networks in a list. */
function picture(colour: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="16" fill="${colour}"/><path d="M7 12h7v8H7zm11 0h7v8h-7zm-4 4h4" fill="none" stroke="#fff" stroke-width="2.2" stroke-linejoin="round"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
