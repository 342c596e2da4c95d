import { isCaipNetworkId } from '@postern/protocol/namespaces/facts'
import { accountOf, type ChainAccount, isSameAccount, isSameSignIn } from '../account'
import { InvalidMessageError } from '../message/invalid-message'
import { parseMessage } from '../message/parse'
import type { SignInMessage, SignInSession } from '../types'
import { isRecord } from './guards'
import type { SessionStore } from './session-store'
import { SignInError } from './sign-in-error'
import { type StorageWindow, storeText, thisPage } from './stored-text'

export type ServerSessionsOptions = {
  /** URL of `createSiwxHandler`, such as `/siwx`. Every request has its query. */
  readonly url: string
  /** `cookie` (default): scripts cannot read it. `memory`: this page only. */
  readonly token?: 'cookie' | 'local' | 'memory' | undefined
  readonly fetch?: typeof fetch | undefined
  /** Default: `window`. */
  readonly page?: StorageWindow | null | undefined
  /** In ms. Default: 20 s, because a contract's signature is checked on its chain. */
  readonly deadline?: number | undefined
  /** Epoch ms. */
  readonly now?: (() => number) | undefined
}

/**
 * Stores sessions on a server with the routes of `createSiwxHandler`: the dapp's own or the gateway.
 *
 * 1. Changes go to the server one at a time, across all tabs that share the token. A hanging tab delays the others at
 *    most by the deadline.
 * 2. Every request ends: by a response, the deadline or a network failure.
 * 3. `all` returns the sessions that the server confirms. Message and signature are empty unless this page signed in or
 *    the server stores proofs.
 * 4. The server's time in a response corrects this device's clock.
 * 5. A request during which another tab changed the token is repeated.
 */
export function serverSessions(
  options: ServerSessionsOptions,
): SessionStore & { readonly nonce: () => Promise<string> } {
  const { token: place = 'cookie', page = thisPage(), deadline = 20_000, now = Date.now } = options
  const [path = '', ...queries] = options.url.split('?')
  const base = path.replace(/\/+$/, '')
  const query = queries.length === 0 ? '' : `?${queries.join('?')}`
  const key = `postern.siwx.token ${base}${query}`
  const token = storeText(key, place === 'local' ? page : null)
  const locks = place === 'memory' ? undefined : page?.navigator?.locks
  const signedHere = new Map<string, SignInSession>()
  let asking: { readonly of: string | null; readonly answer: Promise<readonly SignInSession[]> } | null = null
  let last: Promise<unknown> = Promise.resolve()
  let ahead = 0

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = () => alone(work)
    const current = last.then(next, next)
    last = current
    return current
  }

  async function alone<T>(work: () => Promise<T>): Promise<T> {
    let started: Promise<T> | undefined
    const begin = () => {
      started = work()
      return started
    }
    // Locks denied, or the wait too long.
    await locks?.request(key, { signal: AbortSignal.timeout(deadline) }, begin).catch(() => {})
    return started ?? work()
  }

  const call = (method: 'GET' | 'POST', route: string, body?: object) =>
    ask(options.fetch ?? fetch, `${base}/${route}${query}`, {
      method,
      credentials: place === 'cookie' ? 'include' : 'omit',
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...bearer(place === 'cookie' ? null : token.read()),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(deadline),
    })

  async function add(sessions: readonly SignInSession[]): Promise<void> {
    const [first] = sessions
    const answer = await call('POST', 'authenticate', sessions.length === 1 && first ? first : { sessions })
    // Page and server must agree on `cookie`.
    if ((place === 'cookie') === hasToken(answer)) throw nonsense()
    for (const session of sessions) signedHere.set(keyOf(session.data), session)
    keep(answer)
  }

  /** Adds first, so that a rejection loses nothing. A nonce works once. */
  async function set(sessions: readonly SignInSession[]): Promise<void> {
    if (sessions.length === 0) return signOut({})
    const before = await all()
    const together = new Map<string, SignInSession[]>()
    for (const session of sessions) {
      if (before.some(({ data }) => isSameSignIn(data, session.data))) continue
      together.set(session.data.nonce, [...(together.get(session.data.nonce) ?? []), session])
    }
    for (const group of together.values()) await add(group)
    for (const { data } of before)
      if (!sessions.some((session) => isSameAccount(accountOf(session.data), accountOf(data))))
        await signOut({ ...accountOf(data) })
  }

  function keep(answer: unknown): void {
    asking = null
    // Also calls the listeners.
    token.write(hasToken(answer) ? answer.token : null)
  }

  async function signOut(account: ChainAccount | Record<string, never>): Promise<void> {
    const answer = await call('POST', 'sign-out', account)
    keep(answer)
  }

  /** Concurrent callers share one request. */
  function all(): Promise<readonly SignInSession[]> {
    const of = token.read()
    const request = asking?.of === of ? asking : { of, answer: askAll(of) }
    asking = request
    const done = () => {
      if (asking === request) asking = null
    }
    request.answer.then(done, done)
    return request.answer
  }

  /** Rule 5. */
  async function askAll(of: string | null): Promise<readonly SignInSession[]> {
    const sessions = await askNow()
    return token.read() === of ? sessions : all()
  }

  async function askNow(): Promise<readonly SignInSession[]> {
    if (place !== 'cookie' && token.read() === null) return []
    try {
      const answer = await call('GET', 'me')
      if (!isRecord(answer) || !Array.isArray(answer.sessions)) throw nonsense()
      readClock(answer)
      return answer.sessions.map((session) => read(session, signedHere))
    } catch (error) {
      if (error instanceof SignInError && /^(NOT_SIGNED_IN|UNVERIFIABLE)$/.test(error.code)) return []
      throw error
    }
  }

  /** Rule 4. */
  function readClock({ now: serverNow }: Record<string, unknown>): void {
    if (typeof serverNow === 'number' && Number.isSafeInteger(serverNow)) ahead = serverNow - now()
  }

  return {
    async nonce() {
      const answer = await call('POST', 'nonce')
      if (!isRecord(answer) || typeof answer.nonce !== 'string') throw nonsense()
      readClock(answer)
      return answer.nonce
    },
    clockAhead: () => ahead,
    add: (session) => inTurn(() => add([session])),
    revoke: (chainId, address) => inTurn(() => signOut({ chainId, address })),
    set: (sessions) => inTurn(() => set(sessions)),
    all,
    subscribe: token.subscribe,
  }
}

const keyOf = ({ nonce, chainId }: Pick<SignInMessage, 'nonce' | 'chainId'>): string => `${nonce} ${chainId}`

const bearer = (token: string | null): Record<string, string> =>
  token === null ? {} : { authorization: `Bearer ${token}` }

const hasToken = (answer: unknown): answer is { readonly token: string } =>
  isRecord(answer) && typeof answer.token === 'string'

/** @throws {SignInError} */
async function ask(fetch: typeof globalThis.fetch, url: string, init: RequestInit): Promise<unknown> {
  let response: Response
  let body: unknown
  try {
    response = await fetch(url, init)
    body = await response.json()
  } catch (cause) {
    throw new SignInError('SERVER_UNREACHABLE', 'The server did not respond', { cause })
  }
  if (response.ok) return body
  const [reason] = isRecord(body) && Array.isArray(body.reasons) ? body.reasons : []
  if (!isRecord(reason) || typeof reason.name !== 'string' || typeof reason.description !== 'string') throw nonsense()
  throw new SignInError(reason.name, reason.description)
}

const nonsense = (): SignInError => new SignInError('SERVER_ANSWER', 'The server sent an unexpected response')

function read(session: unknown, signedHere: ReadonlyMap<string, SignInSession>): SignInSession {
  if (!isRecord(session)) throw nonsense()
  const { chainId, address, domain, uri, nonce, issuedAt, expiresAt } = session
  const isRead =
    isCaipNetworkId(chainId) &&
    typeof address === 'string' &&
    typeof domain === 'string' &&
    typeof uri === 'string' &&
    typeof nonce === 'string' &&
    typeof expiresAt === 'number' &&
    Math.abs(expiresAt) <= 8.64e15
  if (!isRead) throw nonsense()
  const { message, signature, cacao } = signedHere.get(keyOf({ nonce, chainId })) ?? session
  const text = typeof message === 'string' ? message : ''
  const end = new Date(expiresAt).toISOString()
  const data = signedData(text, nonce) ?? {
    ...{ version: '1', accountAddress: address, chainId, domain, uri, nonce },
    ...(typeof issuedAt === 'string' && { issuedAt }),
  }
  const isOwnEnd = data.expirationTime !== undefined && Date.parse(data.expirationTime) <= expiresAt
  return {
    message: text,
    signature: typeof signature === 'string' ? signature : '',
    ...(cacao !== undefined && { cacao }),
    data: isOwnEnd ? data : { ...data, expirationTime: end },
  }
}

function signedData(text: string, nonce: string): SignInMessage | null {
  try {
    const data = parseMessage(text)
    return data.nonce === nonce ? data : null
  } catch (error) {
    if (error instanceof InvalidMessageError) return null
    throw error
  }
}
