/**
 * Whether signing a message would sign a transaction. Lenient (no check of indices or size), to reject all that a
 * validator accepts. Source: https://solana.com/docs/core/transactions
 */
const keySize = 32
/** Header, one key and a blockhash. */
const shortest = 3 + 1 + keySize + keySize + 1

export function isTransactionMessage(bytes: Uint8Array): boolean {
  const first = bytes[0]
  if (first === undefined || bytes.length < shortest) return false
  if (first === 0x80) return hasForm(bytes, 1, true)
  // Unknown versions (next: SIMD-0385). No UTF-8 text starts like this.
  if (first > 0x80 && first < 0xa0) return true
  return first < 0x80 && hasForm(bytes, 0, false)
}

function hasForm(bytes: Uint8Array, start: number, isVersioned: boolean): boolean {
  let at = start
  const skip = (length: number) => {
    at += length
    return at <= bytes.length
  }
  const count = (): number | undefined => {
    let value = 0
    for (let index = 0; index < 3; index++) {
      const next = bytes[at]
      if (next === undefined) return undefined
      at += 1
      value |= (next & 0x7f) << (7 * index)
      if ((next & 0x80) === 0) return value
    }
    return undefined
  }
  const list = (item: () => boolean): boolean => {
    const length = count()
    if (length === undefined) return false
    for (let index = 0; index < length; index++) if (!item()) return false
    return true
  }
  const counted = () => {
    const length = count()
    return length !== undefined && skip(length)
  }

  const signers = bytes[at] ?? 0
  if (signers === 0 || !skip(3)) return false
  let keys = 0
  if (!list(() => skip(keySize) && ++keys > 0) || keys < signers || !skip(keySize)) return false
  if (!list(() => skip(1) && counted() && counted())) return false
  if (isVersioned && !list(() => skip(keySize) && counted() && counted())) return false
  return at === bytes.length
}
