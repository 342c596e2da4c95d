import { isWellCased } from '@postern/chains/eip155/checksum'
import { Failure } from '@postern/protocol/failure'
import { type Address, getAddress, type Hex, isAddress } from 'viem'
import * as z from 'zod/mini'

const maxHexLength = 1_048_576

export function isHexBytes(value: unknown): value is Hex {
  return typeof value === 'string' && value.length <= maxHexLength && /^0x([0-9a-fA-F]{2})*$/.test(value)
}

/** Whole bytes, 0x-prefixed. */
export const HexBytes = z.custom<Hex>(isHexBytes)

export const Hash = z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-fA-F]{64}$/.test(value))

/** Up to 256 bits. */
export const Quantity = z.pipe(
  z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/)),
  z.transform((text) => BigInt(text)),
)

/** Hex, or an integer as some dapps write it. */
export const LooseQuantity = z.union([
  Quantity,
  z.pipe(
    z.int().check(z.gte(0)),
    z.transform((value) => BigInt(value)),
  ),
])

export const EvmAddress = z.pipe(
  z.custom<Address>((value) => typeof value === 'string' && isAddress(value, { strict: false }) && isWellCased(value)),
  z.transform((address) => getAddress(address)),
)

/** @throws {Failure} INTERNAL if it is not hex */
export function bytesOf(text: string): Hex {
  if (!isHexBytes(text)) throw new Failure('INTERNAL')
  return text
}

export function addressOf(text: string): Address {
  if (!isAddress(text, { strict: false })) throw new Failure('INTERNAL')
  return getAddress(text)
}
