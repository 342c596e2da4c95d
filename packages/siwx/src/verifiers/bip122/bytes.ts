import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'

export const utf8 = (text: string) => new TextEncoder().encode(text)

export function isEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index])
}

export const hash160 = (bytes: Uint8Array): Uint8Array => ripemd160(sha256(bytes))
export const hash256 = (bytes: Uint8Array): Uint8Array => sha256(sha256(bytes))

export function compactSize(value: number): Uint8Array {
  if (value < 0xfd) return Uint8Array.of(value)
  if (value <= 0xffff) return Uint8Array.of(0xfd, value & 0xff, value >> 8)
  return Uint8Array.of(0xfe, value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >>> 24)
}

/** Undefined for stray bytes or a non-minimal length. */
export function witnessIn(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  let at = 0
  const size = (): number | undefined => {
    const [first, low, high] = bytes.subarray(at)
    if (first === undefined || first > 0xfd) return undefined
    if (first < 0xfd) {
      at += 1
      return first
    }
    const value = low === undefined || high === undefined ? 0 : low | (high << 8)
    at += 3
    return value < 0xfd ? undefined : value
  }
  const count = size()
  if (count === undefined || count === 0 || count > bytes.length) return undefined
  const items: Uint8Array[] = []
  for (let item = 0; item < count; item++) {
    const length = size()
    if (length === undefined || at + length > bytes.length) return undefined
    items.push(bytes.slice(at, at + length))
    at += length
  }
  return at === bytes.length ? items : undefined
}
