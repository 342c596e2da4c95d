import { isSameAddress } from '@postern/chains/same-address'
import { type CaipNetworkId, classifyRpcMethod, factsOfMethod, type MethodFacts, namespaceOf } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { isWalletNamespace, type WalletNamespace } from '@postern/protocol/namespaces'
import type { EmbeddedAccountType } from '../contract'
import type { WalletAccount } from './accounts'

type OwnAccounts = readonly WalletAccount[]

/** `facts`: of a method that is not rejected. */
export type AdmittedRequest = { readonly params: unknown; readonly facts: WalletMethodFacts }

type WalletMethodFacts = MethodFacts & { readonly namespace: WalletNamespace }

/** @throws {Failure} RPC_NOT_ALLOWED, METHOD_NOT_FOUND */
export function admit(method: string, params: unknown): AdmittedRequest {
  const facts = factsOfMethod(method)
  const risk = classifyRpcMethod(method)
  if (risk === 'refused') throw new Failure('RPC_NOT_ALLOWED')
  if (facts === undefined || risk === 'unknown' || !isOfWallet(facts)) throw new Failure('METHOD_NOT_FOUND')
  return { params, facts }
}

function isOfWallet(facts: MethodFacts): facts is WalletMethodFacts {
  return isWalletNamespace(facts.namespace)
}

/** @throws {Failure} CHAIN_DISCONNECTED for another namespace's method */
export function checkNetwork({ facts }: AdmittedRequest, networkId: CaipNetworkId): void {
  if (namespaceOf(networkId) !== facts.namespace) throw new Failure('CHAIN_DISCONNECTED')
}

/**
 * Denies by default, before a request reaches a chain. Every account that a request names to sign or pay must be the
 * user's own, otherwise UNAUTHORIZED; personal_sign needs only one, because its message can look like an address.
 * Unknown params are left to the chain.
 */
export function checkRequest({ facts, params }: AdmittedRequest, own: OwnAccounts): void {
  const { namespace, names } = facts
  const named = namedAccounts(names, params)
  const isOurs = (address: string) => isOwn(address, namespace, own)
  const mayBeMessage = names !== undefined && 'paramOrMessage' in names
  const isAllowed = mayBeMessage ? named.length === 0 || named.some(isOurs) : named.every(isOurs)
  if (!isAllowed) throw new Failure('UNAUTHORIZED')
}

export function namesOwn({ facts, params }: AdmittedRequest, own: OwnAccounts): boolean {
  const named = namedAccounts(facts.names, params)
  return named.length > 0 && named.every((address) => isOwn(address, facts.namespace, own))
}

export function namedAccountType({ facts, params }: AdmittedRequest, own: OwnAccounts): EmbeddedAccountType | null {
  const named = namedAccounts(facts.names, params)
  const found = named.flatMap((address) => own.find((one) => isSame[facts.namespace](address, one.address)) ?? [])
  return found[0]?.type ?? null
}

function isOwn(address: string, namespace: WalletNamespace, own: OwnAccounts): boolean {
  return own.some((one) => isSame[namespace](address, one.address))
}

const isSame = {
  eip155: isSameAddress,
  solana: (named, own) => named === own,
  bip122: (named, own) => named.toLowerCase() === own,
} satisfies Record<WalletNamespace, (named: string, own: string) => boolean>

const evmAddress = /^0x[0-9a-fA-F]{40}$/

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
