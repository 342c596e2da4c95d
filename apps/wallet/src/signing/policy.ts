import { isSameAddress } from '@postern/chains/same-address'
import { type CaipNetworkId, classifyRpcMethod, type Namespace, type WalletAddresses } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { namespaceOf } from './networks'

export type AdmittedRequest = {
  readonly method: string
  readonly params: unknown
  readonly risk: 'safe' | 'notSafe'
  readonly namespace: Namespace
}

/** @throws {Failure} RPC_NOT_ALLOWED or METHOD_NOT_FOUND for an unlisted method */
export function admit(method: string, params: unknown): AdmittedRequest {
  const risk = classifyRpcMethod(method)
  if (risk === 'refused') throw new Failure('RPC_NOT_ALLOWED')
  if (risk === 'unknown') throw new Failure('METHOD_NOT_FOUND')
  return { method, params, risk, namespace: namespaceOfMethod(method) }
}

function namespaceOfMethod(method: string): Namespace {
  if (method.startsWith('bip122_')) return 'bip122'
  if (/^(eth|wallet|personal)_/.test(method)) return 'eip155'
  return 'solana'
}

/**
 * Denies by default, before a request reaches a chain.
 *
 * 1. A method in neither table is rejected (`admit`).
 * 2. A method of one namespace on another's network is CHAIN_DISCONNECTED.
 * 3. Every account that a request names to sign or pay must be the user's own, otherwise UNAUTHORIZED; personal_sign
 *    needs only one, because its message can look like an address. Unknown params are left to the chain.
 */
export function checkRequest(
  { namespace, method, params }: AdmittedRequest,
  networkId: CaipNetworkId,
  own: OwnAccounts,
): void {
  if (namespaceOf(networkId) !== namespace) throw new Failure('CHAIN_DISCONNECTED')
  const named = namedAccounts(method, params)
  const isOurs = (address: string) => isOwn(address, namespace, own)
  const isAllowed = method === 'personal_sign' ? named.length === 0 || named.some(isOurs) : named.every(isOurs)
  if (!isAllowed) throw new Failure('UNAUTHORIZED')
}

/** Whether the request names accounts, and all are these. */
export function namesOwn({ namespace, method, params }: AdmittedRequest, own: OwnAccounts): boolean {
  const named = namedAccounts(method, params)
  return named.length > 0 && named.every((address) => isOwn(address, namespace, own))
}

export type OwnAccounts = {
  readonly addresses: WalletAddresses
  /** Null on chains without one. */
  readonly smartAccount: string | null
  /** The address on the request's Bitcoin network. */
  readonly bitcoin: string | null
}

/** Null if the request names none. */
export function namedEvmAccount(method: string, params: unknown, own: OwnAccounts): 'eoa' | 'smartAccount' | null {
  for (const address of namedAccounts(method, params)) {
    if (isSameAddress(address, own.addresses.eip155)) return 'eoa'
    if (own.smartAccount !== null && isSameAddress(address, own.smartAccount)) return 'smartAccount'
  }
  return null
}

function isOwn(address: string, namespace: Namespace, { addresses, smartAccount, bitcoin }: OwnAccounts): boolean {
  switch (namespace) {
    case 'eip155':
      return isSameAddress(address, addresses.eip155) || (smartAccount !== null && isSameAddress(address, smartAccount))
    case 'solana':
      return address === addresses.solana
    case 'bip122':
      return address.toLowerCase() === bitcoin
  }
}

const evmAddress = /^0x[0-9a-fA-F]{40}$/

/** The accounts that a request claims as its own. */
function namedAccounts(method: string, params: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(params) ? params : [params]
  const [first, second] = list
  switch (method) {
    case 'personal_sign':
      return [first, second].filter(isText).filter((value) => evmAddress.test(value))
    case 'eth_signTypedData_v4':
      return [first].filter(isText)
    case 'eth_sendTransaction':
    case 'wallet_sendCalls':
      return texts(first, ['from'])
    case 'eth_sendUserOperation':
      return texts(first, ['sender'])
    case 'wallet_grantPermissions':
    case 'wallet_revokePermissions':
      return texts(first, ['account', 'address', 'from'])
    case 'solana_signMessage':
    case 'solana_signTransaction':
    case 'solana_signAllTransactions':
    case 'solana_signAndSendTransaction':
      return texts(first, ['pubkey'])
    case 'bip122_signMessage':
      return texts(first, ['address'])
    case 'bip122_sendTransfer':
      return texts(first, ['account'])
    default:
      return []
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function texts(value: unknown, names: readonly string[]): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const entries = new Map<string, unknown>(Object.entries(value))
  return names.map((name) => entries.get(name)).filter(isText)
}
