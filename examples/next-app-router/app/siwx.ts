import { createNonces, createSessions, createSiwxHandler, generateSigningKey, keysFromJwks } from '@postern/siwx/server'
import { eip155Verifier } from '@postern/siwx/verifiers'

const site = process.env.SITE ?? 'http://localhost:5173'

declare global {
  // Next loads this file once for the route and once for the page.
  var siwxKey: ReturnType<typeof generateSigningKey> | undefined
}

/** In production a secret. Without one, each start makes a new key, which ends all sessions. */
async function signingKey() {
  if (process.env.SIWX_KEY !== undefined) return JSON.parse(process.env.SIWX_KEY)
  globalThis.siwxKey ??= generateSigningKey()
  return globalThis.siwxKey
}

/** The token is in a cookie that scripts cannot read. */
export const cookie = { secure: site.startsWith('https:') }
export const sessions = createSessions({ keys: keysFromJwks([await signingKey()]), issuer: site, audience: site })
export const siwx = createSiwxHandler({
  basePath: '/siwx',
  origins: [site],
  networks: ['eip155:1', 'eip155:8453'],
  // For contract accounts: an endpoint of their network.
  verifiers: [eip155Verifier({ rpcUrl: () => undefined })],
  nonces: createNonces(),
  sessions,
  cookie,
})
