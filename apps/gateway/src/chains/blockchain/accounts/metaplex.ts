/** Metaplex token metadata. Source: https://developers.metaplex.com/token-metadata, `Metadata` (Borsh). */
import { programAddress } from '@postern/chains/solana/program-address'
import { base58 } from '@scure/base'

export const metadataProgram = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s'

export function metadataAddress(mint: string): string {
  return programAddress([Buffer.from('metadata'), base58.decode(metadataProgram), base58.decode(mint)], metadataProgram)
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
