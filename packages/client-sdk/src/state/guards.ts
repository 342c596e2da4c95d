/**
 * By hand: a schema library would outweigh this package.
 * `guards.test.ts` compares each guard with its protocol schema.
 */
import type * as protocol from '@postern/protocol'
import { byNamespace, isNamespace } from '@postern/protocol/namespaces'
import { isCaipNetworkId } from '@postern/protocol/namespaces/facts'
import type { Connection, Connections, Namespace, WalletInfos } from '../types/index'

/** An EVM address is `0x…`. */
export type HostState = Omit<protocol.HostState, 'connections'> & { readonly connections: Connections }

export type Check = (value: unknown) => boolean
type Shape = Readonly<Record<string, Check>>

/** Code units. */
export const text =
  (maxLength = Number.POSITIVE_INFINITY, minLength = 0): Check =>
  (value) =>
    typeof value === 'string' && value.length >= minLength && value.length <= maxLength
export const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)
export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
export const list =
  (check: Check, minLength = 0, maxLength = Number.POSITIVE_INFINITY): Check =>
  (value) =>
    Array.isArray(value) &&
    value.length >= minLength &&
    value.length <= maxLength &&
    Array.from(value).every((each) => check(each))
export const integer =
  (min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER): Check =>
  (value) =>
    Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max
export const anything: Check = () => true

/** Exactly these keys; `optional` ones may be absent or undefined. */
export const object =
  <T>(shape: Shape) =>
  (value: unknown): value is T =>
    isRecord(value) &&
    Object.keys(value).every((key) => Object.hasOwn(shape, key)) &&
    Object.entries(shape).every(([key, check]) => check(value[key]))

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const id = text(64, 1)
const namespace: Check = isNamespace
export const networkId: Check = isCaipNetworkId

const httpUrl: Check = (value) => {
  if (typeof value !== 'string' || !/^https?:\/\//i.test(value.trim())) return false
  try {
    return new URL(value.trim()) !== null
  } catch {
    return false
  }
}

const account = object({
  namespace,
  address: text(128, 1),
  type: oneOf('eoa', 'payment', 'smartAccount', 'ordinals'),
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

export function isConnection<N extends Namespace>(value: unknown): value is Connection<N> {
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

const connectionOrNone = optional((value) => isConnection(value))
export const isHostState = object<HostState>({
  seq: integer(0),
  open: oneOf(true, false),
  themeMode: oneOf('light', 'dark'),
  networks: list(network),
  activeNetworkId: (value) => value === null || networkId(value),
  connections: object(byNamespace(() => connectionOrNone)),
})

const walletInfo = optional(
  object({
    name: text(),
    icon: optional(text(65_536)),
    social: optional(oneOf('google', 'github', 'apple', 'facebook', 'x', 'discord')),
  }),
)
export const isWalletInfos = object<WalletInfos>(byNamespace(() => walletInfo))
