/** Bytes with a buffer of their own, which WebCrypto and structured clones take as they are. */
import { base64urlnopad, hex } from '@scure/base'

export type OwnBytes = Uint8Array<ArrayBuffer>

export function concatBytes(...parts: readonly Uint8Array[]): OwnBytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

export function utf8(text: string): OwnBytes {
  return new Uint8Array(new TextEncoder().encode(text))
}

export function randomBytes(length: number): OwnBytes {
  return crypto.getRandomValues(new Uint8Array(length))
}

/** Hexadecimal digits, without a prefix. */
export function hexOf(bytes: Uint8Array): string {
  return hex.encode(bytes)
}

/** base64url without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  return base64urlnopad.encode(bytes)
}

/** Throws where the text is none. */
export function fromBase64Url(text: string): OwnBytes {
  return new Uint8Array(base64urlnopad.decode(text))
}

/** Overwrites what nobody needs any more. JavaScript may have copied it elsewhere: this shortens its life, it does not end it. */
export function wipe(...secrets: readonly Uint8Array[]): void {
  for (const secret of secrets) secret.fill(0)
}
