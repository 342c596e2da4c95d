import type { Connection, Network, WalletEntry } from '@postern/protocol'
import type { ConnectAttempt, HostSnapshot, Pairing, WalletRow } from '../src/snapshot/contract'
import { createSnapshotStore } from '../src/snapshot/store'

/** A plain shape on a colour, to show no brand. */
function mark(hue: number, shape: 'ring' | 'stone' | 'wave'): string {
  const shapes = {
    ring: '<circle cx="48" cy="48" r="22" fill="none" stroke="white" stroke-width="11"/>',
    stone: '<path d="M48 20 72 48 48 76 24 48Z" fill="white"/>',
    wave: '<path d="M16 56c14-22 22-22 32-6s18 14 32-10" fill="none" stroke="white" stroke-width="10" stroke-linecap="round"/>',
  }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="hsl(${hue} 62% 52%)"/>${shapes[shape]}</svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}

const shapes = ['ring', 'stone', 'wave'] as const

function entry(id: string, name: string, links: Partial<WalletEntry> = {}): WalletEntry {
  return { id, name, homepage: `https://${id}.example`, ...links }
}

function row(id: string, name: string, hue: number, more: Partial<WalletRow> = {}): WalletRow {
  const shape = shapes[hue % shapes.length] ?? 'ring'
  return { id, name, group: 'recommended', imageUrl: mark(hue, shape), connectors: [], entry: entry(id, name), ...more }
}

const eip155 = (connectorId: string) => ({ connectorId, namespace: 'eip155' }) as const

export const harbor = row('example.harbor', 'Harbor', 24, { group: 'recent', connectors: [eip155('1')] })
export const lantern = row('example.lantern', 'Lantern', 262, { group: 'injected', connectors: [eip155('2')] })
export const tide = row('tide', 'Tide Wallet', 205, {
  entry: entry('tide', 'Tide Wallet', {
    chrome_store: 'https://chromewebstore.example/tide',
    app_store: 'https://apps.example/tide',
    play_store: 'https://play.example/tide',
    mobile_link: 'tide://',
    desktop_link: 'tide-desktop://',
    webapp_link: 'https://app.tide.example',
  }),
  walletConnect: true,
})
export const juniper = row('juniper', 'Juniper', 148, {
  entry: entry('juniper', 'Juniper', { mobile_link: 'https://juniper.example/app/' }),
  walletConnect: true,
})
export const longNamedPhone = row('long-phone', 'The Very Long Named Wallet of the Northern Coast', 90, {
  entry: entry('long-phone', 'The Very Long Named Wallet of the Northern Coast', { mobile_link: 'long://' }),
  walletConnect: true,
})
export const anyWallet: WalletRow = {
  id: 'walletConnect',
  name: 'WalletConnect',
  group: 'walletConnect',
  connectors: [],
  walletConnect: true,
}
export const compass = row('example.compass', 'Compass', 178, {
  group: 'injected',
  connectors: [
    { connectorId: '4', namespace: 'eip155' },
    { connectorId: '5', namespace: 'solana' },
    { connectorId: '6', namespace: 'bip122' },
  ],
})
export const logo = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 168 40"><circle cx="20" cy="20" r="18" fill="#b5502b"/><path d="M8 22q6-7 12 0t12 0" fill="none" stroke="#fff" stroke-width="3"/><text x="48" y="27" font-family="Georgia" font-size="20" fill="#b5502b">Saltmarsh</text></svg>',
)}`

export const nameless = row('nameless', 'Nocturne', 330, { imageUrl: 'data:image/png;base64,AA' })
export const longNamed = row('long', 'The Very Long Named Wallet of the Northern Coast', 90, {
  group: 'injected',
  connectors: [eip155('3')],
})
export const linkless: WalletRow = { id: 'linkless', name: 'Quiet', group: 'featured', connectors: [] }

function network(id: number, name: string, hue: number, symbol = 'ETH', testnet = false): Network {
  return {
    id,
    name,
    chainNamespace: 'eip155',
    caipNetworkId: `eip155:${id}`,
    nativeCurrency: { name: symbol, symbol, decimals: 18 },
    rpcUrls: ['https://rpc.example'],
    blockExplorers: [{ name: 'Etherscan', url: 'https://etherscan.example' }],
    testnet,
    assets: { imageUrl: mark(hue, shapes[(hue + 1) % 3] ?? 'ring') },
  }
}

export const fewNetworks: readonly Network[] = [
  network(1, 'Ethereum', 228),
  network(8453, 'Base', 216),
  network(10, 'OP Mainnet', 357),
  network(42161, 'Arbitrum One', 205),
  network(11155111, 'Sepolia', 252, 'ETH', true),
]

function other(
  caipNetworkId: Network['caipNetworkId'],
  name: string,
  hue: number,
  nativeCurrency: Network['nativeCurrency'],
  explorer: string,
): Network {
  const [, id = ''] = caipNetworkId.split(':')
  return {
    id,
    name,
    chainNamespace: caipNetworkId.startsWith('solana') ? 'solana' : 'bip122',
    caipNetworkId,
    nativeCurrency,
    rpcUrls: ['https://rpc.example'],
    blockExplorers: [{ name: explorer, url: 'https://explorer.example' }],
    testnet: name.includes('Testnet') || name.includes('Devnet'),
    assets: { imageUrl: mark(hue, shapes[hue % 3] ?? 'ring') },
  }
}

const sol = { name: 'Solana', symbol: 'SOL', decimals: 9 }
const btc = { name: 'Bitcoin', symbol: 'BTC', decimals: 8 }
export const solanaNetwork = other('solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'Solana', 285, sol, 'Solscan')
export const bitcoinNetwork = other('bip122:000000000019d6689c085ae165831e93', 'Bitcoin', 33, btc, 'mempool.space')
export const networksOfThree: readonly Network[] = [
  ...fewNetworks.slice(0, 3),
  solanaNetwork,
  other('solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', 'Solana Devnet', 300, sol, 'Solscan'),
  bitcoinNetwork,
]

export const manyNetworks: readonly Network[] = [
  ...fewNetworks,
  network(137, 'Polygon', 264, 'POL'),
  network(56, 'BNB Smart Chain', 45, 'BNB'),
  network(43114, 'Avalanche', 0, 'AVAX'),
  network(100, 'Gnosis', 160, 'xDAI'),
  network(324, 'ZKsync Era', 230),
  network(42220, 'Celo', 55, 'CELO'),
]

export const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

export const connected: Extract<Connection, { status: 'connected' }> = {
  status: 'connected',
  connector: {
    id: 'example.lantern',
    name: 'Lantern',
    type: 'ANNOUNCED',
    ...(lantern.imageUrl !== undefined && { imageUrl: lantern.imageUrl }),
    pageWallet: '2',
  },
  accounts: [{ namespace: 'eip155', address, type: 'eoa' }],
  networkId: 'eip155:1',
}

export const onSolana: Extract<Connection, { status: 'connected' }> = {
  status: 'connected',
  connector: {
    id: 'example.compass',
    name: 'Compass',
    type: 'MULTI_CHAIN',
    ...(compass.imageUrl !== undefined && { imageUrl: compass.imageUrl }),
    pageWallet: '5',
  },
  accounts: [{ namespace: 'solana', address: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU', type: 'eoa' }],
  networkId: solanaNetwork.caipNetworkId,
}

export const onBitcoin: Extract<Connection, { status: 'connected' }> = {
  status: 'connected',
  connector: {
    id: 'walletConnect:5f0c',
    name: 'Juniper',
    type: 'WALLET_CONNECT',
    ...(juniper.imageUrl !== undefined && { imageUrl: juniper.imageUrl }),
  },
  accounts: [
    { namespace: 'bip122', address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', type: 'payment' },
    {
      namespace: 'bip122',
      address: 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr',
      type: 'ordinals',
    },
  ],
  networkId: bitcoinNetwork.caipNetworkId,
}

export const elsewhere: Connection = { ...connected, networkId: 'eip155:61', unsupported: true }

export const snapshot: HostSnapshot = {
  ...createSnapshotStore({ themeMode: 'light', locale: 'en', walletCount: 487, isTopLevel: false }).getState(),
  ready: true,
  open: true,
  opening: { key: 1, view: 'Connect' },
  namespaces: ['eip155'],
  metadata: { name: 'Saltmarsh Exchange', url: 'https://saltmarsh.example' },
  networks: fewNetworks,
  activeNetworkId: 'eip155:1',
  wallets: [harbor, lantern, tide, juniper],
}

export function attempt(row: WalletRow, status: ConnectAttempt['status']): ConnectAttempt {
  return { row, via: 'page', status, retryAt: 0 }
}

/** A real pairing URI's length; the key opens nothing. */
const uri = `wc:${'7f6e504bfad60b485450578e05678ed3e8e8c4751d3c6160be17160d63ec90f9'}@2?relay-protocol=irn&symKey=${'587d5484ce2a2a6ee3ba1962fdd7e8588e06200c46823bd18fbd67def96ad303'}&expiryTimestamp=1790000000`
export const ready: Pairing = { kind: 'ready', uri, expiresAt: 1_790_000_000_000 }

export function pairingAttempt(
  row: WalletRow,
  status: ConnectAttempt['status'],
  pairing: Pairing = ready,
): ConnectAttempt {
  return { row, via: 'walletConnect', status, pairing, retryAt: 0 }
}

const firstNames =
  'Amber Birch Cedar Delta Ember Fjord Grove Heron Islet Jasper Kelp Lagoon Moss North Orchid Pebble Quartz Reed Slate Thorn'.split(
    ' ',
  )
const lastNames = 'Wallet Vault Key Gate Pocket'.split(' ')

export const thousand: readonly WalletEntry[] = Array.from({ length: 1_000 }, (_, index) => {
  const name = `${firstNames[index % 20]} ${lastNames[Math.floor(index / 20) % 5]}${index < 100 ? '' : ` ${Math.floor(index / 100) + 1}`}`
  return {
    id: `w${index}`,
    name,
    badge_type: index % 7 === 2 ? 'certified' : 'none',
    homepage: 'https://wallet.example',
  }
})

export function imageOf({ id }: WalletEntry): string {
  const index = Number(id.slice(1))
  return mark((index * 47) % 360, shapes[index % 3] ?? 'ring')
}
