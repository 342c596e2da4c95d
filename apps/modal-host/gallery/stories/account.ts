import type { Nft, TransactionItem, WaitingTransaction } from '@postern/protocol'
import { testMoney } from '../../src/features/testing/test-money'
import type { HostSnapshot } from '../../src/snapshot/contract'
import type { BlockchainApi, TrackedTransaction } from '../../src/snapshot/money'
import { owner } from '../fixtures/embedded'
import { address, connected, networksOfThree, onBitcoin, onSolana, snapshot } from '../fixtures/snapshots'
import { fewTokens, hostileTokens, thousandTokens, unlistedTokens } from '../fixtures/tokens'
import type { Story } from './story'

const account: HostSnapshot = {
  ...snapshot,
  opening: { key: 1, view: 'Account' },
  connections: { eip155: connected },
  nativeBalance: { kind: 'ready', formatted: '1.204', symbol: 'ETH' },
  money: { swapChainIds: ['eip155:1'], onramp: true, nameSuffix: null },
}

const avatar =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAoElEQVR42g3JsQkEIAwAwB/i13CNrJEVvgxYCikD2llYCmIVsLRIIThAJnqvvc/XLfgCH+iNvGTn6fH47/O9Fu6CO/A2uiVfnjee+2Jb2Av2wN1ol7x57nj2C7WgC3SgNtKSlafGoy+6hb6gD+yNesmdZ4+nv6gW6oI6sDaqJVeeNZ76QizIAhkojaRk4SnxyItkIS1IA1OjVHLimeJJvz8YzWtBqWUvoAAAAABJRU5ErkJggg=='

type Answers = Partial<Pick<BlockchainApi, 'balance' | 'nfts' | 'history' | 'identity'>>

const ordinary: Required<Answers> = {
  balance: async () => ({ balances: [...fewTokens] }),
  nfts: async () => ({ nfts: fewNfts, next: null }),
  history: async () => ({ data: fewTransactions(), next: null }),
  identity: async () => ({ name: 'ada.eth', avatar: null }),
}
const never = () => new Promise<never>(() => undefined)
const down = () => Promise.reject(new Error('HTTP status code: 503'))

function story(answers: Answers, more: Omit<Story, 'snapshot' | 'money'> & Partial<HostSnapshotStory> = {}): Story {
  const { changes, ...rest } = more
  return {
    snapshot: { ...account, ...changes },
    money: () =>
      testMoney({ api: { ...ordinary, ...answers }, clock: { now: Date.now, after: () => () => undefined } }),
    ...rest,
  }
}
type HostSnapshotStory = { readonly changes: Partial<HostSnapshot> }

function nft(index: number, name: string, collection = 'Saltmarsh Stones'): Nft {
  return {
    chainId: 'eip155:1',
    contract: 'eip155:1:0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    tokenId: String(index),
    name,
    collection,
    description: 'Found between two tides. No two are alike.',
    imageUrl: avatar,
    attributes: [
      { name: 'Colour', value: 'Verdigris' },
      { name: 'Weight', value: '4 g' },
    ],
  }
}

const fewNfts: Nft[] = [nft(7, 'Grey Heron'), nft(8, 'Low Water'), nft(31, 'Samphire'), nft(112, 'Brass Key')]
const manyNfts: Nft[] = Array.from({ length: 25 }, (_, index) => nft(index, `Stone ${index + 1}`))
const hostileNft: Nft = {
  ...nft(
    1,
    '<img src=x onerror=alert(1)>\u202eclaim your prize at https://example.com now',
    'VISIT.EXAMPLE\n\n(verified)',
  ),
  tokenId: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
  description: `<script>alert(1)</script> ${'Lorem ipsum dolor sit amet '.repeat(40)}`,
  imageUrl: 'https://tracker.example/pixel.png',
  attributes: [
    { name: '<b>bold</b>', value: 'A'.repeat(400) },
    { name: '', value: '' },
  ],
}

const hour = 3_600_000
/** The activity list groups by month after thirty days. */
const long = 40 * 24 * hour

function transaction(
  index: number,
  operationType: string,
  amount: readonly [numeric: string, symbol: string],
  ago: number,
  changes: Partial<TransactionItem['metadata']> = {},
): TransactionItem {
  const [numeric, symbol] = amount
  const isOut = operationType === 'send' || operationType === 'burn'
  return {
    id: `t${index}`,
    metadata: {
      operationType,
      hash: `0x${String(index).padStart(64, '0')}`,
      status: 'confirmed',
      sentFrom: isOut ? address : '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
      sentTo: isOut ? '0x90F79bf6EB2c4f870365E785982E1f101E93b906' : address,
      minedAt: new Date(Date.now() - ago).toISOString(),
      chain: 'eip155:1',
      ...changes,
    },
    transfers: [{ fungible_info: { name: symbol, symbol }, direction: isOut ? 'out' : 'in', quantity: { numeric } }],
  }
}

function fewTransactions(): TransactionItem[] {
  const swapped = transaction(2, 'trade', ['2500.5', 'USDC'], 2 * hour)
  const ether = { fungible_info: { symbol: 'ETH' }, direction: 'out', quantity: { numeric: '0.77' } } as const
  const stone = { nft_info: { name: 'Grey Heron #7' }, direction: 'in', quantity: { numeric: '1' } } as const
  return [
    transaction(1, 'receive', ['1.2', 'ETH'], hour / 2),
    { ...swapped, transfers: [...(swapped.transfers ?? []), ether] },
    transaction(3, 'send', ['40', 'USDC'], 26 * hour, { status: 'failed' }),
    { ...transaction(4, 'receive', ['1', ''], 27 * hour), transfers: [stone] },
    { ...transaction(5, 'approve', ['0', ''], long), transfers: null },
    transaction(6, 'burn', ['12.3456', 'SALT'], long + hour),
    transaction(7, 'mystery', ['0.0004', 'hsETH'], 300 * 24 * hour),
    {
      ...transaction(8, 'receive', ['1', ''], hour),
      transfers: [{ ...stone, nft_info: { name: 'CLAIM', flags: { is_spam: true } } }],
    },
  ]
}

const hostileTransactions = (): TransactionItem[] => [
  transaction(1, 'receive', ['123456789012345678901234567890.123', '<img src=x onerror=alert(1)>'], hour / 2),
  transaction(2, 'receive', ['1', 'US\u202eD\u200b Coin\n(verified)'], hour, { sentFrom: 'VISIT-CLAIM.EXAMPLE' }),
  transaction(3, '__proto__', ['NaN', 'ETH'], hour, { minedAt: 'whenever', chain: 'eip155:666' }),
]

const manyTransactions = (): TransactionItem[] =>
  Array.from({ length: 10_000 }, (_, index) =>
    transaction(index, index % 3 === 0 ? 'send' : 'receive', [`${index}.5`, 'ETH'], index * 2 * hour),
  )

const pending: TrackedTransaction = {
  id: 'p1',
  networkId: 'eip155:1',
  from: address,
  at: 0,
  purpose: { kind: 'send', amount: '0.25', symbol: 'ETH', to: '0x90F79bf6EB2c4f870365E785982E1f101E93b906' },
  status: { kind: 'sent', hash: `0x${'ab'.repeat(32)}` },
}

const waitingOf = (digit: string, changes: Partial<WaitingTransaction> = {}): WaitingTransaction => ({
  networkId: 'eip155:1',
  from: address,
  hash: `0x${digit.repeat(64)}`,
  newest: `0x${digit.repeat(64)}`,
  to: '0x90F79bf6EB2c4f870365E785982E1f101E93b906',
  value: '250000000000000000',
  isPlain: true,
  sentAt: Date.now(),
  ...changes,
})
const waitingTransactions = [
  waitingOf('a'),
  waitingOf('b', { replacedBy: 'speedUp', isPlain: false, value: '0' }),
  waitingOf('c', { replacedBy: 'cancel' }),
]

const three: Partial<HostSnapshot> = {
  networks: networksOfThree,
  namespaces: ['eip155', 'solana', 'bip122'],
  connections: { eip155: connected, solana: onSolana, bip122: onBitcoin },
}
const noneOf = (chainId: string | undefined) =>
  networksOfThree
    .filter(({ caipNetworkId }) => caipNetworkId === chainId)
    .map(({ caipNetworkId, nativeCurrency: { name, symbol, decimals } }) => {
      const quantity = { decimals: String(decimals), numeric: '0' }
      return { name, symbol, chainId: caipNetworkId, price: 1, quantity, iconUrl: '' }
    })
const everywhere: Answers = {
  balance: async ({ address: of, chainId }) => ({
    balances: [
      ...(of === address
        ? [...fewTokens, ...fewTokens.slice(1, 2).map((one) => ({ ...one, chainId: 'eip155:8453' as const }))]
        : []),
      ...noneOf(chainId),
    ],
  }),
}

export const accountStories: Readonly<Record<string, Story>> = {
  'account-area': story({}, { awaits: /USD Coin/ }),
  'account-avatar': story(
    { identity: async () => ({ name: 'wilhelmina-featherstonehaugh-of-the-northern-coast.saltmarsh.eth', avatar }) },
    { awaits: /USD Coin/ },
  ),
  'account-waiting': story({ balance: never }),
  'account-nothing': story(
    { balance: async ({ chainId }) => ({ balances: noneOf(chainId) }) },
    { changes: three, press: ['All networks'], awaits: /No tokens yet|Noch keine Token/ },
  ),
  'account-unlisted': story(
    { balance: async () => ({ balances: [] }) },
    { awaits: /Tokens aren’t shown|Token werden hier nicht/ },
  ),
  'account-rich': story(
    { balance: async () => ({ balances: fewTokens.map((one) => ({ ...one, price: one.price * 1e12 })) }) },
    { awaits: /USD Coin/ },
  ),
  'account-unreachable': story({ balance: down }, { awaits: /Couldn’t load|nicht geladen/ }),
  'account-without-features': story(
    {},
    {
      changes: {
        features: { ...account.features, send: false, receive: false, swaps: false, onramp: false, history: false },
      },
      awaits: /USD Coin/,
    },
  ),
  'account-everywhere': story(everywhere, { changes: three, press: ['All networks'], awaits: /\$4[.,]416/ }),
  tokens: story(
    { balance: async () => ({ balances: [...thousandTokens] }) },
    { press: ['All tokens'], awaits: /Token 1/ },
  ),
  'tokens-hostile': story({ balance: async () => ({ balances: [...hostileTokens] }) }, { awaits: /onerror/ }),
  'tokens-unlisted': story(
    { balance: async () => ({ balances: [...unlistedTokens] }) },
    { awaits: /1 spam item hidden|1 Spam-Eintrag ausgeblendet/ },
  ),
  'tokens-spam': story(
    { balance: async () => ({ balances: [...unlistedTokens] }) },
    { press: ['Show'], awaits: /Spam is shown/ },
  ),
  nfts: story({}, { press: ['NFTs'], awaits: /Grey Heron/ }),
  'nfts-all': story(
    { nfts: async () => ({ nfts: manyNfts, next: null }) },
    { press: ['NFTs', 'All NFTs'], awaits: /Stone 5/ },
  ),
  'nfts-spam': story(
    { nfts: async () => ({ nfts: [...fewNfts.slice(0, 2), { ...hostileNft, isSpam: true }], next: null }) },
    { press: ['NFTs'], awaits: /1 spam item hidden/ },
  ),
  'nfts-empty': story({ nfts: async () => ({ nfts: [], next: null }) }, { press: ['NFTs'], awaits: /No NFTs yet/ }),
  'nfts-waiting': story({ nfts: never }, { press: ['NFTs'] }),
  'nfts-failed': story({ nfts: down }, { press: ['NFTs'], awaits: /Couldn’t load/ }),
  'nft-details': story({}, { press: ['NFTs', 'Grey Heron'], awaits: /Verdigris/ }),
  'nft-hostile': story(
    { nfts: async () => ({ nfts: [hostileNft], next: null }) },
    { press: ['NFTs', 'onerror'], awaits: /script/ },
  ),
  activity: story({}, { press: ['Activity'], awaits: /Today|Heute/ }),
  'activity-all': story({}, { press: ['Activity', 'All activity'], awaits: /Yesterday/ }),
  'activity-pending': story({}, { changes: { transactions: [pending] }, press: ['Activity'], awaits: /Pending/ }),
  'activity-replaceable': story(
    {},
    { changes: { embedded: owner, waiting: waitingTransactions }, press: ['Activity'], awaits: /Speeding up/ },
  ),
  'activity-spam': story({}, { press: ['Activity', 'All activity', 'Show'], awaits: /Spam is shown/ }),
  'activity-hostile': story(
    { history: async () => ({ data: hostileTransactions(), next: null }) },
    { press: ['Activity'], awaits: /<img/ },
  ),
  'activity-thousands': story(
    { history: async () => ({ data: manyTransactions(), next: null }) },
    { press: ['Activity', 'All activity'], awaits: /Yesterday/ },
  ),
  'activity-empty': story(
    { history: async () => ({ data: [], next: null }) },
    { press: ['Activity'], awaits: /No activity yet/ },
  ),
  'activity-waiting': story({ history: never }, { press: ['Activity'] }),
  'activity-failed': story({ history: down }, { press: ['Activity'], awaits: /Couldn’t load/ }),
}
