import { defaultFeatures, type OnRampOptions, type PaymentRequest, type SmartSession } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { testMoney } from '../../src/features/testing/test-money'
import type { HostSnapshot } from '../../src/snapshot/contract'
import type { BlockchainApi, MoneyHost } from '../../src/snapshot/money'
import type { OpenedWindow } from '../../src/snapshot/popup'
import { address, connected, snapshot } from '../fixtures/snapshots'
import { fewTokens } from '../fixtures/tokens'
import type { Story } from './story'

const owner: HostSnapshot = {
  ...snapshot,
  connections: { eip155: connected },
  money: { swapChainIds: ['eip155:1'], onramp: true, nameSuffix: '.postern' },
}
const at = (view: HostSnapshot['opening']['view'], changes: Partial<HostSnapshot> = {}): HostSnapshot => ({
  ...owner,
  ...changes,
  opening: { key: 1, view },
})
const never = () => new Promise<never>(() => undefined)
const failing = () => Promise.reject(new Failure('HTTP_STATUS', { message: 'The seller could not be reached' }))
const balance = async () => ({ balances: [...fewTokens] })

/* ---- on-ramp */

const ethereum = { name: 'ethereum', display_name: 'Ethereum', chain_id: '1', contract_address: '' }
const base = { name: 'base', display_name: 'Base', chain_id: '8453', contract_address: '' }
const limits = [
  { id: 'card', min: '5', max: '500' },
  { id: 'ach_bank_account', min: '10', max: '25000' },
]
const options: OnRampOptions = {
  paymentCurrencies: ['USD', 'EUR', 'GBP', 'CHF'].map((id) => ({ id, payment_method_limits: limits })),
  purchaseCurrencies: [
    { id: 'ETH', name: 'Ether', symbol: 'ETH', networks: [ethereum, base] },
    { id: 'USDC', name: 'USD Coin', symbol: 'USDC', networks: [ethereum] },
    {
      id: 'x',
      name: 'A Coin with a Very Long Name of the Northern Coast',
      symbol: 'VERYLONGSYMBOL',
      networks: [ethereum],
    },
  ],
}
const usd = (amount: string) => ({ amount, currency: 'USD' })
const quote = {
  paymentTotal: usd('50'),
  paymentSubtotal: usd('49.25'),
  purchaseAmount: { amount: '0.015194', currency: 'ETH' },
  networkFee: usd('0.25'),
  serviceFee: usd('0.5'),
  quoteId: 'q',
}
const seller: Partial<BlockchainApi> = {
  balance,
  onRampOptions: async () => options,
  onRampQuote: async () => quote,
  onRampUrl: async () => ({ url: 'https://seller.example/buy' }),
  onRampPurchases: async () => ({ purchases: [] }),
}
function closesSoon(): OpenedWindow {
  let looks = 0
  return { ...open, isClosed: () => ++looks > 1 }
}
const open: OpenedWindow = { isClosed: () => false, navigate: () => undefined, close: () => undefined }

function buying(
  api: Partial<BlockchainApi> = {},
  more: Partial<Story> = {},
  window: OpenedWindow | null = open,
): Story {
  const money = () => testMoney({ api: { ...seller, ...api }, openWindow: () => window })
  return { snapshot: at('OnRamp'), money, ...more }
}
const bought = (status: 'pending' | 'delivered' | 'failed', hash: string | null) => ({
  onRampPurchases: async () => ({
    purchases: [{ status, hash, symbol: 'ETH', network: 'ethereum', amount: '0.015194' }],
  }),
})
const ordered = { fill: [[0, '50']] as const, press: ['Continue to provider'] }

const buyStories: Readonly<Record<string, Story>> = {
  buy: buying({}, { fill: [[0, '50']], awaits: /≈/ }),
  'buy-empty': buying({}, { awaits: /Ether/ }),
  'buy-low': buying({}, { fill: [[0, '2']], awaits: /Minimum|Mindestens/ }),
  'buy-bank': buying({}, { fill: [[0, '1200']], awaits: /bank|Überweisung/ }),
  'buy-no-price': buying({ onRampQuote: failing }, { fill: [[0, '50']], awaits: /No price|kein Preis/ }),
  'buy-unreachable': buying({ onRampOptions: failing }, { awaits: /Can’t reach|nicht erreichbar/ }),
  'buy-elsewhere': buying(
    {
      onRampOptions: async () => ({
        ...options,
        purchaseCurrencies: [{ id: 'ETH', name: 'Ether', symbol: 'ETH', networks: [base] }],
      }),
    },
    { awaits: /Buying isn’t available|kein Kauf möglich/ },
  ),
  'buy-assets': buying({}, { press: ['Ether'], awaits: /USD Coin/ }),
  'buy-currencies': buying({}, { press: ['Pay in a currency other'], awaits: /Euro/ }),
  'buy-preparing': buying({ onRampUrl: never }, { ...ordered, awaits: /Opening the provider|wird geöffnet/ }),
  'buy-waiting': buying({}, { ...ordered, awaits: /Complete your payment|Zahlung dort/ }),
  'buy-link': buying({}, { ...ordered, awaits: /Select the button|Wählen Sie die Schaltfläche/ }, null),
  'buy-closed': buying({}, { ...ordered, awaits: /was closed|geschlossen/ }, closesSoon()),
  'buy-pending': buying(bought('pending', null), { ...ordered, awaits: /On its way|Unterwegs/ }),
  'buy-delivered': buying(bought('delivered', `0x${'4f'.repeat(32)}`), {
    ...ordered,
    awaits: /Purchase complete|abgeschlossen/,
  }),
  'buy-failed': buying(bought('failed', null), { ...ordered, awaits: /Purchase failed|fehlgeschlagen/ }),
  'buy-refused': buying({ onRampUrl: failing }, { ...ordered, awaits: /could not be reached/ }),
}

/* ---- payment */

const payment: PaymentRequest = {
  networkId: 'eip155:1',
  amount: '0.25',
  recipient: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  reference: 'Order 1207, two tickets',
}
const dollar = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const text = (symbol: string) => {
  const bytes = [...symbol].map((letter) => letter.charCodeAt(0).toString(16).padStart(2, '0')).join('')
  return `0x${'20'.padStart(64, '0')}${symbol.length.toString(16).padStart(64, '0')}${bytes.padEnd(64, '0')}`
}
const chainAnswers: Readonly<Record<string, unknown>> = {
  eth_getBalance: '0x10b5779ef5920000',
  eth_getBlockByNumber: { baseFeePerGas: '0x2cb417800' },
  eth_maxPriorityFeePerGas: '0x3b9aca00',
  eth_gasPrice: '0x2cb417800',
  eth_estimateGas: '0x5208',
  // Not a rollup.
  eth_getCode: '0x',
}
const calls: Readonly<Record<string, string>> = {
  '0x313ce567': `0x${'6'.padStart(64, '0')}`,
  '0x95d89b41': text('USDC'),
  '0x70a08231': `0x${(250_000_000).toString(16).padStart(64, '0')}`,
}
function answer(method: string, params: unknown): unknown {
  if (method !== 'eth_call') return chainAnswers[method] ?? null
  if (JSON.stringify(params).includes(`"to":"${payment.recipient}"`)) return '0x'
  const found = Object.entries(calls).find(([selector]) => JSON.stringify(params).includes(selector))
  return found?.[1] ?? '0x'
}
const chain =
  (isDown: boolean): MoneyHost['client'] =>
  (networkId) => ({
    networkId,
    rpc: { request: async ({ method, params }) => (isDown ? failing() : answer(method, params)) },
    esplora: { get: failing, post: failing },
  })
function paying(asked: Partial<PaymentRequest> = {}, more: Partial<Story> & { readonly down?: true } = {}): Story {
  const { down, ...rest } = more
  const money = () => testMoney({ api: { balance }, client: chain(down === true) })
  return { snapshot: at('Pay', { payment: { ...payment, ...asked } }), money, ...rest }
}

const payStories: Readonly<Record<string, Story>> = {
  pay: paying({}, { awaits: /≈/ }),
  'pay-token': paying({ token: dollar, amount: '120' }, { awaits: /≈/ }),
  'pay-too-much': paying({ amount: '3' }, { awaits: /Not enough|Nicht genug/ }),
  'pay-down': paying({}, { down: true, awaits: /Can’t reach|nicht erreichbar/ }),
  'pay-elsewhere': {
    ...paying({}, { awaits: /Switch networks|Wechseln Sie/ }),
    snapshot: at('Pay', {
      payment,
      connections: { eip155: { ...connected, networkId: 'eip155:8453' } },
      activeNetworkId: 'eip155:8453',
    }),
  },
  'pay-hostile': paying(
    {
      token: dollar,
      amount: '123.456789',
      reference: '\u202eBalance\n\n<b>refund</b> of your ETH, please confirm at once',
    },
    { awaits: /≈/ },
  ),
  'pay-impossible': paying({ token: dollar, amount: '0.0000001' }, { awaits: /Invalid amount|Ungültiger Betrag/ }),
}

/* ---- names */

function naming(
  typed: string,
  isTaken: boolean | null,
  {
    own = [],
    request = async () => `0x${'ab'.repeat(65)}`,
    ...more
  }: Partial<Story> & { readonly own?: readonly string[]; readonly request?: MoneyHost['request'] } = {},
): Story {
  const nameSuggestions = async (label: string) => {
    if (isTaken === null) throw new Failure('HTTP_STATUS')
    const others = ['ada-1.postern', 'ada-2026.postern', 'my-ada.postern'].map((name) => ({ name, registered: false }))
    return { suggestions: [{ name: `${label}.postern`, registered: isTaken }, ...others] }
  }
  const registered = { name: '', registered_at: '', addresses: {}, attributes: [] }
  const names = [...own]
  const money = () =>
    testMoney({
      api: {
        balance,
        nameSuggestions,
        namesOf: async () => names.map((name) => ({ ...registered, name })),
        registerName: async () => registered,
        releaseName: async () => ({ name: names.shift() ?? '', free_from: '2026-04-15T12:00:00.000Z' }),
      },
      request,
    })
  return { snapshot: at('RegisterAccountName'), money, ...(typed !== '' && { fill: [[0, typed]] }), ...more }
}

const givingUp = (more: Parameters<typeof naming>[2]) =>
  naming('', false, { own: ['ada.postern', 'ada-lovelace-2026.postern'], ...more })
const yes = { press: ['Release ada.postern', 'Release'] }
const declined = () => Promise.reject(new Failure('USER_REJECTED'))

const nameStories: Readonly<Record<string, Story>> = {
  name: naming('', false, { awaits: /At least 4|Mindestens 4/ }),
  'name-free': naming('ada-lovelace', false, { awaits: /is available|ist verfügbar/ }),
  'name-taken': naming('ada-lovelace', true, { awaits: /Already taken|Bereits vergeben/ }),
  'name-wrong': naming('ada_lovelace', false, { awaits: /Only letters|Nur Buchstaben/ }),
  'name-unreachable': naming('ada-lovelace', null, { awaits: /right now|gerade nicht/ }),
  'name-long': naming('the-very-long-name-of-a-person-from-the-northern-coast', false, {
    awaits: /is available|ist verfügbar/,
  }),
  'name-own': naming('ada-lovelace', false, {
    own: ['ada.postern', 'ada-lovelace-2026.postern'],
    awaits: /is available|ist verfügbar/,
  }),
  'name-give-up': givingUp({ press: ['Release ada.postern'], awaits: /90/ }),
  'name-giving-up': givingUp({ ...yes, request: never, awaits: /Confirm in|bestätigen/ }),
  'name-kept': givingUp({ ...yes, request: declined, awaits: /still yours|gehört weiter/ }),
  'name-given-up': givingUp({ ...yes, awaits: /released|freigegeben/ }),
  'name-done': naming('ada-lovelace', false, { press: ['Register name'], awaits: /points to your|verweist jetzt/ }),
}

const legal = {
  termsUrl: 'https://saltmarsh.example/terms',
  privacyUrl: 'https://saltmarsh.example/privacy',
  accepted: false,
}

const connectStories: Readonly<Record<string, Story>> = {
  'connect-terms': { snapshot: { ...snapshot, legal }, awaits: /I accept|Ich akzeptiere/ },
  'connect-terms-accepted': {
    snapshot: { ...snapshot, legal: { ...legal, privacyUrl: null, accepted: true } },
    awaits: /I accept|Ich akzeptiere/,
  },
  'connect-consent': { snapshot: { ...snapshot, consentAsked: true }, awaits: /Share usage data|Nutzungsdaten/ },
}

/* ---- smart sessions */

const day = 86_400_000
const now = Date.UTC(2026, 0, 15, 12)
const session = (pci: string, changes: Partial<SmartSession>): SmartSession => ({
  pci,
  project: { name: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC' },
  expirationTimestamp: now + 7 * day,
  createdAt: now - day,
  permissions: [
    {
      type: 'erc20-token-transfer',
      data: { address: '0x01', allowance: `25${'0'.repeat(18)}`, remaining: `12${'0'.repeat(18)}` },
    },
  ],
  ...changes,
})
const smartAccount: typeof connected = {
  ...connected,
  connector: { id: 'auth', name: 'Postern', type: 'AUTH' },
  accounts: [{ namespace: 'eip155', address, type: 'smartAccount' }],
}

function sessions(smartSessions: BlockchainApi['smartSessions'], more: Partial<Story> = {}): Story {
  return {
    snapshot: at('Account', {
      features: { ...defaultFeatures, smartSessions: true },
      connections: { eip155: smartAccount },
    }),
    money: () => testMoney({ api: { balance, smartSessions } }),
    press: ['Smart sessions'],
    ...more,
  }
}

const sessionStories: Readonly<Record<string, Story>> = {
  sessions: sessions(
    async () => ({
      pcis: [
        session('0x01', {}),
        session('0x02', { project: { name: 'Saltmarsh Game of the Northern Coast' }, expirationTimestamp: now - day }),
        session('0x03', { revokedAt: now - day }),
      ],
    }),
    { awaits: /USDC/ },
  ),
  'sessions-empty': sessions(async () => ({ pcis: [] }), { awaits: /No active permissions|Keine aktiven/ }),
  'sessions-failed': sessions(failing, { awaits: /Couldn’t load|konnten nicht/ }),
}

export const shopStories: Readonly<Record<string, Story>> = {
  ...buyStories,
  ...payStories,
  ...nameStories,
  ...connectStories,
  ...sessionStories,
}
