/**
 * The EIP-712 hash of `eth_signTypedData_v4`'s JSON text. Rejects what a lenient parser would fill in, cut or
 * reinterpret.
 *
 * 1. Every field is present and of its type. Integers are exact JSON numbers, or decimal or hex strings. Strings and
 *    names can be encoded in UTF-8.
 * 2. Every named type exists: elementary, one of `types`, or an array of them.
 * 3. {@link domainType} is the domain's type.
 * 4. Depth and size are limited, because types may be recursive.
 */
import { wellFormed } from '@postern/protocol/validation/well-formed'
import { hex } from '@scure/base'
import * as TypedData from 'ox/TypedData'
import * as z from 'zod/mini'
import { keyFailure } from '../../../keys/failure'

const Name = z.string().check(z.minLength(1), z.maxLength(256), z.regex(wellFormed))
const Member = z.object({ name: Name, type: Name })
const Struct = z.record(z.string(), z.unknown())
const Input = z.object({
  types: z.record(Name, z.array(Member).check(z.maxLength(256))),
  primaryType: Name,
  domain: z.optional(Struct),
  message: Struct,
})
type Types = Readonly<Record<string, readonly z.infer<typeof Member>[]>>

const deepest = 32
const domainMembers = [
  ['name', 'string'],
  ['version', 'string'],
  ['chainId', 'uint256'],
  ['verifyingContract', 'address'],
  ['salt', 'bytes32'],
] as const

/** 32 bytes in hex. Throws BAD_JOB. */
export function typedDataDigest(json: string): `0x${string}` {
  const { types: declaredTypes, primaryType, domain = {}, message } = read(json)
  const types = { ...declaredTypes, EIP712Domain: domainType(declaredTypes, domain) }
  if (!Object.hasOwn(types, primaryType)) throw keyFailure('BAD_JOB')
  const domainValue = structOf(types, 'EIP712Domain', domain, 0)
  if (primaryType === 'EIP712Domain')
    return TypedData.getSignPayload<Record<string, unknown>, 'EIP712Domain'>({
      types,
      primaryType,
      domain: domainValue,
    })
  const data = structOf(types, primaryType, message, 0)
  return TypedData.getSignPayload<Record<string, unknown>, string>({
    types,
    primaryType,
    domain: domainValue,
    message: data,
  })
}

function read(json: string): z.infer<typeof Input> {
  try {
    return Input.parse(JSON.parse(json))
  } catch {
    throw keyFailure('BAD_JOB')
  }
}

/**
 * The domain's type: `EIP712Domain` if given, else those of EIP-712's five fields that the domain has. As in ethers,
 * null counts as absent.
 */
export function domainType(types: Types, domain: Readonly<Record<string, unknown>>): z.infer<typeof Member>[] {
  const declared = Object.hasOwn(types, 'EIP712Domain') ? types.EIP712Domain : undefined
  if (declared !== undefined) return [...declared]
  return domainMembers
    .filter(([name]) => Object.hasOwn(domain, name) && domain[name] !== undefined && domain[name] !== null)
    .map(([name, type]) => ({ name, type }))
}

function structOf(types: Types, type: string, value: unknown, depth: number): Record<string, unknown> {
  const struct = Struct.safeParse(value)
  const members = Object.hasOwn(types, type) ? types[type] : undefined
  if (!struct.success || members === undefined || depth > deepest) throw keyFailure('BAD_JOB')
  const names = new Set(members.map(({ name }) => name))
  if (names.size !== members.length) throw keyFailure('BAD_JOB')
  return Object.fromEntries(
    members.map((member) => [
      member.name,
      typedValue(types, member.type, ownMember(struct.data, member.name), depth + 1),
    ]),
  )
}

function ownMember(struct: Record<string, unknown>, name: string): unknown {
  if (!Object.hasOwn(struct, name)) throw keyFailure('BAD_JOB')
  return struct[name]
}

function typedValue(types: Types, type: string, value: unknown, depth: number): unknown {
  const array = /^(.+)\[(\d*)\]$/.exec(type)
  if (array) return arrayOf(types, array[1] ?? '', array[2] ?? '', value, depth)
  if (Object.hasOwn(types, type)) return structOf(types, type, value, depth)
  return elementary(type, value)
}

function arrayOf(types: Types, type: string, length: string, value: unknown, depth: number): readonly unknown[] {
  if (!Array.isArray(value) || depth > deepest) throw keyFailure('BAD_JOB')
  if (length !== '' && value.length !== Number(length)) throw keyFailure('BAD_JOB')
  return value.map((item) => typedValue(types, type, item, depth + 1))
}

function elementary(type: string, value: unknown): unknown {
  if (type === 'string' && typeof value === 'string' && wellFormed.test(value)) return value
  if (type === 'bool' && typeof value === 'boolean') return value
  if (type === 'address' && typeof value === 'string' && /^0x[0-9a-fA-F]{40}$/.test(value)) return value.toLowerCase()
  const bytes = /^bytes(\d*)$/.exec(type)
  if (bytes) return bytesOf(bytes[1] ?? '', value)
  const integer = /^(u?)int(\d*)$/.exec(type)
  if (integer) return integerOf(integer[1] === 'u', integer[2] ?? '', value)
  throw keyFailure('BAD_JOB')
}

function bytesOf(size: string, value: unknown): string {
  if (typeof value !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(value)) throw keyFailure('BAD_JOB')
  const bytes = hex.decode(value.slice(2).toLowerCase())
  const wanted = Number(size)
  if (size !== '' && (wanted < 1 || wanted > 32 || bytes.length !== wanted || size.startsWith('0')))
    throw keyFailure('BAD_JOB')
  return `0x${hex.encode(bytes)}`
}

function integerOf(isUnsigned: boolean, size: string, value: unknown): bigint {
  const bits = size === '' ? 256 : Number(size)
  if (bits < 8 || bits > 256 || bits % 8 !== 0 || size.startsWith('0')) throw keyFailure('BAD_JOB')
  const number = exactInteger(value)
  const [lowest, highest] = isUnsigned
    ? [0n, 2n ** BigInt(bits) - 1n]
    : [-(2n ** BigInt(bits - 1)), 2n ** BigInt(bits - 1) - 1n]
  if (number < lowest || number > highest) throw keyFailure('BAD_JOB')
  return number
}

/** Throws BAD_JOB. */
export function exactInteger(value: unknown): bigint {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value)
  if (typeof value === 'string' && /^(?:-?\d{1,80}|0x[0-9a-fA-F]{1,64})$/.test(value)) return BigInt(value)
  throw keyFailure('BAD_JOB')
}
