/**
 * The id of a signed Bitcoin transaction: the double SHA-256 of its bytes without witnesses, reversed (BIP 141).
 *
 * 1. Input that is not exactly one transaction has no id.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'

export function transactionId(hex: string): string | null {
  if (!/^(?:[0-9a-f]{2})+$/i.test(hex)) return null
  try {
    return bytesToHex(sha256(sha256(withoutWitness(hexToBytes(hex)))).reverse())
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function withoutWitness(bytes: Uint8Array): Uint8Array {
  let at = 4
  const take = (size: number) => {
    if (at + size > bytes.length) throw new RangeError('The transaction ends too early')
    at += size
    return bytes.subarray(at - size, at)
  }
  const number = (size: number) => take(size).reduceRight((value, byte) => value * 256 + byte, 0)
  /** CompactSize. */
  const compact = () => {
    const first = number(1)
    return first < 0xfd ? first : number(2 ** (first - 0xfc))
  }
  const many = (count: number, skip: () => void) => {
    for (let index = 0; index < count; index++) skip()
  }

  const isSegwit = bytes[4] === 0 && bytes[5] === 1
  if (isSegwit) at = 6
  const start = at
  const inputs = compact()
  many(inputs, () => {
    take(36)
    take(compact())
    take(4)
  })
  many(compact(), () => {
    take(8)
    take(compact())
  })
  const end = at
  if (isSegwit) many(inputs, () => many(compact(), () => take(compact())))
  const lockTime = take(4)
  if (at !== bytes.length) throw new RangeError('Something follows the transaction')
  return Uint8Array.from([...bytes.subarray(0, 4), ...bytes.subarray(start, end), ...lockTime])
}
