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

/** Whether the wallet has anything to do with the method, and on which chain. @throws {Failure} RPC_NOT_ALLOWED for whatever nobody listed. */
export function admit(method: string, params: unknown): AdmittedRequest {
  const risk = classifyRpcMethod(method)
  if (risk === 'refused') throw new Failure('RPC_NOT_ALLOWED')
  return { method, params, risk, namespace: namespaceOfMethod(method) }
}

/** Names of the tables only. */
function namespaceOfMethod(method: string): Namespace {
  if (method.startsWith('bip122_')) return 'bip122'
  if (/^(eth|wallet|personal)_/.test(method)) return 'eip155'
  return 'solana'
}

/**
 * Default deny (DESIGN §4), before anything of a request reaches a chain.
 *
 * 1. A method that is in neither table is refused (`admit`).
 * 2. A method of one namespace is not asked of another's network: CHAIN_DISCONNECTED.
 * 3. Every account that a request names to sign or pay is one of the owner's own, or it is UNAUTHORIZED; of personal_sign one is enough, whose message can look
 *    like an address. What is not understood is left to the chain, which checks its own parameters.
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

export type OwnAccounts = {
  readonly addresses: WalletAddresses
  /** The smart account's address, where the chain has them. */
  readonly smartAccount: string | null
  /** Of the Bitcoin network that the request is for. */
  readonly bitcoin: string | null
}

/** Which of the two EVM accounts a request names; null where it names none. */
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

/** The accounts that a not-safe request names as its own. */
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
