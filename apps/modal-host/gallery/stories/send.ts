import {
  accountBytes,
  accountInfo,
  type Extension,
  extensions,
  mintBytes,
} from '@postern/chains/solana/testing/token-2022'
import { token2022Program } from '@postern/chains/solana/token-account'
import type { TokenBalance } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { rememberRecipient } from '../../src/features/recipient/recent-recipients'
import { testMoney } from '../../src/features/testing/test-money'
import type { HostSnapshot } from '../../src/snapshot/contract'
import {
  address,
  bitcoinNetwork,
  connected,
  elsewhere,
  fewNetworks,
  networksOfThree,
  onBitcoin,
  onSolana,
  snapshot,
  solanaNetwork,
} from '../fixtures/snapshots'
import { fewTokens, thousandTokens, unlistedTokens } from '../fixtures/tokens'
import type { Story } from './story'

const bob = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const imitation = '0x7099000000000000000000000000000000dc79C8'
const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const friend = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'
const legacy = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'

const sending: HostSnapshot = {
  ...snapshot,
  opening: { key: 1, view: 'Send' },
  connections: { eip155: connected },
}
const onThree: HostSnapshot = { ...sending, networks: networksOfThree, namespaces: ['eip155', 'solana', 'bip122'] }
const inSolana: HostSnapshot = {
  ...onThree,
  activeNetworkId: solanaNetwork.caipNetworkId,
  connections: { solana: onSolana },
}
const inBitcoin: HostSnapshot = {
  ...onThree,
  activeNetworkId: bitcoinNetwork.caipNetworkId,
  connections: { bip122: onBitcoin },
}

function balance(
  changes: Pick<TokenBalance, 'name' | 'symbol' | 'chainId' | 'price'> & {
    readonly decimals: string
    readonly numeric: string
    readonly address?: string
  },
): TokenBalance {
  const { decimals, numeric, ...rest } = changes
  return { ...rest, quantity: { decimals, numeric }, iconUrl: '' }
}

const solanaTokens = [
  balance({
    name: 'Solana',
    symbol: 'SOL',
    chainId: solanaNetwork.caipNetworkId,
    price: 151.2,
    decimals: '9',
    numeric: '4.2',
  }),
  balance({
    name: 'USD Coin',
    symbol: 'USDC',
    chainId: solanaNetwork.caipNetworkId,
    price: 1,
    decimals: '6',
    numeric: '250',
    address: `${solanaNetwork.caipNetworkId}:${mint}`,
  }),
]
const bitcoinTokens = [
  balance({
    name: 'Bitcoin',
    symbol: 'BTC',
    chainId: bitcoinNetwork.caipNetworkId,
    price: 61_400,
    decimals: '8',
    numeric: '0.0421',
  }),
]

type Chain = {
  readonly tokens?: readonly TokenBalance[]
  readonly answers?: Readonly<Record<string, unknown>>
  /** Services do not respond. */
  readonly down?: boolean
  readonly name?: string
  readonly recents?: readonly { readonly address: string; readonly name?: string }[]
}

const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
const evmAnswers = {
  eth_getBalance: '0x10b5779ef5920000',
  eth_getBlockByNumber: { baseFeePerGas: '0x2cb417800' },
  eth_maxPriorityFeePerGas: '0x3b9aca00',
  eth_gasPrice: '0x2cb417800',
  eth_estimateGas: '0x5208',
  eth_call: ([{ to, data }]: readonly [{ readonly to: string; readonly data: string }]) => {
    if (!data.startsWith('0x313ce567')) return word(250n * 10n ** 18n)
    return to === bob ? '0x' : word(18n)
  },
  // Not a rollup.
  eth_getCode: '0x',
}
const tokenAccount = btoa(
  String.fromCharCode(...Array.from({ length: 165 }, (_, index) => (index === 66 ? 0xe6 : index === 67 ? 0x0e : 0))),
)
const solanaAnswers = {
  getBalance: { value: 4_200_000_000 },
  getMinimumBalanceForRentExemption: 2_039_280,
  getLatestBlockhash: { value: { blockhash: friend, lastValidBlockHeight: 1 } },
  getTokenAccountsByOwner: {
    value: [
      {
        pubkey: mint,
        account: {
          owner: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
          executable: false,
          data: [tokenAccount, 'base64'],
        },
      },
    ],
  },
  getMultipleAccounts: { value: [null] },
}

const ruledAnswers = (...rules: Extension[]) => {
  const held = accountBytes({ mint, owner: friend, amount: 250_000_000n })
  return {
    ...solanaAnswers,
    getTokenAccountsByOwner: { value: [{ pubkey: friend, account: accountInfo(token2022Program, held) }] },
    getMultipleAccounts: ([[address]]: readonly [readonly string[]]) => ({
      value: [address === mint ? accountInfo(token2022Program, mintBytes(rules)) : null],
    }),
  }
}

/** Other fixtures have short addresses. */
function sendable(token: TokenBalance): TokenBalance {
  const [, short] = /^eip155:1:0x(\w+)$/.exec(token.address ?? '') ?? []
  return short === undefined ? token : { ...token, address: `eip155:1:0x${short.padStart(40, '0')}` }
}

function chain({ tokens = fewTokens, answers = evmAnswers, down = false, name, recents = [] }: Chain = {}) {
  return () => {
    const noAnswer = () => Promise.reject(new Failure('TIMEOUT'))
    const known: Readonly<Record<string, unknown>> = answers
    const money = testMoney({
      api: {
        balance: async () => ({ balances: tokens.map(sendable) }),
        name: async () =>
          name === undefined
            ? null
            : { name, registered_at: '', addresses: { 60: { address: bob, created: '' } }, attributes: [] },
      },
      client: (networkId) => ({
        networkId,
        rpc: {
          request: down
            ? noAnswer
            : async ({ method, params }) => {
                const answer = known[method]
                return typeof answer === 'function' ? answer(params) : answer
              },
        },
        esplora: {
          get: down
            ? noAnswer
            : async (path) =>
                path === '/fee-estimates'
                  ? { 1: 24.1, 6: 11.4, 144: 2 }
                  : [{ txid: 'a'.repeat(64), vout: 0, value: 4_210_000, status: { confirmed: true } }],
          post: noAnswer,
        },
      }),
    })
    for (const recent of recents.toReversed()) rememberRecipient(money, { namespace: 'eip155', address }, recent)
    return money
  }
}

const evm: Story = { snapshot: sending, money: chain(), awaits: /≈/ }
const filled: Story = {
  ...evm,
  fill: [
    [0, '0.25'],
    [1, bob],
  ],
}

const received = /Copy|Kopieren/

export const sendStories: Readonly<Record<string, Story>> = {
  'send-empty': { ...evm, money: chain({ recents: [{ address: bob, name: 'bob.eth' }, { address }] }) },
  send: filled,
  'send-name': {
    ...evm,
    money: chain({ name: 'bob.eth' }),
    fill: [
      [0, '0.25'],
      [1, 'bob.eth'],
    ],
    awaits: /0x7099/,
  },
  'send-noAnswer': {
    ...evm,
    fill: [
      [0, '0.25'],
      [1, 'unknown.eth'],
    ],
    awaits: /isn’t registered|nicht registriert/,
  },
  'send-lookalike': {
    ...filled,
    money: chain({ recents: [{ address: imitation }] }),
    awaits: /Look-alike address|Täuschend/,
  },
  'send-name-letters': {
    ...evm,
    money: chain({ name: 'b\u043Eb.eth' }),
    fill: [
      [0, '0.25'],
      [1, 'b\u043Eb.eth'],
    ],
    awaits: /look-alike characters/,
  },
  'send-too-much': {
    ...evm,
    fill: [
      [0, '120'],
      [1, bob],
    ],
    awaits: /Not enough/,
  },
  'send-no-fee': {
    ...evm,
    fill: [
      [0, '1.204'],
      [1, bob],
    ],
    awaits: /for the fee/,
  },
  'send-malformed': {
    ...evm,
    fill: [
      [0, '1,5'],
      [1, '0x12'],
    ],
    awaits: /Enter a valid amount/,
  },
  'send-other-chain': {
    ...evm,
    fill: [
      [0, '0.1'],
      [1, friend],
    ],
    awaits: /another network/,
  },
  'send-long': {
    ...evm,
    fill: [
      [0, '0.123456789012345678'],
      [1, bob],
    ],
  },
  'send-offline': { ...evm, money: chain({ down: true }), awaits: /Can’t reach/ },
  'send-elsewhere': {
    awaits: /Unsupported network/,
    snapshot: { ...sending, networks: fewNetworks.slice(0, 3), connections: { eip155: elsewhere } },
  },
  'send-solana': {
    snapshot: inSolana,
    money: chain({ tokens: solanaTokens, answers: solanaAnswers }),
    fill: [
      [0, '1.5'],
      [1, friend],
    ],
    awaits: /≈/,
  },
  'send-bitcoin': {
    snapshot: inBitcoin,
    money: chain({ tokens: bitcoinTokens }),
    fill: [
      [0, '0.01'],
      [1, legacy],
    ],
    awaits: /sat/,
  },
  'send-tokens': { ...evm, press: ['Ether'], awaits: /USD Coin/ },
  'send-tokens-many': { ...evm, money: chain({ tokens: thousandTokens }), press: ['Ether'], awaits: /Token 12/ },
  'send-tokens-unlisted': { ...evm, money: chain({ tokens: unlistedTokens }), press: ['Ether'], awaits: /spam item/ },
  'send-review': { ...filled, press: ['Review'], awaits: /Max network fee|Maximale/ },
  'send-review-lookalike': {
    ...filled,
    money: chain({ recents: [{ address: imitation }] }),
    press: ['Review'],
    awaits: /Look-alike address/,
  },
  'send-review-fails': {
    ...filled,
    money: () => {
      const money = chain()()
      return {
        ...money,
        client: (id) => {
          const client = money.client(id)
          return {
            ...client,
            rpc: {
              request: (request, signal) =>
                request.method === 'eth_estimateGas'
                  ? Promise.reject(new Failure('INTERNAL', { message: 'execution reverted' }))
                  : client.rpc.request(request, signal),
            },
          }
        },
      }
    },
    press: ['Review'],
    awaits: /will likely fail/,
  },
  'send-opens': {
    snapshot: inSolana,
    money: chain({ tokens: solanaTokens, answers: solanaAnswers }),
    fill: [[1, friend]],
    press: ['Solana', 'USD Coin'],
    awaits: /Account setup|Einrichtung/,
  },
  'send-review-kept': {
    snapshot: inSolana,
    money: chain({
      tokens: solanaTokens,
      answers: ruledAnswers(extensions.transferFee({ maxFee: 5_000_000n, basisPoints: 125 }), extensions.delegate(7)),
    }),
    fill: [[1, friend]],
    press: ['Solana', 'USD Coin', 'Max', 'Review'],
    awaits: /Token fee|Token-Gebühr/,
  },
  'send-stays': {
    snapshot: inSolana,
    money: chain({ tokens: solanaTokens, answers: ruledAnswers(extensions.nonTransferable) }),
    fill: [[1, friend]],
    press: ['Solana', 'USD Coin', 'Max'],
    awaits: /can’t be transferred|nicht übertragbar/,
  },
  'send-review-bitcoin': {
    snapshot: inBitcoin,
    money: chain({ tokens: bitcoinTokens }),
    fill: [
      [0, '0.01'],
      [1, legacy],
    ],
    press: ['Fast', 'Review'],
    awaits: /next block|nächsten Block/,
  },
  receive: { snapshot: { ...sending, opening: { key: 1, view: 'Receive' } }, awaits: received },
  'receive-of-three': {
    snapshot: {
      ...onThree,
      opening: { key: 1, view: 'Receive' },
      connections: { eip155: connected, solana: onSolana, bip122: onBitcoin },
    },
    awaits: received,
  },
  'receive-bitcoin': { snapshot: { ...inBitcoin, opening: { key: 1, view: 'Receive' } }, awaits: received },
  'receive-ordinals': {
    snapshot: { ...inBitcoin, opening: { key: 1, view: 'Receive' } },
    press: ['Ordinals'],
    awaits: received,
  },
}
