/** Dapp pages and visitors that sign in with a wallet. */
import { formatMessage, type SignInMessage } from '@postern/siwx'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach } from 'vitest'
import * as z from 'zod/mini'
import { startTestApp, type TestApp } from './app'
import { noon } from './clock'

export const appOrigin = 'https://app.example.com'

/** Closes gateways after each test, in the order of `open`. */
export function testApps() {
  const open: { close(): Promise<void> }[] = []
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close()
  })
  return {
    open,
    async start(overrides: Parameters<typeof startTestApp>[0] = {}): Promise<TestApp> {
      const app = await startTestApp(overrides)
      open.push(app)
      return app
    },
  }
}

const Answer = z.looseObject({
  nonce: z.optional(z.string()),
  token: z.optional(z.string()),
  sessions: z.optional(z.array(z.looseObject({ chainId: z.string(), address: z.string() }))),
  reasons: z.optional(z.array(z.object({ name: z.string(), description: z.string() }))),
})

type Signed = { readonly message: string; readonly signature: string }

/** With browser headers, unless `origin` is null. */
export function page(app: TestApp, { origin = appOrigin, projectId = 'demo' }: PageOptions = {}) {
  async function ask(method: 'GET' | 'POST', route: string, { token, body }: { token?: string; body?: unknown } = {}) {
    const response = await app.request(`/v1/siwx/${route}?projectId=${projectId}`, {
      method,
      headers: {
        ...(origin === null ? {} : { Origin: origin, 'Sec-Fetch-Site': 'cross-site' }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const answer = Answer.parse(await response.json())
    return { ...answer, response, status: response.status, reason: answer.reasons?.[0]?.name }
  }
  async function nonce(): Promise<string> {
    const { nonce: newNonce } = await ask('POST', 'nonce')
    if (newNonce === undefined) throw new Error('No nonce was given')
    return newNonce
  }
  return {
    ask,
    nonce,
    authenticate: (signed: Signed, token?: string) =>
      ask('POST', 'authenticate', { body: signed, ...(token === undefined ? {} : { token }) }),
    me: (token: string) => ask('GET', 'me', { token }),
    signOut: (token: string, body: object = {}) => ask('POST', 'sign-out', { token, body }),
    async signIn(who: Visitor, token?: string): Promise<string> {
      const signed = await who.sign({ nonce: await nonce(), ...of(origin ?? appOrigin) })
      const answer = await ask('POST', 'authenticate', { body: signed, ...(token === undefined ? {} : { token }) })
      if (answer.token === undefined) throw new Error(`Not signed in: ${answer.status} ${answer.reason}`)
      return answer.token
    },
  }
}

export type PageOptions = { readonly origin?: string | null; readonly projectId?: string }
export type Visitor = ReturnType<typeof visitor>

export function of(origin: string): Pick<SignInMessage, 'domain' | 'uri'> {
  return { domain: new URL(origin).host, uri: origin }
}

/** With an EVM key. */
export function visitor(now: () => number = () => noon) {
  const account = privateKeyToAccount(generatePrivateKey())
  return {
    address: account.address,
    async sign(fields: Partial<SignInMessage> & { readonly nonce: string }): Promise<Signed> {
      const message = formatMessage({
        accountAddress: account.address,
        chainId: 'eip155:1',
        ...of(appOrigin),
        version: '1',
        issuedAt: new Date(now()).toISOString(),
        ...fields,
      })
      return { message, signature: await account.signMessage({ message }) }
    },
  }
}
