/**
 * EVM requests that once read milder than they are, with what each must show. Keep every row: a new reader must not lose
 * one.
 */
import type { ApprovalRequest, ApprovalSubject } from '@postern/protocol'
import * as AbiFunction from 'ox/AbiFunction'
import type { DescribeContext, Warning } from '../../intent/intent'
import { type Answers, evil, friend, own, requestOf, token } from './draw-card'

export type Row = {
  readonly name: string
  readonly request: ApprovalRequest
  readonly answers?: Answers
  readonly context?: Partial<DescribeContext>
  /** These are among the warnings. */
  readonly warns: readonly Warning['kind'][]
  /** Parts of the card's text. */
  readonly shows: readonly (string | RegExp)[]
  readonly hides?: readonly (string | RegExp)[]
}

export const permit2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const seaport = '0x0000000000000068F116a894984e2DB1123eB395'
export const reactor = '0x6000da47483062A0D734Ba3dc7576Ce6A0B645C4'
const weth = '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2'
export const router = '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D'
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const zero = '0x0000000000000000000000000000000000000000'
/** Like {@link friend} at both ends. */
const likeFriend = '0x4444eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee4444'
/** Like {@link own} at both ends. */
const likeOwn = '0x1111eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee1111'
/** Another account of the owner's. */
const own2 = '0x5555555555555555555555555555555555555555'
const fees = { gas: '21000', maxFeePerGas: '1000000000', maxPriorityFeePerGas: '1' }
const ether = 10n ** 18n
const soon = '1795000000'

// Calls

const functions = {
  transfer: 'function transfer(address to, uint256 amount)',
  transferFrom: 'function transferFrom(address from, address to, uint256 amount)',
  approve: 'function approve(address spender, uint256 amount)',
  approveBy2: 'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  increaseAllowance: 'function increaseAllowance(address spender, uint256 addedValue)',
  safeTransferFrom: 'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
  setApprovalForAll: 'function setApprovalForAll(address operator, bool approved)',
  deposit: 'function deposit()',
  swapExactETHForTokens:
    'function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline)',
  enableModule: 'function enableModule(address module)',
  changeThreshold: 'function changeThreshold(uint256 threshold)',
  installModule: 'function installModule(uint256 type, address module, bytes data)',
  safeTransferItem: 'function safeTransferFrom(address from, address to, uint256 tokenId)',
  permit:
    'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
} as const

export function encode(name: keyof typeof functions, args: readonly unknown[]): string {
  const item: AbiFunction.AbiFunction = AbiFunction.from(functions[name])
  return AbiFunction.encodeData(item, args)
}

type Call = { readonly to: string; readonly value?: bigint; readonly data?: string }

export function transaction({ to, value = 0n, data = '0x' }: Call, given: object = fees): ApprovalRequest {
  return requestOf({
    kind: 'eip155.transaction',
    from: own,
    nonce: '0',
    unsigned: '0x02',
    fees: { gas: '21000', ...given },
    call: { to, value: `${value}`, data },
  })
}

// The chain

const word = (value: bigint | number) => `0x${BigInt(value).toString(16).padStart(64, '0')}`
const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`

function text(value: string): string {
  const bytes = [...new TextEncoder().encode(value)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  const padded = bytes.padEnd(Math.max(64, Math.ceil(bytes.length / 64) * 64), '0')
  return `0x${'20'.padStart(64, '0')}${(bytes.length / 2).toString(16).padStart(64, '0')}${padded}`
}

type Token = {
  readonly symbol: string
  readonly decimals: number
  readonly allowance?: bigint
  readonly balance?: bigint
  readonly supply?: bigint
}

/** A chain on which every address is this token. */
export function chainOf({ symbol, decimals, allowance, balance, supply }: Token, more: Answers = {}): Answers {
  const bySelector: Readonly<Record<string, string | undefined>> = {
    '0x313ce567': word(decimals),
    '0x95d89b41': text(symbol),
    '0x01ffc9a7': word(0),
    '0xdd62ed3e': allowance === undefined ? undefined : word(allowance),
    '0x70a08231': balance === undefined ? undefined : word(balance),
    '0x18160ddd': supply === undefined ? undefined : word(supply),
  }
  return {
    eth_call: ([call]) => {
      const answer = Object.entries(bySelector).find(([selector]) => JSON.stringify(call).includes(selector))?.[1]
      if (answer === undefined) throw new Error('execution reverted')
      return answer
    },
    eth_getCode: () => '0x60',
    eth_gasPrice: () => '0x3b9aca00',
    ...more,
  }
}

const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const singleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
const nativeLogger = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'
type Log = { readonly address: string; readonly topics: readonly string[]; readonly data: string }

const simulated = (...logs: readonly Log[]): Answers => ({
  eth_simulateV1: () => [{ calls: [{ status: '0x1', gasUsed: '0x5208', logs }] }],
})
const moves = (address: string, from: string, to: string, raw: bigint): Log => ({
  address,
  topics: [transferTopic, topic(from), topic(to)],
  data: word(raw),
})

/** A chain that says of each token that it counts items. */
const itemsOnly: Answers = chainOf(
  { symbol: 'GOLD', decimals: 6 },
  {
    eth_call: ([call]) => (JSON.stringify(call).includes('0x01ffc9a7') ? word(1) : word(6)),
  },
)

function operation(...calls: readonly Call[]): ApprovalRequest {
  return requestOf({
    kind: 'eip155.userOperation',
    from: own,
    calls: calls.map(({ to, value = 0n, data = '0x' }) => ({ to, value: `${value}`, data })),
    fees,
    sponsored: true,
    deploys: false,
    operation: {},
    hash: '0x',
  })
}

// Messages

const hexOf = (text: string) =>
  `0x${[...new TextEncoder().encode(text)].map((one) => one.toString(16).padStart(2, '0')).join('')}`

function message(hex: string) {
  const subject: ApprovalSubject = { kind: 'eip155.message', address: own, account: 'eoa', message: hex }
  return requestOf(subject, { method: 'personal_sign' })
}

const signIn = (account = own, tail = '') =>
  `app.example wants you to sign in with your Ethereum account:\n${account}\n\nHello\n\nURI: https://app.example\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2026-11-30T00:00:00Z${tail}`
const everything = `urn:recap:${btoa('{"att":{"https://x.example":{"crud/delete":[{}]}},"prf":[]}').replace(/=+$/, '')}`

// Typed data

export const member = (name: string, type: string) => ({ name, type })
export type Members = readonly ReturnType<typeof member>[]
const plainDomain: Members = [
  member('name', 'string'),
  member('version', 'string'),
  member('chainId', 'uint256'),
  member('verifyingContract', 'address'),
]
const saltDomain: Members = [
  member('name', 'string'),
  member('version', 'string'),
  member('verifyingContract', 'address'),
  member('salt', 'bytes32'),
]

type Typed = {
  readonly types: Readonly<Record<string, Members>>
  readonly message: object
  readonly domain?: object
  readonly domainType?: Members
}

export function typedData(primaryType: string, { types, message, domain, domainType = plainDomain }: Typed) {
  const subject: ApprovalSubject = {
    kind: 'eip155.typedData',
    address: own,
    account: 'eoa',
    json: JSON.stringify({
      types: { EIP712Domain: domainType, ...types },
      primaryType,
      domain: domain ?? { name: 'X', version: '1', chainId: 1, verifyingContract: token },
      message,
    }),
  }
  return requestOf(subject, { method: 'eth_signTypedData_v4' })
}

const at = (verifyingContract: string, chainId = 1) => ({ name: 'X', version: '1', chainId, verifyingContract })

const item = [
  member('itemType', 'uint8'),
  member('token', 'address'),
  member('identifierOrCriteria', 'uint256'),
  member('startAmount', 'uint256'),
  member('endAmount', 'uint256'),
]
const orderTypes = {
  OrderComponents: [
    member('offerer', 'address'),
    member('offer', 'OfferItem[]'),
    member('consideration', 'ConsiderationItem[]'),
    member('endTime', 'uint256'),
  ],
  OfferItem: item,
  ConsiderationItem: [...item, member('recipient', 'address')],
}

type Item = {
  readonly type: number
  readonly of?: string
  readonly id?: bigint
  readonly amount: bigint
  readonly to?: string
}

const itemOf = ({ type, of = zero, id = 0n, amount, to }: Item) => ({
  itemType: type,
  token: of,
  identifierOrCriteria: `${id}`,
  startAmount: `${amount}`,
  endAmount: `${amount}`,
  ...(to !== undefined && { recipient: to }),
})

export function seaportOrder(
  offer: readonly Item[],
  consideration: readonly Item[],
  contract = seaport,
  endTime = soon,
) {
  const message = {
    offerer: own,
    offer: offer.map(itemOf),
    consideration: consideration.map(itemOf),
    endTime,
  }
  return typedData('OrderComponents', { types: orderTypes, message, domain: at(contract) })
}

const authorization: Members = [
  member('from', 'address'),
  member('to', 'address'),
  member('value', 'uint256'),
  member('validAfter', 'uint256'),
  member('validBefore', 'uint256'),
  member('nonce', 'bytes32'),
]

export function transferByAuthorization(
  { to = evil, value = 50_000_000_000n, contract = token, chainId = 1 },
  primaryType = 'TransferWithAuthorization',
) {
  const message = { from: own, to, value: `${value}`, validAfter: '0', validBefore: soon, nonce: word(7) }
  return typedData(primaryType, {
    types: { [primaryType]: authorization },
    message,
    domain: { name: 'USD Coin', version: '2', chainId, verifyingContract: contract },
  })
}

const safeTypes: Members = [
  member('to', 'address'),
  member('value', 'uint256'),
  member('data', 'bytes'),
  member('operation', 'uint8'),
  member('safeTxGas', 'uint256'),
  member('baseGas', 'uint256'),
  member('gasPrice', 'uint256'),
  member('gasToken', 'address'),
  member('refundReceiver', 'address'),
  member('nonce', 'uint256'),
]

export function safeTx(given: object, safe = friend) {
  const message = {
    to: evil,
    value: '0',
    data: '0x',
    operation: 0,
    safeTxGas: '0',
    baseGas: '0',
    gasPrice: '0',
    gasToken: zero,
    refundReceiver: zero,
    nonce: '0',
    ...given,
  }
  return typedData('SafeTx', {
    types: { SafeTx: safeTypes },
    message,
    domain: { chainId: 1, verifyingContract: safe },
    domainType: [member('chainId', 'uint256'), member('verifyingContract', 'address')],
  })
}

export function metaTransaction(data: string, typed: Partial<Typed> = {}) {
  return typedData('MetaTransaction', {
    types: {
      MetaTransaction: [member('nonce', 'uint256'), member('from', 'address'), member('functionSignature', 'bytes')],
    },
    message: { nonce: '0', from: own, functionSignature: data },
    ...typed,
  })
}

export function forwardRequest(call: Call, typed: Partial<Typed> = {}, extra: Members = [], value = '5') {
  return typedData('ForwardRequest', {
    types: {
      ForwardRequest: [
        member('from', 'address'),
        member('to', 'address'),
        member('value', 'uint256'),
        member('gas', 'uint256'),
        member('nonce', 'uint256'),
        member('data', 'bytes'),
        ...extra,
      ],
    },
    message: {
      from: own,
      to: call.to,
      value: `${call.value ?? 0n}`,
      gas: '9',
      nonce: '0',
      data: call.data ?? '0x',
      ...Object.fromEntries(extra.map(({ name }) => [name, value])),
    },
    domain: at(evil),
    ...typed,
  })
}

const permitTypes = {
  Permit: [
    member('owner', 'address'),
    member('spender', 'address'),
    member('value', 'uint256'),
    member('nonce', 'uint256'),
    member('deadline', 'uint256'),
  ],
}

export function permit(value: bigint, typed: Partial<Typed> = {}, spender = evil) {
  return typedData('Permit', {
    types: permitTypes,
    message: { owner: own, spender, value: `${value}`, nonce: '0', deadline: soon },
    ...typed,
  })
}

export function witness(spender: string, outputs: readonly object[], contract = permit2) {
  return typedData('PermitWitnessTransferFrom', {
    types: {
      PermitWitnessTransferFrom: [
        member('permitted', 'TokenPermissions'),
        member('spender', 'address'),
        member('nonce', 'uint256'),
        member('deadline', 'uint256'),
        member('witness', 'Witness'),
      ],
      TokenPermissions: [member('token', 'address'), member('amount', 'uint256')],
      Witness: [member('outputs', 'Output[]')],
      Output: [member('token', 'address'), member('endAmount', 'uint256'), member('recipient', 'address')],
    },
    message: {
      permitted: { token: usdc, amount: '50000000000' },
      spender,
      nonce: '1',
      deadline: soon,
      witness: { outputs },
    },
    domain: { name: 'Permit2', chainId: 1, verifyingContract: contract },
    domainType: [member('name', 'string'), member('chainId', 'uint256'), member('verifyingContract', 'address')],
  })
}

function permitSingle(
  expiration: string,
  sigDeadline: string,
  primaryType: 'PermitSingle' | 'PermitBatch' = 'PermitSingle',
) {
  const details = { token: usdc, amount: '5000000', expiration, nonce: '0' }
  const isBatch = primaryType === 'PermitBatch'
  return typedData(primaryType, {
    types: {
      [primaryType]: [
        member('details', isBatch ? 'PermitDetails[]' : 'PermitDetails'),
        member('spender', 'address'),
        member('sigDeadline', 'uint256'),
      ],
      PermitDetails: [
        member('token', 'address'),
        member('amount', 'uint160'),
        member('expiration', 'uint48'),
        member('nonce', 'uint48'),
      ],
    },
    message: { details: isBatch ? [details] : details, spender: evil, sigDeadline },
    domain: at(permit2),
  })
}

function daiPermit(expiry: string, allowed: boolean) {
  return typedData('Permit', {
    types: {
      Permit: [
        member('holder', 'address'),
        member('spender', 'address'),
        member('nonce', 'uint256'),
        member('expiry', 'uint256'),
        member('allowed', 'bool'),
      ],
    },
    message: { holder: own, spender: evil, nonce: '0', expiry, allowed },
  })
}

const cow = '0x9008D19f58AAbD9eD0D60971565AA8510560ab41'
const zeroEx = '0xDef1C0ded9bec7F1a1670819833240f027b25EfF'

function cowOrder(validTo: number) {
  const members: Members = [
    member('sellToken', 'address'),
    member('buyToken', 'address'),
    member('receiver', 'address'),
    member('sellAmount', 'uint256'),
    member('buyAmount', 'uint256'),
    member('validTo', 'uint32'),
    member('feeAmount', 'uint256'),
  ]
  const message = {
    sellToken: usdc,
    buyToken: weth,
    receiver: own,
    sellAmount: '5',
    buyAmount: '5',
    validTo,
    feeAmount: '0',
  }
  return typedData('Order', { types: { Order: members }, message, domain: at(cow) })
}

function zeroExOrder(primaryType: 'LimitOrder' | 'OtcOrder', name: 'expiry' | 'expiryAndNonce', end: bigint) {
  const members: Members = [
    member('makerToken', 'address'),
    member('takerToken', 'address'),
    member('makerAmount', 'uint128'),
    member('takerAmount', 'uint128'),
    member('maker', 'address'),
    member(name, 'uint256'),
  ]
  const message = {
    makerToken: usdc,
    takerToken: weth,
    makerAmount: '5',
    takerAmount: '5',
    maker: own,
    [name]: `${end}`,
  }
  return typedData(primaryType, { types: { [primaryType]: members }, message, domain: at(zeroEx) })
}

const dollars = chainOf({ symbol: 'GOLD', decimals: 6 })
const pays = (raw: bigint, to = own) => ({ token: zero, endAmount: `${raw}`, recipient: to })
const unknownToken = 'unverified token 0x33…333333'

/** A swap of 1 ETH for USDC. */
const swapOf = (least: bigint, to = own) =>
  transaction({
    to: router,
    value: ether,
    data: encode('swapExactETHForTokens', [least, [weth, usdc], to, 9_999_999_999n]),
  })
const swapped = (raw: bigint) =>
  chainOf(
    { symbol: 'GOLD', decimals: 6 },
    simulated(moves(nativeLogger, own, router, ether), moves(usdc, router, own, raw)),
  )
const usedRouter: Row['context'] = { known: { recipients: [friend], contracts: [router] } }

/** A swap of 1 ETH for what `symbol` is the name of. */
const bringing = (symbol: string, decimals: number, raw: bigint): Pick<Row, 'request' | 'answers'> => ({
  request: transaction({ to: evil, value: ether, data: '0x12345678' }),
  answers: chainOf(
    { symbol, decimals },
    simulated(moves(nativeLogger, own, evil, ether), moves(token, evil, own, raw)),
  ),
})

export const rows: readonly Row[] = [
  // Signatures that move money
  {
    name: 'EIP-3009: 50,000 of a token to a stranger',
    request: transferByAuthorization({}),
    answers: dollars,
    context: { known: { recipients: [], contracts: [token] } },
    warns: ['firstTimeRecipient'],
    shows: [`− 50,000 GOLD ${unknownToken}`, `To | ${evil}`, 'Intended for'],
    hides: ['Approve | Sign data'],
  },
  {
    name: 'EIP-3009, to an address like an earlier recipient',
    request: transferByAuthorization({ to: likeFriend }, 'ReceiveWithAuthorization'),
    context: { known: { recipients: [friend], contracts: [token] } },
    warns: ['lookalikeRecipient', 'firstTimeRecipient'],
    shows: ['Look-alike address.'],
  },
  {
    name: 'EIP-3009, with a type that only has its name',
    request: typedData('TransferWithAuthorization', {
      types: { TransferWithAuthorization: authorization.slice(0, 3) },
      message: { from: own, to: evil, value: '5' },
    }),
    context: { known: { recipients: [], contracts: [token] } },
    warns: ['notDecoded'],
    shows: ['This signature could move your assets.'],
  },
  {
    name: 'a Safe’s delegatecall',
    request: safeTx({ operation: 1, data: '0x1234' }),
    warns: ['givesControl', 'notDecoded', 'unknownContract'],
    shows: ['Gives away control of your account.', evil],
  },
  {
    name: 'a Safe’s own call that enables a module',
    request: safeTx({ to: friend, data: encode('enableModule', [evil]) }),
    warns: ['givesControl', 'notDecoded'],
    shows: ['Gives away control of your account.', evil],
  },
  {
    name: 'the own smart account’s call that enables a module',
    request: requestOf({
      kind: 'eip155.userOperation',
      from: own,
      calls: [{ to: own, value: '0', data: encode('enableModule', [evil]) }],
      fees,
      sponsored: true,
      deploys: false,
      operation: {},
      hash: '0x',
    }),
    context: { known: { recipients: [], contracts: [own] } },
    warns: ['givesControl', 'notDecoded'],
    shows: ['Gives away control of your account.', evil],
  },
  {
    name: 'a Safe’s transfer of a token',
    request: safeTx({ to: token, data: encode('transfer', [evil, 5_000_000n]) }),
    answers: dollars,
    warns: ['firstTimeRecipient', 'unknownContract'],
    shows: ['− 5 GOLD', evil],
  },
  {
    name: 'a Safe that refunds gas at any price',
    request: safeTx({ to: friend, value: '1', baseGas: '99999999', gasPrice: '99999999999', refundReceiver: evil }),
    context: { known: { recipients: [friend], contracts: [friend] } },
    warns: ['notDecoded'],
    shows: ['This signature could move your assets.'],
  },
  {
    name: 'a meta transaction with a transfer',
    request: metaTransaction(encode('transfer', [evil, 5_000_000n])),
    answers: dollars,
    warns: ['firstTimeRecipient'],
    shows: ['− 5 GOLD', evil],
  },
  {
    name: 'a meta transaction with an unlimited approval',
    request: metaTransaction(encode('approve', [evil, 2n ** 256n - 1n])),
    answers: dollars,
    warns: ['unlimitedApproval', 'unknownContract'],
    shows: ['Unlimited spending.', 'Allow spending'],
  },
  {
    name: 'a forwarded approval of a collection',
    request: forwardRequest({ to: token, data: encode('setApprovalForAll', [evil, true]) }),
    warns: ['approvesAll', 'unknownContract'],
    shows: ['Access to your entire collection.', `Collection | ${token}`],
  },
  {
    name: 'a forwarded call with members that are not read',
    request: forwardRequest({ to: friend, value: 1n }, {}, [member('tokenGasPrice', 'uint256')]),
    context: { known: { recipients: [friend], contracts: [evil] } },
    warns: ['notDecoded'],
    shows: ['This signature could move your assets.'],
  },
  ...(
    [
      ['Blur’s root of any number of listings', 'Root', [member('root', 'bytes32')], { root: word(99) }],
      [
        '0x: an order of an item',
        'ERC721Order',
        [member('direction', 'uint8'), member('maker', 'address'), member('erc20TokenAmount', 'uint256')],
        { direction: 0, maker: own, erc20TokenAmount: '1' },
      ],
      [
        'Hyperliquid: a payment',
        'HyperliquidTransaction:UsdSend',
        [member('destination', 'string'), member('amount', 'string')],
        { destination: evil, amount: '9' },
      ],
      [
        'a permit for all of a collection',
        'PermitForAll',
        [member('owner', 'address'), member('operator', 'address'), member('approved', 'bool')],
        { owner: own, operator: evil, approved: true },
      ],
      [
        'a delegation of votes',
        'Delegation',
        [member('delegatee', 'address'), member('nonce', 'uint256'), member('expiry', 'uint256')],
        { delegatee: evil, nonce: '0', expiry: soon },
      ],
      [
        'an allowance of debt',
        'DelegationWithSig',
        [member('delegatee', 'address'), member('value', 'uint256')],
        { delegatee: evil, value: '5' },
      ],
      [
        'an authorization to manage a position',
        'Authorization',
        [member('authorizer', 'address'), member('authorized', 'address'), member('isAuthorized', 'bool')],
        { authorizer: own, authorized: evil, isAuthorized: true },
      ],
    ] as const
  ).map(
    ([name, primaryType, members, message]): Row => ({
      name: `${name}, also for a contract that was called before`,
      request: typedData(primaryType, { types: { [primaryType]: members }, message, domain: at(evil) }),
      context: { known: { recipients: [], contracts: [evil] } },
      warns: ['notDecoded'],
      shows: ['This signature could move your assets.', evil],
    }),
  ),

  // Orders
  {
    name: 'Seaport: any item of a collection',
    request: seaportOrder([{ type: 4, of: token, amount: 1n }], [{ type: 0, amount: ether, to: own }]),
    warns: ['givesAnyItem'],
    shows: [
      `− any item of the collection ${unknownToken} |`,
      'You give | any item of the collection',
      'The buyer chooses the item.',
      'In return | 1 ETH',
      'You',
    ],
    hides: ['#0'],
  },
  {
    name: 'Seaport: one of a list, of which only the hash is signed',
    request: seaportOrder([{ type: 5, of: token, id: 77n, amount: 3n }], [{ type: 0, amount: ether, to: own }]),
    warns: ['givesAnyItem'],
    shows: ['You give | 3 × any item from a list'],
    hides: ['#77'],
  },
  {
    name: 'Seaport: a type of item that does not exist',
    request: seaportOrder([{ type: 9, of: token, amount: 1n }], [{ type: 0, amount: ether, to: own }]),
    warns: ['notDecoded'],
    shows: ['This signature could move your assets.'],
    hides: ['You give'],
  },
  {
    name: 'Seaport: a million pieces of one item',
    request: seaportOrder([{ type: 3, of: token, id: 5n, amount: 1_000_000n }], [{ type: 0, amount: ether, to: own }]),
    warns: ['unknownContract'],
    shows: ['You give | 1,000,000 × #5'],
  },
  {
    name: 'Seaport: 1 ETH to a stranger, 1 wei to the owner',
    request: seaportOrder(
      [{ type: 2, of: token, id: 5n, amount: 1n }],
      [
        { type: 0, amount: ether, to: evil },
        { type: 0, amount: 1n, to: own },
      ],
    ),
    warns: ['givesForNothing', 'firstTimeRecipient'],
    shows: ['You get little for this.', '| You'],
  },
  {
    name: 'Seaport: 1 ETH to a stranger, 1 wei of a token to the owner',
    request: seaportOrder(
      [{ type: 2, of: token, id: 5n, amount: 1n }],
      [
        { type: 0, amount: ether, to: evil },
        { type: 1, of: friend, amount: 1n, to: own },
      ],
    ),
    warns: ['givesForNothing'],
    shows: ['You get little for this.'],
  },
  {
    name: 'Seaport: thirty look-alikes do not hide that no network is named',
    request: typedData('OrderComponents', {
      types: orderTypes,
      message: {
        offerer: own,
        offer: [itemOf({ type: 2, of: token, id: 5n, amount: 1n })],
        consideration: Array.from({ length: 30 }, (_, index) =>
          itemOf({ type: 0, amount: 1n, to: `0x4444${`${index}`.padStart(32, 'e')}4444` }),
        ),
        endTime: soon,
      },
      domain: { name: 'Seaport', version: '1.6', verifyingContract: seaport },
      domainType: saltDomain.slice(0, 3),
    }),
    context: { known: { recipients: [friend], contracts: [] } },
    warns: ['tooLong', 'everyNetwork', 'lookalikeRecipient'],
    shows: ['Network | Any network'],
  },
  {
    name: 'Seaport: a sale with the fee of the market',
    request: seaportOrder(
      [{ type: 2, of: token, id: 5n, amount: 1n }],
      [
        { type: 0, amount: (ether * 97n) / 100n, to: own },
        { type: 0, amount: (ether * 3n) / 100n, to: evil },
      ],
    ),
    warns: ['firstTimeRecipient'],
    shows: ['In return | 0.97 ETH'],
    hides: ['You get little', 'You get nothing', 'You may get nothing'],
  },
  {
    name: 'Seaport: a bid with the fee of the market',
    request: seaportOrder(
      [{ type: 1, of: weth, amount: ether }],
      [
        { type: 2, of: token, id: 5n, amount: 1n, to: own },
        { type: 1, of: weth, amount: (ether * 3n) / 100n, to: evil },
      ],
    ),
    warns: ['firstTimeRecipient'],
    shows: ['In return | #5'],
    hides: ['You get little', 'You get nothing'],
  },
  {
    name: 'Seaport: a bid of which most goes to others, for an item',
    request: seaportOrder(
      [{ type: 1, of: weth, amount: ether }],
      [
        { type: 2, of: token, id: 5n, amount: 1n, to: own },
        { type: 1, of: weth, amount: (ether * 60n) / 100n, to: evil },
      ],
    ),
    warns: ['givesForNothing'],
    shows: ['You get little for this.'],
  },
  {
    name: 'an order of Seaport’s form for another contract',
    request: seaportOrder([{ type: 2, of: token, id: 5n, amount: 1n }], [{ type: 0, amount: ether, to: own }], evil),
    warns: ['givesForNothing', 'notDecoded', 'unknownContract'],
    shows: ['You may get nothing for this.'],
    hides: ['In return'],
  },
  {
    name: 'Permit2: a stranger’s promise of 30 ETH',
    request: witness(evil, [pays(30n * ether)]),
    warns: ['givesForNothing', 'notDecoded', 'unknownContract'],
    shows: ['You may get nothing for this.', 'Limit | 50,000 USDC'],
    hides: ['In return', '30 ETH'],
  },
  {
    name: 'UniswapX: an order that its reactor keeps',
    request: witness(reactor, [pays(30n * ether)]),
    warns: ['unknownContract'],
    shows: ['| − 50,000 USDC |', 'You give | 50,000 USDC', 'In return | 30 ETH', '| You'],
    hides: ['You may get nothing'],
  },
  {
    name: 'a swap at a contract that is no router',
    request: transaction({
      to: evil,
      value: ether,
      data: encode('swapExactETHForTokens', [5_000n * 10n ** 6n, [evil, usdc], own, 9_999_999_999n]),
    }),
    answers: dollars,
    context: { known: { recipients: [], contracts: [evil] } },
    warns: ['notDecoded'],
    shows: ['| − 1 ETH |', 'Function | swapExactETHForTokens', 'Amount sent | 1 ETH'],
    hides: ['You receive at least', '+ 5,000'],
  },
  {
    name: 'a swap at a router, to a stranger',
    request: transaction({
      to: router,
      value: ether,
      data: encode('swapExactETHForTokens', [5_000n * 10n ** 6n, [evil, usdc], evil, 9_999_999_999n]),
    }),
    answers: dollars,
    warns: ['firstTimeRecipient', 'unknownContract'],
    shows: ['You receive at least | 5,000 USDC'],
  },
  {
    name: 'a deposit at a contract that no list names',
    request: transaction({ to: evil, value: 5n * ether, data: encode('deposit', []) }),
    context: { known: { recipients: [], contracts: [evil] } },
    warns: ['notDecoded'],
    shows: ['| − 5 ETH |', 'Amount sent | 5 ETH', `Contract | ${evil}`],
  },
  {
    name: 'a deposit at a token of the gateway’s list',
    request: transaction({ to: weth, value: 5n * ether, data: encode('deposit', []) }),
    context: { tokens: [{ address: weth, symbol: 'WETH', decimals: 18 }] },
    warns: ['unknownContract'],
    shows: ['Function | deposit', 'Amount sent | 5 ETH'],
    hides: ['We couldn’t fully read'],
  },

  // Counts
  ...[0n, 1n, 1_000_000n].map(
    (count): Row => ({
      name: `ERC-1155: ${count} pieces`,
      request: transaction({ to: token, data: encode('safeTransferFrom', [own, evil, 5n, count, '0x']) }),
      answers: dollars,
      warns: ['firstTimeRecipient'],
      shows: [count === 1n ? '− #5 ' : count === 0n ? '− 0 × #5 ' : '− 1,000,000 × #5 '],
    }),
  ),
  {
    name: 'ERC-1155: a million pieces, simulated',
    request: transaction({ to: evil, data: '0x12345678' }),
    answers: chainOf(
      { symbol: 'GOLD', decimals: 0 },
      simulated({
        address: token,
        topics: [singleTopic, topic(evil), topic(own), topic(evil)],
        data: `${word(5)}${word(1_000_000).slice(2)}`,
      }),
    ),
    warns: ['notDecoded'],
    shows: [`− 1,000,000 × #5 ${unknownToken}`],
  },

  // Networks
  {
    name: 'a permit that names no network',
    request: permit(50_000_000_000n, {
      domain: { name: 'USD Coin', version: '1', verifyingContract: token },
      domainType: saltDomain.slice(0, 3),
    }),
    warns: ['everyNetwork', 'unknownContract'],
    shows: ['Valid on every network.', 'Network | Any network', 'Intended for', 'USD Coin'],
    hides: ['Network | Ethereum'],
  },
  {
    name: 'a permit whose salt is no network’s number',
    request: permit(5n, {
      domain: { name: 'X', version: '1', verifyingContract: token, salt: word(987_654_321_987) },
      domainType: saltDomain,
    }),
    warns: ['everyNetwork'],
    shows: ['Network | Any network', word(987_654_321_987)],
  },
  {
    name: 'a meta transaction that names no network',
    request: metaTransaction(encode('transfer', [evil, 5n]), {
      domain: { name: 'X', version: '1', verifyingContract: token },
      domainType: saltDomain.slice(0, 3),
    }),
    warns: ['everyNetwork', 'firstTimeRecipient'],
    shows: ['Network | Any network'],
  },
  {
    name: 'data that name neither network nor contract',
    request: typedData('Mail', {
      types: { Mail: [member('text', 'string')] },
      message: { text: 'hi' },
      domain: { name: 'X' },
      domainType: [member('name', 'string')],
    }),
    warns: ['everyNetwork', 'notDecoded'],
    shows: ['Network | Any network'],
  },

  {
    name: 'a permit whose salt is this network’s number',
    request: permit(5n, {
      domain: { name: 'X', version: '1', verifyingContract: token, salt: word(1) },
      domainType: saltDomain,
    }),
    warns: ['unknownContract'],
    shows: ['Network | Ethereum', word(1)],
    hides: ['Valid on every network.'],
  },

  // Names of tokens
  ...(
    [
      ['ETH', 18, 10n * ether, '+ 10'],
      ['USD\u0421', 6, 10_000_000n, '+ 10'],
      ['\u0415\u0422\u041D', 18, 10n * ether, '+ 10'],
      ['000 USDC', 0, 1n, '+ 1'],
      ['.99 ETH', 0, 1n, '+ 1'],
      ['\u3164', 0, 1n, '+ 1'],
      ['USDC\u3164', 6, 10_000_000n, '+ 10'],
      ['ETH\u2800', 18, 10n * ether, '+ 10'],
      ['claim-usdc.com', 0, 1n, '+ 1'],
      ['\u05D0 100 ETH', 0, 1n, '+ 1'],
      ['usdc', 6, 5_000_000_000n, '+ 5,000'],
      ['P0L', 18, 10n * ether, '+ 10'],
    ] as const
  ).map(
    ([symbol, decimals, raw, drawn]): Row => ({
      name: `a token that calls itself “${symbol}”`,
      ...bringing(symbol, decimals, raw),
      warns: ['notDecoded', 'unknownContract'],
      shows: ['− 1 ETH |', `${drawn} ${unknownToken} |`],
    }),
  ),
  {
    name: 'a token with a name of its own that comes in',
    ...bringing('GOLD', 6, 10_000_000n),
    warns: ['notDecoded'],
    shows: [`+ 10 GOLD ${unknownToken} |`],
  },
  {
    name: 'a token without decimals or symbol that comes in',
    request: transaction({ to: evil, data: '0x12345678' }),
    answers: { ...simulated(moves(token, evil, own, 77n)) },
    warns: ['notDecoded'],
    shows: [`+ 77 (base units) ${unknownToken} |`],
  },
  {
    name: 'a token that the gateway’s list calls USDC at another address',
    ...bringing('USDC', 6, 10_000_000n),
    context: { tokens: [{ address: token, symbol: 'USDC', decimals: 6 }] },
    warns: ['notDecoded'],
    shows: [`+ 10 ${unknownToken} |`],
  },

  // Revocations and increases
  {
    name: 'an increase by nothing, of an allowance that stays',
    request: transaction({ to: token, data: encode('increaseAllowance', [evil, 0n]) }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, allowance: 7_000_000n }),
    warns: ['unknownContract'],
    shows: ['Allow spending more', 'Adds | 0 GOLD', 'New limit | 7 GOLD'],
    hides: ['Revoke permission'],
  },
  {
    name: 'an increase of what is almost everything',
    request: transaction({ to: token, data: encode('increaseAllowance', [evil, 1n]) }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, allowance: 2n ** 112n - 1n }),
    warns: ['unlimitedApproval', 'unknownContract'],
    shows: ['New limit | Unlimited'],
  },
  {
    name: 'an increase without an answer from the chain',
    request: transaction({ to: token, data: encode('increaseAllowance', [evil, 0n]) }),
    warns: ['unknownTotal', 'unknownContract'],
    shows: ['This adds to an earlier limit.', 'New limit | Unknown'],
    hides: ['Revoke permission'],
  },
  {
    name: 'Permit2’s form at another contract',
    request: transaction({ to: evil, data: encode('approveBy2', [token, own, 0n, 0]) }),
    answers: dollars,
    context: { known: { recipients: [], contracts: [evil] } },
    warns: ['notDecoded'],
    shows: [`Contract | ${evil}`],
    hides: ['Revoke permission'],
  },
  {
    name: 'Permit2: the called contract of an approval',
    request: transaction({ to: permit2, data: encode('approveBy2', [token, evil, 5n, 9]) }),
    answers: dollars,
    warns: ['unknownContract'],
    shows: [`Contract | ${permit2}`],
  },

  // Unlimited
  ...[2n ** 112n, 2n ** 128n - 1n, 2n ** 96n - 1n, 2n ** 255n].flatMap((amount): readonly Row[] => [
    {
      name: `an approval of ${amount}, without an answer from the chain`,
      request: transaction({ to: token, data: encode('approve', [evil, amount]) }),
      warns: ['unlimitedApproval'],
      shows: ['Limit | Unlimited'],
    },
    {
      name: `a permit of ${amount}`,
      request: permit(amount),
      warns: ['unlimitedApproval'],
      shows: ['Limit | Unlimited'],
    },
  ]),
  {
    name: 'an approval of the whole supply',
    request: transaction({ to: token, data: encode('approve', [evil, 10n ** 12n]) }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, balance: 5n, supply: 10n ** 12n }),
    warns: ['unlimitedApproval'],
    shows: ['Limit | Unlimited (1,000,000) GOLD'],
  },
  {
    name: 'an approval of more than the owner has',
    request: transaction({ to: token, data: encode('approve', [evil, 10n ** 9n]) }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, balance: 10n ** 9n - 1n, supply: 10n ** 12n }),
    warns: ['coversBalance', 'unknownContract'],
    shows: ['Covers everything you have.', 'Limit | 1,000 GOLD'],
  },
  {
    name: 'a permit of more than the owner has',
    request: permit(10n ** 9n),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, balance: 10n ** 9n - 1n, supply: 10n ** 12n }),
    warns: ['coversBalance', 'unknownContract'],
    shows: ['Covers everything you have.'],
  },

  // Fees, without an answer from the chain
  {
    name: '0.99 ETH for a call without value',
    request: transaction(
      { to: evil, data: '0x12345678' },
      { gas: '30000000', maxFeePerGas: '33000000000', maxPriorityFeePerGas: '1' },
    ),
    warns: ['highFee'],
    shows: ['High fee'],
  },
  {
    name: '0.9 ETH for 2 ETH',
    request: transaction(
      { to: evil, value: 2n * ether },
      { gas: '30000000', maxFeePerGas: '30000000000', maxPriorityFeePerGas: '1' },
    ),
    warns: ['highFee'],
    shows: ['High fee'],
  },

  {
    name: '0.6 ETH at the chain’s own price',
    request: transaction(
      { to: evil, value: 2n * ether },
      { gas: '30000000', maxFeePerGas: '20000000000', maxPriorityFeePerGas: '1' },
    ),
    answers: {
      eth_gasPrice: () => '0x4a817c800',
      eth_simulateV1: () => [{ calls: [{ status: '0x1', gasUsed: '0x1312d00', logs: [] }] }],
    },
    warns: ['firstTimeRecipient'],
    shows: ['Max network fee | 0.6 ETH'],
    hides: ['High fee'],
  },

  // Recipients
  {
    name: 'another account’s tokens for a look-alike',
    request: transaction({ to: token, data: encode('transferFrom', [evil, likeFriend, 5n]) }),
    context: { known: { recipients: [friend], contracts: [token] } },
    warns: ['lookalikeRecipient', 'firstTimeRecipient'],
    shows: ['Look-alike address.', new RegExp(`to \\| ${likeFriend}`, 'i')],
  },
  {
    name: 'another account’s tokens for the owner',
    request: transaction({ to: token, data: encode('transferFrom', [evil, own, 5n]) }),
    context: { known: { recipients: [], contracts: [token] } },
    warns: [],
    shows: ['| You'],
  },

  // Messages
  ...[`0x${'ab'.repeat(32)}`, `0x${'ab'.repeat(33)}`, hexOf('pay \u202eecila')].map(
    (hex): Row => ({
      name: `a message of bytes, ${hex.slice(0, 10)} of ${hex.length / 2 - 1}`,
      request: message(hex),
      warns: ['notDecoded'],
      shows: ['We couldn’t fully read this request.', hex],
    }),
  ),
  ...(
    [
      ['with other line ends', signIn(evil, `\nResources:\n- ${everything}`).replaceAll('\n', '\r\n')],
      ['with a space behind the account', signIn(`${evil} `)],
      ['that ends with its account', `app.example wants you to sign in with your Ethereum account:\n${evil}`],
      ['whose resources begin with another sign', signIn(own, `\nResources:\n* ${everything}`)],
      ['whose resources are indented', signIn(own, `\nResources:\n - ${everything}`)],
      ['with a second URI in small letters', signIn().replace('Version', 'uri: https://evil.example\nVersion')],
    ] as const
  ).map(
    ([name, given]): Row => ({
      name: `a sign-in ${name}`,
      request: message(hexOf(given)),
      warns: ['notDecoded'],
      shows: ['We couldn’t fully read this request.'],
    }),
  ),
  ...[signIn(), signIn(own, '\nResources:\n- https://app.example/terms'), 'Hello', ''].map(
    (given): Row => ({
      name: `no warning: a message “${given.slice(0, 8)}” of ${given.length} letters`,
      request: message(hexOf(given)),
      warns: [],
      shows: [],
      hides: ['We couldn’t fully read'],
    }),
  ),

  // Ends
  ...(
    [
      ['DAI’s permit without an end', daiPermit('0', true), 'Never'],
      ['Permit2: for the block of a signature that has no end', permitSingle('0', `${2n ** 256n - 1n}`), 'Never'],
      [
        'Permit2: a batch for the block of a signature that ends in 2096',
        permitSingle('0', '4000000000', 'PermitBatch'),
        /\w+ \d+, 2096/,
      ],
      [
        'Seaport: an order until 2096',
        seaportOrder(
          [{ type: 2, of: token, id: 5n, amount: 1n }],
          [{ type: 0, amount: ether, to: own }],
          seaport,
          '4000000000',
        ),
        /\w+ \d+, 2096/,
      ],
      ['CoW: an order until 2106', cowOrder(4_294_967_295), /\w+ \d+, 2106/],
      ['0x: a limit order until 2096', zeroExOrder('LimitOrder', 'expiry', 4_000_000_000n), /\w+ \d+, 2096/],
      [
        '0x: an order over the counter until 2096',
        zeroExOrder('OtcOrder', 'expiryAndNonce', (4_000_000_000n << 192n) + 7n),
        /\w+ \d+, 2096/,
      ],
    ] as const
  ).map(
    ([name, request, end]): Row => ({
      name,
      request,
      warns: ['longExpiry'],
      shows: ['This stays valid for a long time.', 'Expires | ', end],
      hides: ['1970'],
    }),
  ),
  {
    name: 'Permit2: an allowance for the block of the call',
    request: transaction({ to: permit2, data: encode('approveBy2', [usdc, evil, 5_000_000n, 0]) }),
    answers: dollars,
    warns: ['unknownContract'],
    shows: ['Limit | 5 USDC'],
    hides: ['1970'],
  },
  {
    name: 'DAI’s permit taken back',
    request: daiPermit('0', false),
    answers: dollars,
    warns: [],
    shows: ['Limit | 0 GOLD'],
    hides: ['This stays valid'],
  },

  // What a chain cannot talk away
  {
    name: 'an unlimited approval of a listed token that the chain calls a collection',
    request: transaction({ to: usdc, data: encode('approve', [evil, 2n ** 256n - 1n]) }),
    answers: itemsOnly,
    warns: ['unlimitedApproval'],
    shows: ['Limit | Unlimited USDC'],
    hides: ['#'],
  },
  {
    name: 'a large approval of a listed token that the chain calls a collection',
    request: transaction({ to: usdc, data: encode('approve', [evil, 2n ** 112n]) }),
    answers: itemsOnly,
    warns: ['unlimitedApproval'],
    shows: ['Unlimited spending.'],
    hides: ['#'],
  },
  {
    name: 'the largest number of a token that the chain calls a collection',
    request: transaction({ to: token, data: encode('approve', [evil, 2n ** 256n - 1n]) }),
    answers: itemsOnly,
    warns: ['unlimitedApproval'],
    shows: ['Limit | Unlimited'],
    hides: ['#'],
  },
  {
    name: 'an amount of a listed token that the chain calls a collection',
    request: transaction({ to: usdc, data: encode('transferFrom', [own, evil, 50_000_000_000n]) }),
    answers: itemsOnly,
    warns: ['firstTimeRecipient'],
    shows: ['− 50,000 USDC'],
    hides: ['#'],
  },

  // Sums
  {
    name: 'an increase after an approval of the same batch',
    request: operation(
      { to: token, data: encode('approve', [evil, 600_000_000n]) },
      { to: token, data: encode('increaseAllowance', [evil, 600_000_000n]) },
    ),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, allowance: 7n, balance: 10n ** 9n, supply: 10n ** 15n }),
    warns: ['coversBalance'],
    shows: ['New limit | 1,200 GOLD'],
  },
  {
    name: 'two increases of the same batch',
    request: operation(
      { to: token, data: encode('increaseAllowance', [evil, 600_000_000n]) },
      { to: token, data: encode('increaseAllowance', [evil, 600_000_000n]) },
    ),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, allowance: 1_000_000n, balance: 10n ** 12n, supply: 10n ** 15n }),
    warns: ['unknownContract'],
    shows: ['New limit | 601 GOLD', 'New limit | 1,201 GOLD'],
  },
  {
    name: 'an approval of exactly the balance',
    request: transaction({ to: token, data: encode('approve', [evil, 10n ** 9n]) }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, balance: 10n ** 9n, supply: 10n ** 12n }),
    warns: ['coversBalance'],
    shows: ['Covers everything you have.'],
  },
  {
    name: 'a permit of exactly the balance',
    request: permit(10n ** 9n),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, balance: 10n ** 9n, supply: 10n ** 12n }),
    warns: ['coversBalance'],
    shows: ['Covers everything you have.'],
  },
  {
    name: 'an approval of exactly the balance for a listed router',
    request: transaction({ to: token, data: encode('approve', [router, 10n ** 9n]) }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, balance: 10n ** 9n, supply: 10n ** 12n }),
    warns: [],
    shows: ['Limit | 1,000 GOLD'],
    hides: ['Covers everything'],
  },
  {
    name: 'an approval of more than the balance for a listed router',
    request: transaction({ to: token, data: encode('approve', [router, 10n ** 9n + 1n]) }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, balance: 10n ** 9n, supply: 10n ** 12n }),
    warns: ['coversBalance'],
    shows: ['Covers everything you have.'],
  },

  // Simulations that contradict the request
  ...(
    [
      ['a gain', [moves(usdc, evil, own, 10_000_000_000n)]],
      ['nothing', []],
      ['less', [moves(nativeLogger, own, friend, 1n)]],
    ] as const
  ).map(
    ([name, logs]): Row => ({
      name: `a payment of 5 ETH of which the chain simulates ${name}`,
      request: transaction({ to: friend, value: 5n * ether }),
      answers: chainOf({ symbol: 'GOLD', decimals: 6 }, simulated(...logs)),
      context: { known: { recipients: [friend], contracts: [] } },
      warns: [],
      shows: ['| − 5 ETH | Couldn’t simulate this request |'],
      hides: [/\+ 10,000/, 'No changes', 'Simulated on'],
    }),
  ),
  {
    name: 'a transfer of which the chain simulates another token',
    request: transaction({ to: usdc, data: encode('transfer', [evil, 50_000_000_000n]) }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6 }, simulated(moves(token, own, evil, 1n))),
    warns: ['firstTimeRecipient'],
    shows: ['| − 50,000 USDC | Couldn’t simulate this request |'],
  },
  {
    name: 'a swap of which the chain simulates only a gain',
    request: transaction({
      to: router,
      value: ether,
      data: encode('swapExactETHForTokens', [5_000n * 10n ** 6n, [weth, usdc], own, 9_999_999_999n]),
    }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6 }, simulated(moves(usdc, router, own, 10n ** 12n))),
    warns: [],
    shows: ['| − 1 ETH | Swap |'],
    hides: ['+ 1,000,000'],
  },
  {
    name: 'an approval of which the chain simulates a gain',
    request: transaction({ to: usdc, data: encode('approve', [evil, 5_000_000n]) }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6 }, simulated(moves(usdc, evil, own, 10n ** 12n))),
    warns: ['unknownContract'],
    shows: ['| Allow spending | 5 USDC | We can’t tell what will change |'],
    hides: ['+ 1,000,000'],
  },
  {
    name: 'a payment that the chain simulates as it is',
    request: transaction({ to: friend, value: ether }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6 }, simulated(moves(nativeLogger, own, friend, ether))),
    context: { known: { recipients: [friend], contracts: [] } },
    warns: [],
    shows: ['| − 1 ETH | Simulated on Ethereum just now |'],
  },
  {
    name: 'a payment to the owner, of which the chain simulates nothing',
    request: transaction({ to: own, value: ether }),
    answers: chainOf({ symbol: 'GOLD', decimals: 6 }, simulated()),
    warns: [],
    shows: ['No changes to your balances'],
  },
  {
    name: 'a swap that the chain simulates as it is',
    request: transaction({
      to: router,
      value: ether,
      data: encode('swapExactETHForTokens', [5_000n * 10n ** 6n, [weth, usdc], own, 9_999_999_999n]),
    }),
    answers: chainOf(
      { symbol: 'GOLD', decimals: 6 },
      simulated(moves(nativeLogger, own, router, ether), moves(usdc, router, own, 5_010n * 10n ** 6n)),
    ),
    context: { known: { recipients: [], contracts: [router] } },
    warns: [],
    shows: ['| − 1 ETH | + 5,010 USDC | Simulated on Ethereum just now |'],
  },

  // Several transfers
  {
    name: 'two tokens and ETH in one batch',
    request: operation(
      { to: token, data: encode('transfer', [evil, 5_000_000n]) },
      { to: usdc, data: encode('transfer', [evil, 7_000_000n]) },
      { to: usdc, data: encode('transfer', [friend, 1_000_000n]) },
      { to: evil, value: ether },
    ),
    answers: dollars,
    warns: ['firstTimeRecipient'],
    shows: [`| − 5 GOLD ${unknownToken} | − 8 USDC | − 1 ETH | Couldn’t simulate`],
    hides: ['4 steps'],
  },
  {
    name: 'a transfer and an allowance in one batch',
    request: operation(
      { to: token, data: encode('transfer', [evil, 5_000_000n]) },
      { to: usdc, data: encode('approve', [evil, 7_000_000n]) },
    ),
    answers: dollars,
    warns: ['firstTimeRecipient', 'unknownContract'],
    shows: ['| 2 steps | We can’t tell what will change |'],
  },

  // Swaps at a listed router
  ...([0n, 1n] as const).map(
    (least): Row => ({
      name: `a swap for at least ${least}`,
      request: swapOf(least),
      answers: swapped(3_000n * 10n ** 6n),
      context: usedRouter,
      warns: ['lowMinimum'],
      shows: ['You may get much less.', least === 0n ? 'You receive at least | 0 USDC' : '0.000001 USDC'],
    }),
  ),
  {
    name: 'a swap for at least nothing, without an answer of the chain',
    request: swapOf(0n),
    context: usedRouter,
    warns: ['lowMinimum'],
    shows: ['You may get much less.'],
  },
  {
    name: 'a swap for at least a third of what it brings',
    request: swapOf(1_000n * 10n ** 6n),
    answers: swapped(3_000n * 10n ** 6n),
    context: usedRouter,
    warns: ['lowMinimum'],
    shows: ['+ 3,000 USDC', 'You may get much less.'],
  },
  {
    name: 'a swap with a usual minimum',
    request: swapOf(2_970n * 10n ** 6n),
    answers: swapped(3_000n * 10n ** 6n),
    context: usedRouter,
    warns: [],
    shows: ['+ 3,000 USDC'],
    hides: ['You may get', 'You get nothing', 'New recipient'],
  },
  ...[friend, evil, zero, likeOwn].map(
    (to): Row => ({
      name: `a swap for ${to}`,
      request: swapOf(3_000n * 10n ** 6n, to),
      context: usedRouter,
      warns: ['givesForNothing'],
      shows: ['You get nothing for this.', 'What this swap pays goes to another account.'],
    }),
  ),

  // Addresses like the owner's
  ...(
    [
      ['a payment', transaction({ to: likeOwn, value: ether })],
      ['a transfer', transaction({ to: token, data: encode('transfer', [likeOwn, 5n]) })],
      ['a swap', swapOf(3_000n * 10n ** 6n, likeOwn)],
      ['EIP-3009', transferByAuthorization({ to: likeOwn })],
      [
        'an order',
        seaportOrder([{ type: 2, of: token, id: 5n, amount: 1n }], [{ type: 0, amount: ether, to: likeOwn }]),
      ],
    ] as const
  ).map(
    ([name, request]): Row => ({
      name: `${name} for an address like the owner’s`,
      request,
      warns: ['lookalikeRecipient', 'firstTimeRecipient'],
      shows: ['Look-alike address.', 'your own:', own],
    }),
  ),

  // The account itself
  ...(
    [
      ['a call that is not read', '0x12345678'],
      ['a new module (ERC-7579)', encode('installModule', [1n, evil, '0x'])],
      ['another threshold', encode('changeThreshold', [1n])],
      ['a module, with a byte too many', `${encode('enableModule', [evil])}00`],
    ] as const
  ).flatMap(([name, data]): readonly Row[] => [
    {
      name: `of the own smart account to itself: ${name}`,
      request: operation({ to: own, data }),
      context: { known: { recipients: [], contracts: [own] } },
      warns: ['givesControl', 'notDecoded'],
      shows: ['This may give away control of your account.'],
    },
    {
      name: `of a Safe to itself: ${name}`,
      request: safeTx({ to: friend, data }),
      context: { known: { recipients: [], contracts: [friend] } },
      warns: ['givesControl', 'notDecoded'],
      shows: ['This may give away control of your account.'],
    },
  ]),
  {
    name: 'a plain account’s data to itself',
    request: transaction({ to: own, data: '0x12345678' }),
    context: { known: { recipients: [], contracts: [own] } },
    warns: ['notDecoded'],
    shows: [],
    hides: ['control of your account'],
  },

  // Another account of the owner's
  ...(
    [
      ['tokens', encode('transferFrom', [own2, evil, 5_000_000n]), /− 5 GOLD/],
      ['an item', encode('safeTransferItem', [own2, evil, 7n]), /− #7/],
      ['pieces', encode('safeTransferFrom', [own2, evil, 7n, 3n, '0x']), /− 3 × #7/],
    ] as const
  ).map(
    ([name, data, taken]): Row => ({
      name: `${name} of another account of the owner’s`,
      request: transaction({ to: token, data }),
      answers: dollars,
      context: { own: [own, own2], known: { recipients: [], contracts: [token] } },
      warns: ['firstTimeRecipient'],
      shows: [taken, `To | ${evil}`],
    }),
  ),
  {
    name: 'a sent permit of another account of the owner’s',
    request: transaction({
      to: token,
      data: encode('permit', [own2, evil, 2n ** 256n - 1n, 2n ** 256n - 1n, 27, word(1), word(2)]),
    }),
    answers: dollars,
    context: { own: [own, own2], known: { recipients: [], contracts: [token] } },
    warns: ['unlimitedApproval', 'longExpiry', 'unknownContract'],
    shows: ['Unlimited spending.', `Spender | ${evil}`],
  },
  {
    name: 'a plain account’s order to the smart account that it owns',
    request: transaction({ to: own2, data: '0x12345678' }),
    context: { own: [own, own2], known: { recipients: [], contracts: [own2] } },
    warns: ['givesControl', 'notDecoded'],
    shows: ['This may give away control of your account.'],
  },
  ...(
    [
      ['a meta transaction', metaTransaction(encode('transfer', [evil, 5n]))],
      ['a forwarded call', forwardRequest({ to: friend, value: 1n })],
      [
        'a forwarded call with an end of 0',
        forwardRequest({ to: friend, value: 1n }, {}, [member('deadline', 'uint48')], '0'),
      ],
    ] as const
  ).map(
    ([name, request]): Row => ({
      name: `without an end: ${name}`,
      request,
      warns: ['neverExpires'],
      shows: ['This doesn’t expire.'],
    }),
  ),
  {
    name: 'a forwarded call until 2096',
    request: forwardRequest({ to: friend, value: 1n }, {}, [member('deadline', 'uint48')], '4000000000'),
    warns: ['longExpiry'],
    shows: ['This stays valid for a long time.'],
  },
  {
    name: 'a forwarded call that ends soon',
    request: forwardRequest({ to: friend, value: 1n }, {}, [member('deadline', 'uint48')], soon),
    context: { known: { recipients: [friend], contracts: [evil] } },
    warns: [],
    shows: ['− 0.000000000000000001 ETH'],
    hides: ['This stays valid', 'expire.'],
  },
  ...(
    [
      ['only a gain', [moves(usdc, evil, own, 10_000_000_000n)], '| − 5 ETH | + 10,000 USDC |'],
      ['1 wei of its value', [moves(nativeLogger, own, evil, 1n)], '| − 5 ETH |'],
      ['nothing', [], '| − 5 ETH |'],
      [
        'a token instead of its value',
        [moves(usdc, own, evil, 10_000_000_000n)],
        '| − 5 ETH | − 10,000 USDC | Simulated on Ethereum. There may be other changes |',
      ],
      [
        'four fifths of its value',
        [moves(nativeLogger, own, evil, 4n * ether), moves(usdc, evil, own, 10_000_000_000n)],
        '| − 4 ETH | + 10,000 USDC |',
      ],
    ] as const
  ).map(
    ([name, logs, drawn]): Row => ({
      name: `a call with 5 ETH of which the chain simulates ${name}`,
      request: transaction({ to: evil, value: 5n * ether, data: '0x12345678' }),
      answers: chainOf({ symbol: 'GOLD', decimals: 6 }, simulated(...logs)),
      warns: ['notDecoded'],
      shows: [drawn],
    }),
  ),

  // The amount of an allowance, above the details
  {
    name: 'a limited approval',
    request: transaction({ to: usdc, data: encode('approve', [evil, 50_000_000_000n]) }),
    answers: dollars,
    context: { known: { recipients: [], contracts: [evil] } },
    warns: [],
    shows: ['| Allow spending | 50,000 USDC |'],
  },
  {
    name: 'a limited permit',
    request: permit(50_000_000_000n),
    answers: dollars,
    context: { known: { recipients: [], contracts: [evil] } },
    warns: [],
    shows: [`| Allow spending (signature) | 50,000 GOLD ${unknownToken} | Limit |`],
  },
  {
    name: 'two approvals of one batch',
    request: operation(
      { to: usdc, data: encode('approve', [evil, 50_000_000_000n]) },
      { to: token, data: encode('increaseAllowance', [evil, 7_000_000n]) },
    ),
    answers: chainOf({ symbol: 'GOLD', decimals: 6, allowance: 1_000_000n }),
    warns: ['unknownContract'],
    shows: [`| 2 steps | 50,000 USDC | 8 GOLD ${unknownToken} |`],
  },
]
