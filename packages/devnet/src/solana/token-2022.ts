/**
 * A Token-2022 mint: the original layout, the account type, then extensions.
 * An extension has a type and a length of two bytes each. Source: https://github.com/solana-program/token-2022,
 * `interface/src/extension`.
 */
import { type Address, getAddressEncoder, type ReadonlyUint8Array } from '@solana/kit'
import { toAddress } from './ledger'
import { solanaLevyDecimals, solanaLevyFee } from './token-ids'

export const token2022Program = toAddress('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')

const transferFeeConfig = 1
const metadataPointer = 18
const tokenMetadata = 19

/** Extensions follow the size of a token account and a type byte. */
const accountSize = 165
const isMint = 1

export const bytesOf = (address: Address) => getAddressEncoder().encode(address)

/** `authority` mints and may change name and fee. */
export function levyMintBytes(authority: Address, mint: Address): Uint8Array {
  const base = new Uint8Array(accountSize)
  base[0] = 1
  base.set(bytesOf(authority), 4)
  base[44] = solanaLevyDecimals
  base[45] = 1
  const { max, basisPoints } = solanaLevyFee
  // In force since the first epoch; the older fee is the same.
  const fee = joined([number(0n, 8), number(max, 8), number(BigInt(basisPoints), 2)])
  return joined([
    base,
    Uint8Array.of(isMint),
    extension(transferFeeConfig, [bytesOf(authority), bytesOf(authority), number(0n, 8), fee, fee]),
    extension(metadataPointer, [bytesOf(authority), bytesOf(mint)]),
    extension(tokenMetadata, [
      bytesOf(authority),
      bytesOf(mint),
      text('Solana Devnet Levy'),
      text('SLEVY'),
      text(''),
      number(0n, 4),
    ]),
  ])
}

function extension(type: number, parts: readonly ReadonlyUint8Array[]): Uint8Array {
  const data = joined(parts)
  return joined([number(BigInt(type), 2), number(BigInt(data.length), 2), data])
}

function text(value: string): Uint8Array {
  const bytes = new TextEncoder().encode(value)
  return joined([number(BigInt(bytes.length), 4), bytes])
}

/** Little-endian. */
function number(value: bigint, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, at) => Number((value >> BigInt(8 * at)) & 255n))
}

function joined(parts: readonly ReadonlyUint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}
