/**
 * Metaplex token metadata. Source: https://developers.metaplex.com/token-metadata, `Metadata` of mpl-token-metadata
 * (Borsh).
 */
import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'

export const metadataProgram = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s'

export function metadataAddress(mint: string): string {
  return programAddress(
    [Buffer.from('metadata'), base58.decode(metadataProgram), base58.decode(mint)],
    base58.decode(metadataProgram),
  )
}

/** Source: `Pubkey::find_program_address` of the Solana SDK. */
function programAddress(seeds: readonly Uint8Array[], program: Uint8Array): string {
  for (let bump = 255; bump >= 0; bump -= 1) {
    const hash = createHash('sha256')
    for (const part of [...seeds, Uint8Array.of(bump), program, Buffer.from('ProgramDerivedAddress')]) hash.update(part)
    const address = new Uint8Array(hash.digest())
    if (!isOnCurve(address)) return base58.encode(address)
  }
  throw new RangeError('There is no such address')
}

function isOnCurve(bytes: Uint8Array): boolean {
  try {
    ed25519.ExtendedPoint.fromHex(bytes)
    return true
  } catch {
    return false
  }
}

export type MetaplexMetadata = {
  readonly name: string
  readonly symbol: string
  readonly uri: string
  /** A `TokenStandard`; undefined in older metadata. */
  readonly standard: number | undefined
}

/** MetadataV1. */
const key = 4

/** Null if invalid, or of another mint. */
export function readMetaplex(bytes: Buffer, mint: string): MetaplexMetadata | null {
  let at = 65
  const number = (size: 1 | 2 | 4): number => {
    at += size
    return bytes.readUIntLE(at - size, size)
  }
  const text = (): string => {
    const length = number(4)
    if (length > bytes.length - at) throw new RangeError('too long')
    at += length
    return bytes.toString('utf8', at - length, at).replace(/\0+$/, '')
  }
  try {
    if (bytes[0] !== key || base58.encode(bytes.subarray(33, 65)) !== mint) return null
    const [name, symbol, uri] = [text(), text(), text()]
    number(2)
    const creators = number(1) === 1 ? number(4) : 0
    at += creators * 34
    number(2)
    if (number(1) === 1) number(1)
    const standard = number(1) === 1 ? number(1) : undefined
    return { name, symbol, uri, standard }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
