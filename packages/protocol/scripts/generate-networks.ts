/** Run: `npm run networks -w @postern/protocol`. A test regenerates and compares. */
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Chain } from 'viem'
import * as chains from 'viem/chains'
import { type CaipNetworkId, parseCaipNetworkId } from '../src/caip'
import type { NetworkDefinition } from '../src/entities/network-definition'
import { namespaceFacts } from '../src/namespaces/facts'

/** In display order. */
const selection = {
  ethereum: chains.mainnet,
  optimism: chains.optimism,
  arbitrum: chains.arbitrum,
  polygon: chains.polygon,
  base: chains.base,
  bnb: chains.bsc,
  avalanche: chains.avalanche,
  zksync: chains.zksync,
  gnosis: chains.gnosis,
  celo: chains.celo,
  aurora: chains.aurora,
  zora: chains.zora,
  kaia: chains.kaia,
  linea: chains.linea,
  scroll: chains.scroll,
  mantle: chains.mantle,
  blast: chains.blast,
  mode: chains.mode,
  sonic: chains.sonic,
  fantom: chains.fantom,
  moonbeam: chains.moonbeam,
  moonriver: chains.moonriver,
  cronos: chains.cronos,
  'polygon-zkevm': chains.polygonZkEvm,
  opbnb: chains.opBNB,
  unichain: chains.unichain,
  worldchain: chains.worldchain,
  ink: chains.ink,
  soneium: chains.soneium,
  berachain: chains.berachain,
  abstract: chains.abstract,
  taiko: chains.taiko,
  manta: chains.manta,
  metis: chains.metis,
  'arbitrum-nova': chains.arbitrumNova,
  fraxtal: chains.fraxtal,
  lisk: chains.lisk,
  ronin: chains.ronin,
  sei: chains.sei,
  hyperevm: chains.hyperEvm,
  monad: chains.monad,
  zetachain: chains.zetachain,
  iotex: chains.iotex,
  sepolia: chains.sepolia,
  hoodi: chains.hoodi,
  'optimism-sepolia': chains.optimismSepolia,
  'arbitrum-sepolia': chains.arbitrumSepolia,
  'polygon-amoy': chains.polygonAmoy,
  'base-sepolia': chains.baseSepolia,
  'bnb-testnet': chains.bscTestnet,
  'avalanche-fuji': chains.avalancheFuji,
  'zksync-sepolia': chains.zksyncSepoliaTestnet,
  'gnosis-chiado': chains.gnosisChiado,
  'celo-sepolia': chains.celoSepolia,
  'aurora-testnet': chains.auroraTestnet,
  'zora-sepolia': chains.zoraSepolia,
  'kaia-kairos': chains.kairos,
  'linea-sepolia': chains.lineaSepolia,
  'scroll-sepolia': chains.scrollSepolia,
  'unichain-sepolia': chains.unichainSepolia,
  'worldchain-sepolia': chains.worldchainSepolia,
  'ink-sepolia': chains.inkSepolia,
} as const satisfies Record<string, Chain>

type Entry = { readonly definition: NetworkDefinition; readonly upstreams: readonly string[] }

/** CAIP-2 references. Upstreams: Solana's JSON-RPC, Esplora's REST. */
const others = {
  solana: solana('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'Solana', [
    'https://api.mainnet-beta.solana.com',
    'https://solana-rpc.publicnode.com',
  ]),
  bitcoin: bitcoin('000000000019d6689c085ae165831e93', 'Bitcoin', '', ['mempool.space', 'blockstream.info']),
  'solana-devnet': solana('EtWTRABZaYq6iMfeYKouRu166VU2xqa1', 'Solana Devnet', ['https://api.devnet.solana.com']),
  'solana-testnet': solana('4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z', 'Solana Testnet', ['https://api.testnet.solana.com']),
  'bitcoin-testnet': bitcoin('000000000933ea01ad0ee984209779ba', 'Bitcoin Testnet', '/testnet', [
    'mempool.space',
    'blockstream.info',
  ]),
  'bitcoin-testnet4': bitcoin('00000000da84f2bafbbc53dee25a72ae', 'Bitcoin Testnet 4', '/testnet4', ['mempool.space']),
  'bitcoin-signet': bitcoin('00000008819873e925422c1ff0f99f7c', 'Bitcoin Signet', '/signet', [
    'mempool.space',
    'blockstream.info',
  ]),
} as const satisfies Record<string, Entry>

/** With more, a dead network only fails later. */
const upstreamsPerNetwork = 3

/** From ethereum-lists/chains, tried after viem's. */
const moreHosts: Readonly<Record<string, readonly string[]>> = {
  ethereum: ['ethereum-rpc.publicnode.com', 'eth.drpc.org'],
  optimism: ['optimism-rpc.publicnode.com', 'optimism.drpc.org'],
  arbitrum: ['arbitrum-one-rpc.publicnode.com', 'arbitrum.drpc.org'],
  polygon: ['polygon-bor-rpc.publicnode.com'],
  base: ['base-rpc.publicnode.com', 'base.drpc.org'],
  bnb: ['bsc-rpc.publicnode.com', 'bsc-dataseed1.bnbchain.org'],
  avalanche: ['avalanche-c-chain-rpc.publicnode.com'],
  zksync: ['zksync.drpc.org'],
  gnosis: ['gnosis-rpc.publicnode.com'],
  aurora: ['aurora.drpc.org'],
  mantle: ['mantle-rpc.publicnode.com'],
  blast: ['blast-rpc.publicnode.com'],
  mode: ['mode.drpc.org'],
  fantom: ['fantom-rpc.publicnode.com', 'fantom.drpc.org'],
  moonbeam: ['moonbeam-rpc.publicnode.com'],
  moonriver: ['moonriver-rpc.publicnode.com'],
  cronos: ['cronos-evm-rpc.publicnode.com'],
  'polygon-zkevm': ['polygon-zkevm.drpc.org'],
  opbnb: ['opbnb-rpc.publicnode.com'],
  manta: ['manta-pacific.drpc.org'],
  'arbitrum-nova': ['arbitrum-nova-rpc.publicnode.com'],
  sepolia: ['ethereum-sepolia-rpc.publicnode.com', 'sepolia.drpc.org'],
  'optimism-sepolia': ['optimism-sepolia.drpc.org'],
  'polygon-amoy': ['polygon-amoy-bor-rpc.publicnode.com'],
  'base-sepolia': ['base-sepolia-rpc.publicnode.com'],
  'bnb-testnet': ['bsc-testnet-rpc.publicnode.com'],
  'avalanche-fuji': ['avalanche-fuji-c-chain-rpc.publicnode.com'],
  'zksync-sepolia': ['zksync-sepolia.drpc.org'],
  'gnosis-chiado': ['gnosis-chiado-rpc.publicnode.com'],
  'aurora-testnet': ['aurora-testnet.drpc.org'],
} satisfies Partial<Record<keyof typeof selection, readonly string[]>>

export function generateNetworks(): Record<'networks.gen.ts' | 'upstreams.gen.ts', string> {
  const entries = [
    ...Object.entries<Chain>(selection).map(([alias, chain]) => [alias, evm(chain, moreHosts[alias])] as const),
    ...Object.entries<Entry>(others),
  ]
  entries.sort(([, a], [, b]) => Number(a.definition.testnet ?? false) - Number(b.definition.testnet ?? false))
  const header =
    '// Generated by scripts/generate-networks.ts, for EVM from viem/chains. Change the script, not this file.'
  return {
    'networks.gen.ts': [
      header,
      "import type { NetworkDefinition } from '../entities/network-definition'",
      "import { ether, row } from './network-row'",
      '',
      `export type NetworkAlias =${entries.map(([alias]) => `\n  | ${JSON.stringify(alias)}`).join('')}`,
      '',
      '/** Every network that a dapp can name by alias, in order of appearance. Endpoints are in `upstreams.gen.ts`. */',
      'export const builtInNetworks: Readonly<Record<NetworkAlias, NetworkDefinition>> = {',
      ...entries.map(([alias, { definition }]) => `  ${JSON.stringify(alias)}: ${writeRow(definition)},`),
      '}',
      '',
    ].join('\n'),
    'upstreams.gen.ts': [
      header,
      "import type { CaipNetworkId } from '../caip'",
      '',
      '/**',
      ' * Public endpoints by network, first one preferred: JSON-RPC, and Esplora’s REST for Bitcoin. Used by the gateway and by',
      ' * wallets that add a network; not exported by the index.',
      ' */',
      'export const builtInUpstreams: Readonly<Partial<Record<CaipNetworkId, readonly string[]>>> = {',
      ...entries.map(
        ([, { definition, upstreams }]) => `  ${JSON.stringify(definition.id)}: ${JSON.stringify(upstreams)},`,
      ),
      '}',
      '',
    ].join('\n'),
  }
}

function writeRow({ id, name, nativeCurrency, blockExplorers, testnet }: NetworkDefinition): string {
  const { namespace, reference } = parseCaipNetworkId(id)
  const number = namespaceFacts[namespace].networkId(reference)
  const [explorer = { name: '', url: 'https://' }] = blockExplorers ?? []
  if (!explorer.url.startsWith('https://')) throw new Error(`${name} has an explorer without TLS: ${explorer.url}`)
  const currency = [nativeCurrency.name, nativeCurrency.symbol, nativeCurrency.decimals]
  const isEther = currency.join() === 'Ether,ETH,18'
  return `row(${[
    typeof number === 'number' ? number : JSON.stringify(id),
    ...[name, explorer.name, explorer.url.slice('https://'.length)].map((text) => JSON.stringify(text)),
    ...(isEther ? (testnet === true ? ['ether'] : []) : [JSON.stringify(currency)]),
    ...(testnet === true ? ['true'] : []),
  ].join(', ')})`
}

/** The last is thirdweb's, which serves every network by chain id. */
function evm(chain: Chain, more: readonly string[] = []): Entry {
  const { name, symbol, decimals } = chain.nativeCurrency
  const explorer = chain.blockExplorers?.default
  const own = chain.rpcUrls.default.http.filter((url) => url.startsWith('https://')).slice(0, upstreamsPerNetwork)
  const others = [...more, `${chain.id}.rpc.thirdweb.com`].map((host) => `https://${host}`)
  const urls = [...new Set([...own, ...others].map(withoutTrailingSlash))].slice(0, upstreamsPerNetwork)
  return {
    definition: {
      id: `eip155:${chain.id}`,
      name: chain.name,
      nativeCurrency: { name, symbol, decimals },
      ...(explorer && { blockExplorers: [{ name: explorer.name, url: withoutTrailingSlash(explorer.url) }] }),
      ...(chain.testnet && { testnet: true }),
    },
    upstreams: urls,
  }
}

function solana(genesis: string, name: string, upstreams: readonly string[]): Entry {
  const cluster = /Devnet|Testnet/.exec(name)?.[0].toLowerCase()
  const id: CaipNetworkId = `solana:${genesis}`
  return {
    definition: {
      id,
      name,
      nativeCurrency: { name: 'Solana', symbol: 'SOL', decimals: 9 },
      blockExplorers: [
        { name: 'Solscan', url: `https://solscan.io${cluster === undefined ? '' : `?cluster=${cluster}`}` },
      ],
      ...(cluster !== undefined && { testnet: true }),
    },
    upstreams,
  }
}

/**
 * @param path on the explorers; '' is mainnet.
 * @param explorers hosts with Esplora's API under `/api`.
 */
function bitcoin(genesis: string, name: string, path: string, explorers: readonly string[]): Entry {
  const id: CaipNetworkId = `bip122:${genesis}`
  return {
    definition: {
      id,
      name,
      nativeCurrency: { name: 'Bitcoin', symbol: 'BTC', decimals: 8 },
      blockExplorers: [{ name: 'mempool.space', url: `https://mempool.space${path}` }],
      ...(path !== '' && { testnet: true }),
    },
    upstreams: explorers.map((host) => `https://${host}${path}/api`),
  }
}

function withoutTrailingSlash(url: string): string {
  return url.replace(/\/$/, '')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, text] of Object.entries(generateNetworks())) {
    writeFileSync(fileURLToPath(new URL(`../src/networks/${file}`, import.meta.url)), text)
  }
}
