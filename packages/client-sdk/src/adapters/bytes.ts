import { requestFailure } from '../shared/failures'

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Highest digit first. Keeps leading zeros. */
function rebase(digits: readonly number[], from: number, to: number): number[] {
  const low: number[] = []
  for (const digit of digits) {
    let carry = digit
    for (let at = 0; at < low.length || carry > 0; at++) {
      carry += (low[at] ?? 0) * from
      low[at] = carry % to
      carry = Math.floor(carry / to)
    }
  }
  const zeros = digits.findIndex((digit) => digit !== 0)
  return [...new Array<number>(zeros < 0 ? digits.length : zeros).fill(0), ...low.reverse()]
}

export function toBase58(bytes: Uint8Array): string {
  return rebase([...bytes], 256, 58)
    .map((digit) => base58[digit])
    .join('')
}

/** @throws INVALID_PARAMS */
export function fromBase58(text: unknown): Uint8Array {
  if (typeof text !== 'string') throw requestFailure('INVALID_PARAMS')
  const digits = Array.from(text, (letter) => base58.indexOf(letter))
  if (digits.includes(-1)) throw requestFailure('INVALID_PARAMS')
  return Uint8Array.from(rebase(digits, 58, 256))
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** @throws INVALID_PARAMS */
export function fromBase64(text: unknown): Uint8Array {
  try {
    if (typeof text === 'string') return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {}
  throw requestFailure('INVALID_PARAMS')
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

const sighashes = ['', 'ALL', 'NONE', 'SINGLE']

/** Wallet Standard: 0x81 is `ALL|ANYONECANPAY`. */
export function sighashName(type: number): string {
  return `${sighashes[type & 3] ?? ''}${type & 128 ? '|ANYONECANPAY' : ''}`
}

/** @throws INVALID_PARAMS */
export function sighashType(name: string): number {
  const [, kind = '', anyone] = /^(ALL|NONE|SINGLE)(\|ANYONECANPAY)?$/.exec(name) ?? []
  if (kind === '') throw requestFailure('INVALID_PARAMS')
  return sighashes.indexOf(kind) + (anyone === undefined ? 0 : 128)
}
