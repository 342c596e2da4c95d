import { isSameAddress } from '@postern/chains/same-address'
import {
  type CaipNetworkId,
  classifyRpcMethod,
  factsOfMethod,
  type MethodFacts,
  type Namespace,
  type WalletAddresses,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { namespaceOf } from './networks'

/** `facts`: of a safe or a not-safe method. */
export type AdmittedRequest = { readonly params: unknown; readonly facts: MethodFacts }

/** @throws {Failure} RPC_NOT_ALLOWED or METHOD_NOT_FOUND for an unlisted method */
export function admit(method: string, params: unknown): AdmittedRequest {
  const facts = factsOfMethod(method)
  const risk = classifyRpcMethod(method)
  if (risk === 'refused') throw new Failure('RPC_NOT_ALLOWED')
  if (facts === undefined || risk === 'unknown') throw new Failure('METHOD_NOT_FOUND')
  return { params, facts }
}

/**
 * Denies by default, before a request reaches a chain.
 *
 * 1. A method that is neither safe nor in need of approval is rejected (`admit`).
 * 2. A method of one namespace on another's network is CHAIN_DISCONNECTED.
 * 3. Every account that a request names to sign or pay must be the user's own, otherwise UNAUTHORIZED; personal_sign
 *    needs only one, because its message can look like an address. Unknown params are left to the chain.
 */
export function checkRequest({ facts, params }: AdmittedRequest, networkId: CaipNetworkId, own: OwnAccounts): void {
  const { namespace, names } = facts
  if (namespaceOf(networkId) !== namespace) throw new Failure('CHAIN_DISCONNECTED')
  const named = namedAccounts(names, params)
  const isOurs = (address: string) => isOwn(address, namespace, own)
  const mayBeMessage = names !== undefined && 'paramOrMessage' in names
  const isAllowed = mayBeMessage ? named.length === 0 || named.some(isOurs) : named.every(isOurs)
  if (!isAllowed) throw new Failure('UNAUTHORIZED')
}

/** Whether the request names accounts, and all are these. */
export function namesOwn({ facts, params }: AdmittedRequest, own: OwnAccounts): boolean {
  const named = namedAccounts(facts.names, params)
  return named.length > 0 && named.every((address) => isOwn(address, facts.namespace, own))
}

export type OwnAccounts = {
  readonly addresses: WalletAddresses
  /** Null on chains without one. */
  readonly smartAccount: string | null
  /** The address on the request's Bitcoin network. */
  readonly bitcoin: string | null
}

/** Null if the request names none. */
export function namedEvmAccount({ facts, params }: AdmittedRequest, own: OwnAccounts): 'eoa' | 'smartAccount' | null {
  for (const address of namedAccounts(facts.names, params)) {
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
function namedAccounts(names: MethodFacts['names'], params: unknown): readonly string[] {
  if (names === undefined) return []
  const list: readonly unknown[] = Array.isArray(params) ? params : [params]
  if ('param' in names) return [list[names.param]].filter(isText)
  if ('fields' in names) return texts(list[0], names.fields)
  return names.paramOrMessage
    .map((index) => list[index])
    .filter(isText)
    .filter((value) => evmAddress.test(value))
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function texts(value: unknown, names: readonly string[]): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const entries = new Map<string, unknown>(Object.entries(value))
  return names.map((name) => entries.get(name)).filter(isText)
}
