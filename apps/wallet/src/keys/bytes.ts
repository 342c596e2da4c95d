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

export function hexOf(bytes: Uint8Array): string {
  return hex.encode(bytes)
}

export function toBase64Url(bytes: Uint8Array): string {
  return base64urlnopad.encode(bytes)
}

/** Throws if the text is not base64url. */
export function fromBase64Url(text: string): OwnBytes {
  return new Uint8Array(base64urlnopad.decode(text))
}

/** Shortens a secret's life. JavaScript may still hold copies. */
export function wipe(...secrets: readonly Uint8Array[]): void {
  for (const secret of secrets) secret.fill(0)
}
