import { tryParse } from '@postern/protocol'
import type * as z from 'zod/mini'

/** A JWT's claims, unverified because the gateway sent it. Null if malformed. */
export function readClaims<T extends z.ZodMiniType>(schema: T, token: string): z.output<T> | null {
  const [, body = ''] = token.split('.')
  try {
    const text = atob(body.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(text, (byte) => byte.charCodeAt(0))
    const claims = tryParse(schema, JSON.parse(new TextDecoder().decode(bytes)))
    return claims.success ? claims.data : null
  } catch {
    return null
  }
}
