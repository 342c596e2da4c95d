/** One owner, and a dapp's requests. */

import type { ApprovalRequest, ApprovalSubject, Connection } from '@postern/protocol'
import type { DrawnApproval } from '../../wallet/src/approval/drawing'
import type { Amount, Field, Intent, IntentStep } from '../../wallet/src/intent/intent'
import type { Approval, Embedded, HostSnapshot } from '../src/snapshot/contract'
import { bitcoinNetwork, networksOfThree, snapshot, solanaNetwork } from './fixtures'

export const eoa = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
export const smart = '0x5AEDA56215b167893e80B4fE645BA6d5Bab767DE'
const spender = '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D'
const usdcAddress = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const friend = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const lookalike = '0x8ba1f1095f0D1c2B3a4958671c0De0c0ffEe64DA'

export const socials = ['google', 'github', 'apple', 'facebook', 'x', 'discord'] as const

export const withSignIn: HostSnapshot = {
  ...snapshot,
  signInMethods: { email: true, socials, farcaster: true },
  connectMethods: ['wallet', 'email', 'social'],
}

export const owner: Embedded = {
  email: 'ada@example.org',
  userName: null,
  provider: 'email',
  accounts: [
    { address: eoa, type: 'eoa' },
    { address: smart, type: 'smartAccount' },
  ],
  preferred: 'smartAccount',
  smartAccountDeployed: false,
  storage: 'frame',
  locked: null,
  recoveryWanted: null,
  ended: null,
  isNew: false,
  isMovePutOff: false,
  security: {
    recovery: 'gateway',
    recoveries: [],
    isExposed: true,
    previous: null,
    devices: [
      { id: '1', name: 'Chrome on Linux', createdAt: 1_788_000_000_000, usedAt: 1_795_000_000_000, isThis: true },
      { id: '2', name: 'Safari on iPhone', createdAt: 1_787_000_000_000, usedAt: 1_794_300_000_000, isThis: false },
      {
        id: '3',
        name: 'Firefox on Windows for saltmarsh-exchange-of-the-northern-coast.example',
        createdAt: 1_780_000_000_000,
        usedAt: 1_781_000_000_000,
        isThis: false,
      },
    ],
  },
}

const auth = { id: 'auth', name: 'Email', type: 'AUTH' } as const

export const signedIn: HostSnapshot = {
  ...withSignIn,
  opening: { key: 1, view: 'Account' },
  networks: networksOfThree,
  namespaces: ['eip155', 'solana', 'bip122'],
  embedded: owner,
  nativeBalance: { kind: 'ready', formatted: '0.482', symbol: 'ETH' },
  connections: {
    eip155: held('eip155:1', [{ namespace: 'eip155', address: smart, type: 'smartAccount' }]),
    solana: held(solanaNetwork.caipNetworkId, [
      { namespace: 'solana', address: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU', type: 'eoa' },
    ]),
    bip122: held(bitcoinNetwork.caipNetworkId, [
      { namespace: 'bip122', address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', type: 'payment' },
    ]),
  },
}

function held(
  networkId: ApprovalRequest['networkId'],
  accounts: Extract<Connection, { status: 'connected' }>['accounts'],
): Connection {
  return { status: 'connected', connector: auth, accounts, networkId }
}

/* ---------------------------------------------------------------- approvals */

const eth = (raw: string): Amount => ({ raw, decimals: 18, symbol: 'ETH' })
/** 2^256 − 1. */
const allOfIt = `${2n ** 256n - 1n}`
const usdc = (raw: string): Amount => ({ raw, decimals: 6, symbol: 'USDC', token: usdcAddress, listed: true })

const transaction = {
  kind: 'eip155.transaction' as const,
  from: eoa,
  nonce: '7',
  call: { to: friend, value: '100000000000000000', data: '0x' },
  fees: { gas: '21000', maxFeePerGas: '30000000000', maxPriorityFeePerGas: '1000000000' },
  unsigned: '0x02f0010784',
} satisfies ApprovalSubject
const message: ApprovalSubject = { kind: 'eip155.message', address: smart, account: 'smartAccount', message: '0x48' }

export function request(subject: ApprovalSubject, more: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    id: 'r1',
    method: 'eth_sendTransaction',
    networkId: 'eip155:1',
    origin: 'https://app.saltmarsh.example',
    digest: '0'.repeat(64),
    subject,
    ...more,
  }
}

const raw = [
  {
    name: 'Transaction',
    text: '0x02f8720107843b9aca008506fc23ac00825208948ba1f109551bd432803012645ac136ddd64dba7288016345785d8a000080c0',
  },
]

export function intent(steps: readonly IntentStep[], more: Partial<Intent> = {}): Intent {
  return { steps, warnings: [], fee: null, changes: { kind: 'unknown' }, raw, ...more }
}

const fee = { amount: eth('630000000000123'), sponsored: false }

export type DrawnFixture = Approval & {
  readonly intent: Intent | null
  /** If it is approved in the wallet's own window. */
  readonly elsewhere?: DrawnApproval['elsewhere']
}

export function approval(given: Intent | null, more: Partial<DrawnFixture> = {}): DrawnFixture {
  return { request: request(transaction), intent: given, height: null, status: { kind: 'waiting' }, ...more }
}

export const send = approval(
  intent([{ kind: 'transfer', to: friend, amount: eth('100000000000000000') }], {
    fee,
    changes: { kind: 'known', changes: [{ direction: 'out', amount: eth('100000000000000000') }] },
    warnings: [{ kind: 'firstTimeRecipient', recipient: friend }],
  }),
)
const replacing = (kind: 'speedUp' | 'cancel'): ApprovalRequest =>
  request({
    ...transaction,
    ...(kind === 'cancel' && { call: { to: eoa, value: '0', data: '0x' } }),
    replaces: { kind, hash: '0x01', newest: '0x01', isFollowed: true, call: transaction.call, fees: transaction.fees },
  })
const payment = { kind: 'transfer', to: friend, amount: eth('100000000000000000') } as const
export const speedUp = approval(
  intent([payment], {
    fee,
    changes: { kind: 'known', changes: [{ direction: 'out', amount: payment.amount }] },
    warnings: [{ kind: 'speedUp' }],
  }),
  { request: replacing('speedUp'), asker: 'visitor' },
)
export const cancel = approval(
  intent([{ kind: 'cancel', cancelled: [payment] }], {
    fee,
    changes: { kind: 'known', changes: [] },
    warnings: [{ kind: 'cancel' }],
  }),
  { request: replacing('cancel'), asker: 'visitor' },
)
export const cancelWithOwnFee = approval(
  intent([{ kind: 'cancel', cancelled: [payment] }], {
    fee,
    changes: { kind: 'known', changes: [] },
    warnings: [{ kind: 'ownFee' }, { kind: 'cancel', sponsored: true }],
  }),
  { request: replacing('cancel'), asker: 'visitor' },
)
export const sendUnsimulated = approval(
  intent([{ kind: 'transfer', to: friend, amount: usdc('250000000') }], {
    fee,
    warnings: [
      { kind: 'lookalikeRecipient', recipient: friend, earlier: lookalike },
      { kind: 'wouldFail', reason: 'ERC20: transfer amount exceeds balance' },
    ],
  }),
)
export const swap = approval(
  intent(
    [
      { kind: 'approve', spender, amount: { ...usdc(allOfIt), unlimited: true } },
      {
        kind: 'swap',
        pay: usdc('250000000'),
        receiveAtLeast: eth('76329000000000000'),
        recipient: eoa,
        contract: spender,
      },
    ],
    {
      fee: { ...fee, sponsored: true },
      warnings: [{ kind: 'unlimitedApproval', spender }],
      changes: {
        kind: 'known',
        changes: [
          { direction: 'out', amount: usdc('250000000') },
          { direction: 'in', amount: eth('77100000000000000') },
        ],
      },
    },
  ),
)
export const allowance = approval(
  intent([{ kind: 'approve', spender, amount: { ...usdc(allOfIt), unlimited: true } }], {
    fee,
    warnings: [
      { kind: 'unlimitedApproval', spender },
      { kind: 'unknownContract', contract: spender },
    ],
    changes: { kind: 'known', changes: [] },
  }),
)
export const collection = approval(
  intent([{ kind: 'approveAll', spender, token: usdcAddress, granted: true }], {
    fee,
    warnings: [{ kind: 'approvesAll', spender }],
  }),
)
export const signMessage = approval(
  intent([
    {
      kind: 'message',
      isText: true,
      text: 'Welcome to Saltmarsh.\n\nSign to accept the terms of service. \u202EThis costs nothing.\n\nNonce: 41e2b7',
    },
  ]),
  { request: request(message, { method: 'personal_sign' }) },
)
const signInStep: IntentStep = {
  kind: 'signIn',
  domain: 'app.saltmarsh.example',
  account: eoa,
  statement: 'Sign in to Saltmarsh Exchange.',
  fields: [
    { name: 'URI', value: 'https://app.saltmarsh.example/login' },
    { name: 'Nonce', value: '41e2b7c0' },
    { name: 'Issued at', value: '2026-11-21T08:30:00Z' },
  ],
}
export const signInMessage = approval(intent([signInStep]), {
  request: request(message, { method: 'personal_sign' }),
})
const who = { kind: 'user', provider: 'google', email: 'ada@example.org' } as const
export const shareUser = approval(intent([who], { raw: [] }), {
  request: request(who, { method: 'getIdentityToken' }),
})
export const blocked = approval(
  intent([{ ...signInStep, domain: 'bank.example' }], {
    warnings: [{ kind: 'domainMismatch', domain: 'bank.example', origin: 'https://app.saltmarsh.example' }],
  }),
  { request: request(message, { method: 'personal_sign', blocked: 'DOMAIN_MISMATCH' }) },
)
export const unprepared = approval(intent([], { raw: [] }), {
  request: request({ kind: 'unprepared', sends: true }, { blocked: 'NETWORK_UNREACHABLE' }),
})
const order: readonly Field[] = [
  { name: 'maker', type: 'address', value: eoa },
  {
    name: 'offer',
    type: 'Item[]',
    value: [
      {
        name: '0',
        type: 'Item',
        value: [
          { name: 'token', type: 'address', value: usdcAddress },
          { name: 'amount', type: 'uint256', value: '250000000' },
          { name: 'criteria', type: 'bytes32[]', value: [] },
        ],
      },
    ],
  },
  {
    name: 'salt',
    type: 'uint256',
    value: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
  },
  { name: 'endTime', type: 'uint256', value: '1790000000' },
]
export const typedData = approval(
  intent([
    {
      kind: 'typedData',
      primaryType: 'OrderComponents',
      fields: order,
      domain: [
        { name: 'name', type: 'string', value: 'Saltmarsh' },
        { name: 'chainId', type: 'uint256', value: '1' },
        { name: 'verifyingContract', type: 'address', value: spender },
      ],
    },
  ]),
  {
    request: request(
      { kind: 'eip155.typedData', address: eoa, account: 'eoa', json: '{}' },
      { method: 'eth_signTypedData_v4' },
    ),
  },
)
export const permit = approval(
  intent([{ kind: 'permit', spender, amount: { ...usdc(allOfIt), unlimited: true }, expiry: 99_999_999_999_999 }], {
    warnings: [{ kind: 'unlimitedApproval', spender }],
  }),
  { request: typedData.request },
)
export const contractCall = approval(
  intent(
    [
      { kind: 'deploy' },
      {
        kind: 'call',
        contract: spender,
        name: 'stake(uint256,address)',
        value: eth('50000000000000000'),
        fields: [
          { name: 'amount', type: 'uint256', value: '50000000000000000' },
          { name: 'referrer', type: 'address', value: friend },
        ],
      },
    ],
    { fee, warnings: [{ kind: 'unknownContract', contract: spender }, { kind: 'highFee' }] },
  ),
)
export const hostileToken = approval(
  intent(
    [
      {
        kind: 'transfer',
        to: friend,
        amount: {
          raw: '123456789012345678901234567890',
          decimals: 18,
          symbol: '\u202EETH visit claim-your-free-airdrop.example now',
          token: usdcAddress,
        },
      },
    ],
    { fee },
  ),
)
export const undecoded = approval(
  intent([{ kind: 'call', contract: spender, value: eth('0'), fields: [{ name: 'data', value: '0xdeadbeef0102' }] }], {
    fee,
    warnings: [{ kind: 'notDecoded' }, { kind: 'unknownContract', contract: spender }],
  }),
)

const unlisted = (amount: Amount): Amount => ({ ...amount, token: spender })
export const unverifiedToken = approval(
  intent(
    [
      {
        kind: 'call',
        contract: spender,
        value: eth('1000000000000000000'),
        fields: [{ name: 'data', value: '0xdeadbeef0102', type: 'bytes' }],
      },
    ],
    {
      fee,
      changes: {
        kind: 'known',
        changes: [
          { direction: 'out', amount: eth('1000000000000000000') },
          { direction: 'in', amount: unlisted({ raw: '5000000000', decimals: 6, symbol: 'GOLD' }) },
          { direction: 'in', amount: unlisted({ raw: '1000000', decimals: 0, tokenId: '5' }) },
        ],
        partial: true,
      },
      warnings: [{ kind: 'notDecoded' }, { kind: 'unknownContract', contract: spender }],
    },
  ),
)
const marketDomain = [
  { name: 'name', value: 'A market' },
  { name: 'verifyingContract', value: spender },
]
export const anyItemOrder = approval(
  intent(
    [
      {
        kind: 'order',
        gives: [unlisted({ raw: '1', decimals: 0, anyItem: 'collection' })],
        gets: [
          { amount: eth('10000000000000000'), to: eoa },
          { amount: eth('1000000000000000000'), to: friend },
        ],
        contract: spender,
        expiry: 1_800_000_000,
      },
      { kind: 'typedData', primaryType: 'OrderComponents', domain: marketDomain, fields: [], isRead: true },
    ],
    {
      own: [eoa],
      warnings: [
        { kind: 'everyNetwork' },
        { kind: 'givesForNothing', of: 'share' },
        { kind: 'givesAnyItem' },
        { kind: 'unknownContract', contract: spender },
        { kind: 'firstTimeRecipient', recipient: friend },
      ],
    },
  ),
  { request: typedData.request },
)
export const unreadData = approval(
  intent(
    [
      {
        kind: 'typedData',
        primaryType: 'Root',
        domain: marketDomain,
        fields: [{ name: 'root', value: `0x${'63'.repeat(32)}`, type: 'bytes32' }],
        isPromise: true,
      },
    ],
    {
      warnings: [
        { kind: 'givesForNothing', of: 'promise' },
        { kind: 'notDecoded', contract: spender },
      ],
    },
  ),
  { request: typedData.request },
)
export const increase = approval(
  intent([{ kind: 'increase', spender, amount: usdc('5000000') }], {
    fee,
    warnings: [
      { kind: 'unknownTotal', spender },
      { kind: 'coversBalance', spender },
    ],
  }),
)
