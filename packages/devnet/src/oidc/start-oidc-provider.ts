import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import * as z from 'zod'
import { close, endWith, listen } from '../http/listen'
import { html, page, styleSheet } from '../http/page'

/** `down`: 503 for the client, but not for the user's page. The others corrupt ID tokens. */
export type OidcFault = 'none' | 'nonce' | 'audience' | 'issuer' | 'expired' | 'signature' | 'down'

export type OidcProvider = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  setFault(fault: OidcFault): void
  stop(): Promise<void>
}

const clientId = 'devnet.console'
const clientSecret = 'devnet-secret-of-the-console'
const hour = 3_600

const Person = z.object({
  answer: z.enum(['allow', 'deny']),
  email: z.union([z.email(), z.literal('')]).default(''),
  verified: z.enum(['yes', 'no']).default('yes'),
  groups: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((group) => group.trim() || [])),
})
type Person = z.infer<typeof Person>

/**
 * An OpenID provider for operators: `oidc-provider` with a page that asks for email and groups.
 * The email address identifies the user: the same address is the same subject.
 *
 * @param redirectUri of the one client.
 * @param claimsIn where the provider puts email address and groups.
 */
export async function startOidcProvider({
  port,
  redirectUri,
  claimsIn = 'idToken',
  signal,
}: {
  /** 0 takes a free port. */
  readonly port: number
  readonly redirectUri: string
  readonly claimsIn?: 'idToken' | 'userInfo'
  readonly signal?: AbortSignal
}): Promise<OidcProvider> {
  // Loaded here: it warns as soon as Node 20 loads it.
  const { Provider } = await import('oidc-provider')
  const key = await generateKeyPair('RS256', { extractable: true })
  const people = new Map<string, Person>()
  let fault: OidcFault = 'none'

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy())
  })
  const issuer = `http://127.0.0.1:${await listen(server, port)}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [{ ...(await exportJWK(key.privateKey)), kid: 'devnet', use: 'sig', alg: 'RS256' }] },
    cookies: { keys: ['devnet'] },
    scopes: ['openid', 'email'],
    claims: { openid: ['sub', 'groups'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: claimsIn === 'userInfo',
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    renderError(context, { error }) {
      context.type = 'text'
      context.body = error
    },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: hour, AuthorizationCode: 60, Grant: hour, IdToken: hour, Interaction: hour, Session: hour },
    async findAccount(_context, accountId) {
      const person = people.get(accountId)
      if (person === undefined) return undefined
      const { email, verified, groups } = person
      return {
        accountId,
        claims: () => ({ sub: accountId, groups, ...(email !== '' && { email, email_verified: verified === 'yes' }) }),
      }
    },
    async loadExistingGrant({ oidc: { client, session } }) {
      if (client === undefined || session?.accountId === undefined) return undefined
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
  })
  provider.use(async (context, next) => {
    await next()
    if (context.path !== '/token' || fault === 'none') return
    if (fault === 'down') {
      context.status = 503
      context.body = 'down'
      return
    }
    const { id_token: token } = z.object({ id_token: z.string() }).parse(context.body)
    context.body = { ...Object(context.body), id_token: await corrupt(decodeJwt(token), fault) }
  })
  const answer = provider.callback()

  async function corrupt(claims: ReturnType<typeof decodeJwt>, kind: Exclude<OidcFault, 'none' | 'down'>) {
    const wrong = {
      nonce: { nonce: 'of-another-sign-in' },
      audience: { aud: 'another-client' },
      issuer: { iss: 'https://other.example' },
      expired: { iat: 1, exp: 2 },
      signature: {},
    }[kind]
    const { privateKey } = kind === 'signature' ? await generateKeyPair('RS256') : key
    return new SignJWT({ ...claims, ...wrong }).setProtectedHeader({ alg: 'RS256', kid: 'devnet' }).sign(privateKey)
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/style.css') {
      response.writeHead(200, { 'content-type': 'text/css' }).end(styleSheet.body)
    } else if (request.url?.startsWith('/interaction/') !== true) {
      await answer(request, response)
    } else if (request.method === 'POST') {
      let body = ''
      for await (const chunk of request.setEncoding('utf8')) body += chunk
      const person = Person.parse(Object.fromEntries(new URLSearchParams(body)))
      const accountId = `subject-of-${person.email || 'someone'}`
      people.set(accountId, person)
      const result = person.answer === 'allow' ? { login: { accountId, remember: false } } : { error: 'access_denied' }
      await provider.interactionFinished(request, response, result)
    } else {
      const { headers = {}, body } = signInPage(redirectUri)
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      response.end(body)
    }
  }

  return {
    issuer,
    clientId,
    clientSecret,
    setFault(next) {
      fault = next
    },
    stop: await endWith(signal, () => close(server)),
  }
}

function signInPage(redirectUri: string) {
  return page({
    title: 'Devnet accounts',
    formAction: `'self' ${new URL(redirectUri).origin}`,
    body: html`<main>
<h1>Devnet accounts</h1>
<form class="card" method="post">
<label><span>Email</span><input name="email" type="email" placeholder="ann@example.com" autocomplete="off" autofocus></label>
<label><span>The address is verified</span><select name="verified"><option value="yes">Yes</option><option value="no">No</option></select></label>
<label><span>Groups, with commas between them</span><input name="groups" value="postern-admins" autocomplete="off"></label>
<div class="two"><button name="answer" value="deny">Deny</button><button class="main" name="answer" value="allow">Allow</button></div>
</form>
</main>`,
  })
}
