/** The wallet frame's calls to the gateway. */
import { createHash, generateKeyPairSync, type KeyPairKeyObjectResult, randomBytes } from 'node:crypto'
import {
  type EmailSolution,
  signInCalls,
  type WalletApiAnswer,
  type WalletApiBody,
  type WalletApiCall,
  walletApi,
} from '@postern/protocol'
import { calculateJwkThumbprint, exportJWK, SignJWT } from 'jose'
import type { Mail } from '../accounts/mail/mailer'
import type { SignInDevice } from '../accounts/sessions/sign-ins'
import { type TestApp, walletOrigin } from './app'
import { noon } from './clock'

/** An app in this process, or a running gateway. */
export type Called = {
  request(url: string, init: RequestInit): Promise<Response>
  readonly auth: { readonly proofs: { nonce(): string } }
}
type Mailbox = { readonly mails: readonly Mail[] }

export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export type Key = KeyPairKeyObjectResult

export function newKey(): Key {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

/** The session key of the browser that most tests use. */
export const ownKey = newKey()

export const thumbprintOf = async ({ publicKey }: Key) => calculateJwkThumbprint(await exportJWK(publicKey))

export const ownDevice = async (): Promise<SignInDevice> => ({
  deviceToken: newToken(),
  keyThumbprint: await thumbprintOf(ownKey),
})

/** A DPoP proof for a POST; `claims` replaces the right ones. */
export async function proofOf(
  app: Pick<Called, 'auth'>,
  url: string,
  {
    token,
    key = ownKey,
    claims = {},
  }: { readonly token?: string; readonly key?: Key; readonly claims?: Record<string, unknown> } = {},
): Promise<string> {
  return new SignJWT({
    jti: newToken(),
    htm: 'POST',
    htu: url,
    // Nothing reads it: the nonce has the time.
    iat: noon / 1000,
    nonce: app.auth.proofs.nonce(),
    ...(token === undefined ? {} : { ath: createHash('sha256').update(token).digest('base64url') }),
    ...claims,
  })
    .setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk: await exportJWK(key.publicKey) })
    .sign(key.privateKey)
}

/** The headers of a call with a session. */
export async function sessionHeaders(
  app: Pick<Called, 'auth'>,
  url: string,
  token: string,
  key: Key = ownKey,
): Promise<Record<string, string>> {
  return { Authorization: `DPoP ${token}`, DPoP: await proofOf(app, url, { token, key }) }
}

const opensSession: ReadonlySet<WalletApiCall> = new Set(signInCalls)

export async function call<C extends WalletApiCall>(
  app: Called,
  name: C,
  body: WalletApiBody<C>,
  more: {
    readonly token?: string
    readonly key?: Key
    readonly projectId?: string
    readonly headers?: Record<string, string>
    readonly site?: string
  } = {},
): Promise<{ status: number; failure: string | undefined; retryAfter: number; json: unknown }> {
  const site = more.site ?? walletOrigin
  const { token, key = ownKey } = more
  const url = `${site}${walletApi[name].path}`
  const response = await app.request(`${url}?projectId=${more.projectId ?? 'demo'}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Origin: site,
      'Sec-Fetch-Site': 'same-origin',
      'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/130.0.0.0 Safari/537.36',
      ...(token === undefined ? {} : await sessionHeaders(app, url, token, key)),
      ...(opensSession.has(name) && more.headers?.DPoP === undefined ? { DPoP: await proofOf(app, url, { key }) } : {}),
      ...more.headers,
    },
    body: JSON.stringify(body),
  })
  const json: unknown = await response.json()
  return {
    status: response.status,
    failure: failureOf(json),
    retryAfter: Number(response.headers.get('Retry-After')),
    json,
  }
}

/** Throws unless it succeeds. */
export async function succeed<C extends WalletApiCall>(
  app: Called,
  name: C,
  body: WalletApiBody<C>,
  more: Parameters<typeof call>[3] = {},
): Promise<WalletApiAnswer<C>> {
  const { json, status } = await call(app, name, body, more)
  if (status !== 200) throw new Error(`${name} answered ${status} ${JSON.stringify(json)}`)
  return answerOf(name, json)
}

const answers: { readonly [C in WalletApiCall]: { readonly answer: { parse(value: unknown): WalletApiAnswer<C> } } } =
  walletApi

function answerOf<C extends WalletApiCall>(name: C, json: unknown): WalletApiAnswer<C> {
  return answers[name].answer.parse(json)
}

function failureOf(json: unknown): string | undefined {
  const match = /"reasons":\[\{"name":"([^"]+)"/.exec(JSON.stringify(json))
  return match?.[1]
}

export function codeIn(app: Mailbox, address: string): string {
  const text = mailTo(app, address).text
  const code = /^\d{6}$/m.exec(text)?.[0]
  if (code === undefined) throw new Error(`No code in the newest mail to ${address}:\n${text}`)
  return code
}

export function linkIn(app: Mailbox, address: string): string {
  const token = /\/auth\/device\?token=([A-Za-z0-9_-]{43})\b/.exec(mailTo(app, address).text)?.[1]
  if (token === undefined) throw new Error(`No link in the newest mail to ${address}`)
  return token
}

function mailTo(app: Mailbox, address: string) {
  const mail = app.mails.findLast(({ to }) => to === address)
  if (mail === undefined) throw new Error(`No mail to ${address}`)
  return mail
}

/** The link "This was not me" of the newest email to the address. */
export function notMeIn(app: Mailbox, address: string): string {
  const token = /\/auth\/not-me\?token=([\w.-]+)/.exec(mailTo(app, address).text)?.[1]
  if (token === undefined) throw new Error(`No link in the newest mail to ${address}`)
  return token
}

/** The button behind the link {@link notMeIn}. */
export function pressNotMe(
  app: Pick<Called, 'request'>,
  token: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return app.request(`${walletOrigin}/auth/not-me`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: walletOrigin, ...headers },
    body: new URLSearchParams({ token }).toString(),
  })
}

/** The button behind the emailed link. */
export function approve(
  app: Pick<Called, 'request'>,
  token: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return app.request(`${walletOrigin}/auth/device`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: walletOrigin, ...headers },
    body: new URLSearchParams({ token }).toString(),
  })
}

/** Makes an account for the address, on another device and without an email: the next device then needs the link. */
export function haveAccount(app: Pick<TestApp, 'auth'>, email: string) {
  const identity = { provider: 'email', subject: email, email, userName: null } as const
  return app.auth.sessions.signIn(identity, { deviceToken: newToken(), keyThumbprint: newToken() }, 'demo')
}

export async function signInByEmail(
  app: Called & Mailbox,
  email: string,
  deviceToken: string = newToken(),
  solution?: EmailSolution,
) {
  const origin = 'https://app.example.com'
  const { flow, action } = await succeed(app, 'email', { email, deviceToken, origin, ...(solution && { solution }) })
  if (action === 'VERIFY_DEVICE') await approve(app, linkIn(app, email))
  const signedIn = await succeed(app, 'emailVerify', { flow, otp: codeIn(app, email), deviceToken })
  return { ...signedIn, deviceToken }
}
