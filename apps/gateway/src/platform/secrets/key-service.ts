/**
 * Secrets wrapped by a key-management service: the file alone opens nothing.
 *
 * 1. The gateway unwraps them once, at its start; plain keys are in memory only.
 * 2. The token goes to the named service alone, by https or on this machine, without redirects.
 * 3. An error names the service and its status, never the token or a key.
 */
import * as z from 'zod/mini'
import { SecretKeys } from './secrets'

export const WrappedSecrets = z.strictObject({
  wrapped: z.strictObject({
    /** HashiCorp Vault's or OpenBao's transit engine. */
    by: z.literal('vault-transit'),
    /** Such as `https://vault.example.com:8200`, or with a mount's path: `https://…:8200/v1/transit`. */
    url: z
      .url({ protocol: /^https?$/, error: 'must be an https URL' })
      .check(z.refine((url) => isSafe(new URL(url)), 'must be https, except on this machine, and have no password')),
    key: z.string().check(z.regex(/^[A-Za-z0-9_.-]{1,128}$/, 'must be the name of a key')),
    ciphertext: z.string().check(z.regex(/^vault:v\d+:[A-Za-z0-9+/=]+$/, 'must be what the service answered')),
  }),
})
export type WrappedSecrets = z.infer<typeof WrappedSecrets>

export type KeyService = {
  wrap(text: string): Promise<string>
  /** @throws {KeyServiceError} */
  unwrap(ciphertext: string): Promise<string>
}

export class KeyServiceError extends Error {
  override readonly name = 'KeyServiceError'
}

const timeoutMs = 10_000
const Wrapped = z.object({ data: z.object({ ciphertext: z.string() }) })
const Unwrapped = z.object({ data: z.object({ plaintext: z.string() }) })

export function createVaultTransit(
  { url, key }: { readonly url: string; readonly key: string },
  token: string,
  fetch: typeof globalThis.fetch,
): KeyService {
  const mount = new URL(url).pathname === '/' ? new URL('/v1/transit', url).href : url.replace(/\/$/, '')

  async function ask<T>(action: 'encrypt' | 'decrypt', body: object, schema: z.ZodMiniType<T>): Promise<T> {
    const from = `the key service ${new URL(url).host}`
    const response = await fetch(`${mount}/${action}/${key}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Vault-Token': token },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch(() => {
      throw new KeyServiceError(`POSTERN_SECRETS: ${from} cannot be reached`)
    })
    if (!response.ok) throw new KeyServiceError(`POSTERN_SECRETS: ${from} answered ${response.status}`)
    const parsed = schema.safeParse(await response.json().catch(() => null))
    if (!parsed.success) throw new KeyServiceError(`POSTERN_SECRETS: ${from} answered something else`)
    return parsed.data
  }

  return {
    async wrap(text) {
      const plaintext = Buffer.from(text).toString('base64')
      return (await ask('encrypt', { plaintext }, Wrapped)).data.ciphertext
    },
    async unwrap(ciphertext) {
      const { plaintext } = (await ask('decrypt', { ciphertext }, Unwrapped)).data
      return Buffer.from(plaintext, 'base64').toString()
    },
  }
}

export async function unwrapSecrets(
  { wrapped }: WrappedSecrets,
  token: string,
  fetch: typeof globalThis.fetch,
): Promise<SecretKeys> {
  return parseUnwrapped(await createVaultTransit(wrapped, token, fetch).unwrap(wrapped.ciphertext))
}

function parseUnwrapped(text: string): SecretKeys {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = null
  }
  const parsed = SecretKeys.safeParse(value)
  if (!parsed.success)
    throw new KeyServiceError("POSTERN_SECRETS: what the key service unwrapped is not the gateway's secrets")
  return parsed.data
}

function isSafe({ protocol, hostname, username, password }: URL): boolean {
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  return (protocol === 'https:' || isLocal) && username === '' && password === ''
}
