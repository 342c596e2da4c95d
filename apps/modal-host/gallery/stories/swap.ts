import { nativeTokenAddress } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { chainWith, honestService, type Service, token } from '../../src/features/swap/testing/swap-fixtures'
import type { SwapToken } from '../../src/features/swap/tokens'
import { testMoney } from '../../src/features/testing/test-money'
import type { HostSnapshot } from '../../src/snapshot/contract'
import type { MoneyHost, TrackedTransaction } from '../../src/snapshot/money'
import { address, connected, snapshot } from '../fixtures/snapshots'
import { fewTokens } from '../fixtures/tokens'
import type { Story } from './story'

const ether = token('ETH', nativeTokenAddress)
const dollar = { ...token('USDC', `0x${'a0'.repeat(20)}`, 6), name: 'USD Coin' }
const salt = { ...token('SALT', `0x${'5a'.repeat(20)}`), name: 'Saltmarsh' }
const staked = { ...token('hsETH', `0x${'b2'.repeat(20)}`), name: 'Harbor Staked Ether' }
const dust = { ...token('DUST', `0x${'d5'.repeat(20)}`), name: 'A Token With a Name That Runs On and On and On' }
const impostor = { ...token('USDC', `0x${'0b'.repeat(20)}`, 6), name: '<img src=x onerror=alert(1)>' }
const copy = { ...token('USDC', `0x${'0c'.repeat(20)}`, 6), name: 'USD Coin' }
const few = [{ ...ether, name: 'Ether' }, dollar, salt, staked]
const many: readonly SwapToken[] = [
  ...few,
  dust,
  impostor,
  ...Array.from({ length: 994 }, (_, index) =>
    token(`T${index + 1}`, `0x${(index + 1).toString(16).padStart(40, '0')}`),
  ),
]

function gives(amount: bigint, from: SwapToken, to: SwapToken): bigint {
  if (from.symbol === 'ETH' && to.symbol === 'USDC') return (amount * 3_231_476n) / 10n ** 15n
  if (from.symbol === 'USDC' && to.symbol === 'ETH') return (amount * 10n ** 15n) / 3_231_476n
  return amount
}

const prices = { ETH: 3_241.2, USDC: 1 }

function money(
  service: Service = {},
  changes: Partial<Omit<MoneyHost, 'api'>> & { api?: Partial<MoneyHost['api']> } = {},
) {
  const api = { ...honestService({ tokens: few, gives, prices, now: Date.now, ...service }), ...changes.api }
  return () =>
    testMoney({
      client: chainWith(
        1_204n * 10n ** 15n,
        { [dollar.address]: 250_000_000n, [salt.address]: 18_250n * 10n ** 18n },
        few,
      ),
      clock: { now: Date.now, after: () => () => {} },
      ...changes,
      api: { balance: async () => ({ balances: [...fewTokens] }), ...api },
    })
}

const swapping: HostSnapshot = {
  ...snapshot,
  opening: { key: 1, view: 'Swap' },
  connections: { eip155: connected },
  money: { ...snapshot.money, swapChainIds: ['eip155:1'] },
}
const opened = (swap: HostSnapshot['opening']['swap'] & object): HostSnapshot => ({
  ...swapping,
  opening: { key: 1, view: 'Swap', swap },
})
const oneEther = opened({ amount: '1', toToken: 'USDC' })
const dollars = opened({ amount: '125.5', fromToken: 'USDC', toToken: 'ETH' })

function transaction(id: string, status: TrackedTransaction['status']): TrackedTransaction {
  const purpose = { kind: 'swap', amount: '125.5', symbol: 'USDC', to: address } as const
  return { id, networkId: 'eip155:1', from: address, purpose, at: 0, status }
}

/** Responses to requests, in order. */
function answering(...statuses: readonly TrackedTransaction['status'][]) {
  let asked = 0
  const transactions = statuses.map((status, index) => transaction(`t${index + 1}`, status))
  return { transactions, transact: () => `t${++asked}` }
}

const confirmed = { kind: 'ended', hash: `0x${'ab'.repeat(32)}`, outcome: { kind: 'confirmed' } } as const
const allowing = answering({ kind: 'asking' })
const swappingThen = answering(confirmed, { kind: 'asking' })
const declinedThen = answering(confirmed, { kind: 'declined' })
const reviewed = { awaits: /Exchange|Börse/ } as const
const down = () => Promise.reject(new Failure('HTTP_STATUS', { message: 'HTTP status code: 502' }))

export const swapStories: Readonly<Record<string, Story>> = {
  'swap-empty': { snapshot: swapping, money: money(), awaits: /ETH/ },
  swap: { snapshot: oneEther, money: money(), awaits: /ETH =/ },
  'swap-long': {
    snapshot: opened({ amount: '0.123456789012345678', toToken: 'SALT' }),
    money: money(),
    awaits: /ETH =/,
  },
  'swap-asking': {
    snapshot: oneEther,
    money: money({}, { api: { swapQuotes: () => new Promise(() => undefined) } }),
    awaits: /longer than usual/,
  },
  'swap-insufficient': { snapshot: opened({ amount: '5', toToken: 'USDC' }), money: money(), awaits: /Not enough/ },
  'swap-no-route': { snapshot: oneEther, money: money({ gives: () => null }), awaits: /No route|Keine Route/ },
  'swap-failed': {
    snapshot: oneEther,
    money: money({}, { api: { swapQuotes: down } }),
    awaits: /No price right now|Gerade kein/,
  },
  'swap-impact': { snapshot: oneEther, money: money({ priceImpact: '4.2' }), awaits: /moves the price/ },
  'swap-unknown': { snapshot: opened({ toToken: 'DOGE' }), money: money(), awaits: /DOGE/ },
  'swap-tokens-failed': {
    snapshot: swapping,
    money: money({}, { api: { swapTokens: down } }),
    awaits: /Couldn’t load tokens/,
  },
  'swap-unsupported': {
    snapshot: { ...swapping, money: { ...swapping.money, swapChainIds: ['eip155:8453', 'eip155:10'] } },
    money: money(),
    awaits: /not supported for Swaps|nicht unterstützt/,
  },
  'swap-select': { snapshot: swapping, money: money(), press: ['ETH'], awaits: /USD Coin/ },
  'swap-select-many': { snapshot: swapping, money: money({ tokens: many }), press: ['ETH'], awaits: /USD Coin/ },
  'swap-select-unlisted': {
    snapshot: swapping,
    money: money({
      tokens: [{ ...ether, name: 'Ether' }, dollar, { ...salt, listing: 'unlisted' }, { ...copy, listing: 'copy' }],
    }),
    press: ['ETH'],
    awaits: /Unlisted tokens/,
  },
  'swap-select-search': {
    snapshot: swapping,
    money: money({ tokens: many }),
    press: ['ETH'],
    type: 'usdc',
    awaits: /onerror/,
  },
  'swap-select-none': {
    snapshot: swapping,
    money: money({ tokens: many }),
    press: ['ETH'],
    type: 'zzz',
    awaits: /No tokens found/,
  },
  'swap-review': { snapshot: oneEther, money: money(), press: ['Review swap'], ...reviewed },
  'swap-review-allow': { snapshot: dollars, money: money(), press: ['Review swap'], awaits: /Allow|freigeben/ },
  'swap-review-together': {
    snapshot: {
      ...dollars,
      connections: { eip155: { ...connected, connector: { id: 'auth', name: 'Postern', type: 'AUTH' } } },
    },
    money: money(
      {},
      {
        request: async () => ({ '0x1': { atomic: { status: 'supported' }, paymasterService: { supported: true } } }),
      },
    ),
    press: ['Review swap'],
    awaits: /One confirmation|Eine Bestätigung/,
  },
  'swap-review-severe': {
    snapshot: oneEther,
    money: money({ priceImpact: '14.31' }),
    press: ['Review swap'],
    awaits: /Swap anyway|Trotzdem/,
  },
  'swap-review-short': {
    snapshot: dollars,
    money: money({}, { client: chainWith(1n, { [dollar.address]: 250_000_000n }, few) }),
    press: ['Review swap'],
    awaits: /network fee|Netzwerkgebühr/,
  },
  'swap-allowing': {
    snapshot: { ...dollars, transactions: allowing.transactions },
    money: money({}, { transact: allowing.transact }),
    press: ['Review swap', 'Allow and swap'],
    awaits: /Confirm in|bestätigen/,
  },
  'swap-swapping': {
    snapshot: { ...dollars, transactions: swappingThen.transactions },
    money: money({}, { transact: swappingThen.transact }),
    press: ['Review swap', 'Allow and swap'],
    awaits: /Confirm in|bestätigen/,
  },
  'swap-declined': {
    snapshot: { ...dollars, transactions: declinedThen.transactions },
    money: money({}, { transact: declinedThen.transact }),
    press: ['Review swap', 'Allow and swap'],
    awaits: /remains approved|für das nächste Mal/,
  },
  'swap-changed': {
    snapshot: oneEther,
    money: money(worsening(), {
      api: { buildSwap: () => Promise.reject(new Failure('HTTP_STATUS', { data: { status: 409 } })) },
    }),
    press: ['Review swap', 'Swap'],
    awaits: /The price changed|Der Preis hat/,
  },
}

function worsening(): Service {
  let asked = 0n
  return { gives: (amount, from, to) => (gives(amount, from, to) * (100n - asked++)) / 100n }
}
