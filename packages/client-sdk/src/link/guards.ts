/**
 * What may come from the host, checked by hand: a schema library would cost more than the rest of this package.
 * `guards.test.ts` holds each guard equivalent to its schema in the protocol, over generated values.
 */
import type { Connection, Envelope, HostState, LinkError, PageParams, Refusal, Welcome } from '@postern/protocol'

type Check = (value: unknown) => boolean
type Shape = Readonly<Record<string, Check>>

/** Strings up to `longest` code units. */
const text =
  (longest = Number.POSITIVE_INFINITY, shortest = 0): Check =>
  (value) =>
    typeof value === 'string' && value.length >= shortest && value.length <= longest
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const list =
  (check: Check, shortest = 0): Check =>
  (value) =>
    Array.isArray(value) && value.length >= shortest && Array.from(value).every(check)
const integer =
  (least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER): Check =>
  (value) =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
const anything: Check = () => true

/** An object with these keys and no other. `optional` keys may be absent or undefined. */
const object =
  (shape: Shape): Check =>
  (value) =>
    isRecord(value) &&
    Object.keys(value).every((key) => Object.hasOwn(shape, key)) &&
    Object.entries(shape).every(([key, check]) => check(value[key]))

function isRecord(value: unknown): value is Record<string, unknown> {
  return Object.prototype.toString.call(value) === '[object Object]'
}

const id = text(64, 1)
const namespace = oneOf('eip155', 'solana', 'bip122')
const networkId: Check = (value) =>
  typeof value === 'string' && /^(eip155:(0|[1-9]\d{0,15})|(solana|bip122):[-\w]{1,32})$/.test(value)

const httpUrl: Check = (value) => {
  if (typeof value !== 'string') return false
  try {
    return /^https?:$/.test(new URL(value.trim()).protocol)
  } catch {
    return false
  }
}

const account = object({
  namespace,
  address: text(128, 1),
  type: oneOf('eoa', 'payment', 'smartAccount'),
  publicKey: optional(text()),
  path: optional(text()),
})

const connector = object({
  id: text(256, 1),
  name: text(),
  type: oneOf('EXTERNAL', 'WALLET_CONNECT', 'INJECTED', 'ANNOUNCED', 'AUTH', 'MULTI_CHAIN', 'ID_AUTH'),
  imageUrl: optional(text(65_536)),
  pageWallet: optional(id),
})

const connections: Readonly<Record<string, Check>> = {
  disconnected: object({ status: anything }),
  connected: object({
    status: anything,
    connector,
    accounts: list(account, 1),
    networkId,
    unsupported: optional(oneOf(true)),
  }),
}
const pendingConnection = object({
  status: oneOf('connecting', 'reconnecting'),
  connector: optional(connector),
  accounts: optional(list(account)),
  networkId: optional(networkId),
})

export function isConnection(value: unknown): value is Connection {
  if (!isRecord(value) || typeof value.status !== 'string') return false
  const check = Object.hasOwn(connections, value.status) ? connections[value.status] : pendingConnection
  return check?.(value) === true
}

const network = object({
  id: (value) => typeof value === 'string' || integer()(value),
  name: text(),
  chainNamespace: namespace,
  caipNetworkId: networkId,
  nativeCurrency: object({ name: text(), symbol: text(), decimals: integer(0, 255) }),
  rpcUrls: list(httpUrl),
  blockExplorers: list(object({ name: text(), url: httpUrl })),
  testnet: oneOf(true, false),
  deprecatedCaipNetworkId: optional(networkId),
  assets: optional(object({ imageId: optional(text()), imageUrl: optional(text()) })),
})

const connectionOrNone = optional(isConnection)
const hostState = object({
  seq: integer(0),
  open: oneOf(true, false),
  themeMode: oneOf('light', 'dark'),
  networks: list(network),
  activeNetworkId: (value) => value === null || networkId(value),
  connections: object({ eip155: connectionOrNone, solana: connectionOrNone, bip122: connectionOrNone }),
})

export function isHostState(value: unknown): value is HostState {
  return hostState(value)
}

const linkError = object({ code: id, message: text(), rpc: optional(integer()), data: anything })

export function isLinkError(value: unknown): value is LinkError {
  return linkError(value)
}

const welcome = object({ kind: oneOf('welcome'), v: integer(1), host: text() })

export function isWelcome(value: unknown): value is Welcome {
  return welcome(value)
}

const refusal = object({ kind: oneOf('refused'), error: linkError, origin: text() })

export function isRefusal(value: unknown): value is Refusal {
  return refusal(value)
}

const head = { v: oneOf(1), id, kind: anything }
const envelopes: Readonly<Record<string, Check>> = {
  request: object({ ...head, method: text(64), params: anything }),
  result: object({ ...head, result: anything }),
  error: object({ ...head, error: linkError }),
  cancel: object(head),
  event: object({ ...head, event: text(64), data: anything }),
}

export function isEnvelope(value: unknown): value is Envelope {
  if (!isRecord(value) || typeof value.kind !== 'string') return false
  return Object.hasOwn(envelopes, value.kind) && envelopes[value.kind]?.(value) === true
}

const walletRequest = object({
  wallet: id,
  method: oneOf(
    'eth_accounts',
    'eth_requestAccounts',
    'eth_chainId',
    'wallet_switchEthereumChain',
    'wallet_addEthereumChain',
    'wallet_revokePermissions',
    'personal_sign',
    'eth_signTypedData_v4',
    'eth_sendTransaction',
  ),
  params: optional(list(anything)),
})

export function isWalletRequest(value: unknown): value is PageParams<'walletRequest'> {
  return walletRequest(value)
}

const store = object({ key: text(128, 1), value: (value) => value === null || text(262_144)(value) })

export function isStore(value: unknown): value is PageParams<'store'> {
  return store(value)
}
