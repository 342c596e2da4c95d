import { expect } from 'vitest'
import { clock, iso, keyVerifier, noon, visitor } from '../../testing/sign-in'
import type { SignInMessage } from '../../types'
import { eip155Verifier } from '../../verifiers/eip155'
import { createSiwxHandler, type SiwxHandlerOptions } from '../handler'
import { generateSigningKey, keysFromJwks } from '../keys'
import { createNonces } from '../nonces'
import { memoryProofs } from '../proofs'
import { createSessions } from '../sessions'

export const site = 'https://example.com'
export const api = 'https://api.example.com/siwx'
export const minute = 60_000
const keys = keysFromJwks([await generateSigningKey()])

type Visitor = ReturnType<typeof visitor>
type Sent = { readonly token?: string; readonly cookie?: string; readonly origin?: string | null }

export function server(changes: Partial<SiwxHandlerOptions> = {}) {
  const time = clock()
  const { now, pass } = time
  const sessions = createSessions({ keys, issuer: 'https://api.example.com', audience: 'example', now })
  const handler = createSiwxHandler({
    basePath: '/siwx',
    origins: [site],
    networks: ['eip155:1', 'eip155:8453'],
    verifiers: [keyVerifier()],
    nonces: createNonces({ now }),
    sessions,
    now,
    ...changes,
  })
  async function send(request: Request): Promise<Response> {
    const response = await handler(request)
    if (response === undefined) throw new Error('Not its path')
    return response
  }
  const headers = ({ token, cookie, origin = site }: Sent): Record<string, string> => ({
    ...(origin !== null && { origin }),
    ...(token && { authorization: `Bearer ${token}` }),
    ...(cookie && { cookie }),
  })
  const post = (route: string, body: unknown, sent: Sent = {}) =>
    send(
      new Request(`${api}/${route}`, {
        method: 'POST',
        headers: { ...headers(sent), 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    )
  const get = (route: string, sent: Sent = {}) => send(new Request(`${api}/${route}`, { headers: headers(sent) }))
  async function nonce(): Promise<string> {
    return (await (await post('nonce', {})).json()).nonce
  }
  async function signed(who: Visitor, fields: Partial<SignInMessage> = {}) {
    return who.sign({ nonce: await nonce(), issuedAt: iso(now()), ...fields })
  }
  async function signIn(who: Visitor, fields: Partial<SignInMessage> = {}, sent: Sent = {}): Promise<string> {
    const response = await post('authenticate', await signed(who, fields), sent)
    expect(response.status).toBe(200)
    return (await response.json()).token
  }
  return { handler, send, post, get, nonce, signed, signIn, sessions, now, pass }
}

/** The test sets the response about contracts (EIP-1271); `account` has the message fields of a contract. */
export function contractServer(changes: Partial<SiwxHandlerOptions> = {}) {
  let answer: boolean | 'down' | { readonly error: string } = true
  let requests = 0
  const fetch = async () => {
    requests++
    if (answer === 'down') return new Response('', { status: 502 })
    if (typeof answer === 'object') return Response.json({ error: { code: -32_000, message: answer.error } })
    return Response.json({ result: answer ? '0x01' : '0x00' })
  }
  const verifiers = [eip155Verifier({ rpcUrl: () => 'https://rpc.example.com', fetch })]
  const proofs = changes.proofs ?? memoryProofs({ now: () => noon })
  const made = server({ verifiers, recheckAfter: minute, ...changes, proofs })
  const turn = (next: typeof answer) => {
    answer = next
  }
  return { ...made, turn, requests: () => requests, proofs, verifiers, account: { accountAddress: visitor().address } }
}

export async function reason(response: Response): Promise<string> {
  return (await response.json()).reasons[0].name
}

export const cookieFrom = (response: Response): string => (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
