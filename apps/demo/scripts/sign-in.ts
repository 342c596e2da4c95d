/**
 * The demo's sign-in backend on Node's HTTP server. Its keys last until a restart; a production server stores them
 * (`generateSigningKey`, `keysFromJwks`).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  createNonces,
  createSessions,
  createSiwxHandler,
  generateSigningKey,
  keysFromJwks,
  memoryProofs,
} from '@postern/siwx/server'
import { bip122Verifier, eip155Verifier, solanaVerifier } from '@postern/siwx/verifiers'
import { devnetRpcUrls } from '../src/dapp/config'

/** False unless the path is below `/siwx/`. */
export type SignInServer = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>

export async function createSignInServer(origin: string): Promise<SignInServer> {
  const handle = createSiwxHandler({
    basePath: '/siwx',
    origins: [origin],
    networks: [
      'eip155:31337',
      'eip155:31338',
      'eip155:1',
      'eip155:8453',
      'solana:PosternDevnet1111111111111111111',
      'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
      'bip122:0f9188f13cb7b2c71f2a335e3a4fc328',
      'bip122:000000000019d6689c085ae165831e93',
    ],
    verifiers: [eip155Verifier({ rpcUrl: (chainId) => devnetRpcUrls[chainId] }), solanaVerifier(), bip122Verifier()],
    nonces: createNonces(),
    sessions: createSessions({ keys: keysFromJwks([await generateSigningKey()]), issuer: origin, audience: origin }),
    proofs: memoryProofs(),
    // Checks contract accounts every time: a revoked signature shows at once.
    recheckAfter: 0,
    cookie: { secure: false },
    onError: (error) => console.error(error),
  })
  return async (request, response) => {
    if (request.url?.startsWith('/siwx/') !== true) return false
    try {
      const answer = await handle(toRequest(request, origin))
      if (answer === undefined) return false
      response.statusCode = answer.status
      response.setHeaders(answer.headers).end(await answer.text())
    } catch {
      response.writeHead(400).end()
    }
    return true
  }
}

function toRequest(request: IncomingMessage, origin: string): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value))
  const chunks = request[Symbol.asyncIterator]()
  const body = new ReadableStream<Uint8Array>({
    pull: async (stream) => {
      const { done, value } = await chunks.next()
      done ? stream.close() : stream.enqueue(value)
    },
  })
  const method = request.method ?? 'GET'
  const init = { method, headers, ...(method === 'POST' && { body, duplex: 'half' }) }
  return new Request(new URL(request.url ?? '/', origin), init)
}
