import { createNonces, createSessions, createSiwxHandler, keysFromJwks } from '@postern/siwx/server'
import { bip122Verifier, eip155Verifier, solanaVerifier } from '@postern/siwx/verifiers'

const site = 'https://example.com'
const rpcUrls: Record<string, string> = { 'eip155:8453': 'https://mainnet.base.org' }

/** The token is in a cookie that scripts cannot read. */
export const cookie = {}
export const sessions = createSessions({
  keys: keysFromJwks([JSON.parse(process.env.SIWX_KEY ?? '{}')]),
  issuer: site,
  audience: site,
})
export const siwx = createSiwxHandler({
  basePath: '/siwx',
  origins: [site],
  networks: [
    'eip155:1',
    'eip155:8453',
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    'bip122:000000000019d6689c085ae165831e93',
  ],
  verifiers: [eip155Verifier({ rpcUrl: (chainId) => rpcUrls[chainId] }), solanaVerifier(), bip122Verifier()],
  nonces: createNonces(),
  sessions,
  cookie,
})
