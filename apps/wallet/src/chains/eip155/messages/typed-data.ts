import { networkOfSalt } from '@postern/chains/eip155/domain-network'
import { isSameAddress } from '@postern/chains/same-address'
import { Failure } from '@postern/protocol/failure'
import { parseParams } from '@postern/protocol/validation/params'
import type { Address } from 'viem'
import * as z from 'zod/mini'
import { safeContracts } from '../account/safe'
import { domainType, exactInteger, typedDataDigest } from '../keys/typed-data'

const Members = z.record(z.string(), z.unknown())
const Types = z.record(
  z.string().check(z.maxLength(256)),
  z.array(z.object({ name: z.string().check(z.maxLength(256)), type: z.string().check(z.maxLength(256)) })),
)
const TypedData = z.object({
  types: Types,
  primaryType: z.string(),
  domain: z._default(Members, {}),
  message: Members,
})
type Domain = z.infer<typeof TypedData>['domain']
type Types = z.infer<typeof Types>

const maxDepth = 64

/**
 * The canonical JSON of typed data (EIP-712), as shown and hashed.
 *
 * 1. Fields that the types do not name are dropped: a reader would think that they are signed.
 * 2. A missing field, an inexact number, or a value of another type is INVALID_PARAMS.
 * 3. The domain's `chainId`, in any form that the signer reads, is the current network's; otherwise INVALID_PARAMS. A
 *    signed salt that is a known network's number counts as a `chainId`.
 * 4. An operation, transaction or message of the user's own smart account is rejected: its owner's signature would be
 *    valid.
 */
export function fixTypedData(input: unknown, { chainId, safe }: { chainId: number; safe: Address }): string {
  const typedData = parseParams(TypedData, typeof input === 'string' ? fromJson(input) : input)
  const { primaryType, domain, message } = typedData
  requireChain(domain, chainId)
  refuseOwnAccount(domain, safe)
  try {
    const types: Types = { ...typedData.types, EIP712Domain: domainType(typedData.types, domain) }
    if (primaryType === 'EIP712Domain' || !Object.hasOwn(types, primaryType))
      throw unfit(`there is no type ${primaryType}`)
    const fixed = {
      types,
      primaryType,
      domain: onlyTyped(types, 'EIP712Domain', domain),
      message: onlyTyped(types, primaryType, message),
    }
    requireSalt(fixed.domain, chainId)
    const json = JSON.stringify(fixed)
    // The worker's own rules, before approval.
    typedDataDigest(json)
    return json
  } catch (error) {
    throw error instanceof Failure ? error : new Failure('INVALID_PARAMS', { cause: error })
  }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Failure('INVALID_PARAMS', { message: 'The typed data aren’t JSON', cause: error })
  }
}

function unfit(what: string): Failure {
  return new Failure('INVALID_PARAMS', { message: `The typed data are malformed: ${what.slice(0, 200)}` })
}

function otherChain(chainId: number): Failure {
  return new Failure('INVALID_PARAMS', { message: `The typed data are for another chain than ${chainId}` })
}

/** If a domain has both, the contract checks `chainId`. */
function requireSalt({ chainId: signed, salt }: Domain, chainId: number): void {
  if (signed !== undefined) return
  const named = networkOfSalt(salt)
  if (named !== null && named !== `${chainId}`) throw otherChain(chainId)
}

function requireChain({ chainId: declaredChainId }: Domain, chainId: number): void {
  if (declaredChainId === undefined || declaredChainId === null) return
  if (readChainId(declaredChainId) !== BigInt(chainId)) throw otherChain(chainId)
}

function readChainId(value: unknown): bigint {
  try {
    return exactInteger(value)
  } catch (cause) {
    throw new Failure('INVALID_PARAMS', { message: 'The typed data’s chainId isn’t a number of 256 bits', cause })
  }
}

function refuseOwnAccount({ verifyingContract }: Domain, safe: Address): void {
  if (typeof verifyingContract !== 'string') return
  if ([safe, safeContracts.module].some((contract) => isSameAddress(contract, verifyingContract)))
    throw new Failure('INVALID_PARAMS', { message: 'The smart account signs its operations only as operations' })
}

/** In the type's order. */
function onlyTyped(types: Types, type: string, value: unknown, depth = 0): Record<string, unknown> {
  const members = types[type]
  const parsedMembers = Members.safeParse(value)
  if (members === undefined || !parsedMembers.success || depth > maxDepth) throw unfit(`a value isn’t of type ${type}`)
  return Object.fromEntries(
    members.map(({ name, type: inner }) => {
      if (!Object.hasOwn(parsedMembers.data, name)) throw unfit(`${type} lacks ${name}`)
      return [name, onlyTypedValue(types, inner, parsedMembers.data[name], depth + 1)]
    }),
  )
}

function onlyTypedValue(types: Types, type: string, value: unknown, depth: number): unknown {
  if (depth > maxDepth) throw unfit('they are nested too deeply')
  const array = /^(.*)\[(\d*)\]$/.exec(type)
  if (array !== null) {
    const [, inner = '', length = ''] = array
    if (!Array.isArray(value) || (length !== '' && value.length !== Number(length)))
      throw unfit(`a value isn’t of type ${type}`)
    return value.map((item) => onlyTypedValue(types, inner, item, depth + 1))
  }
  if (Object.hasOwn(types, type)) return onlyTyped(types, type, value, depth)
  // The signer validates the value.
  return value
}
