import { accountOf, isSameAccount, isSameSignIn } from '../account'
import { formatMessage } from '../message/format'
import { InvalidMessageError } from '../message/invalid-message'
import { parseMessage } from '../message/parse'
import { createNonce } from '../nonce'
import { timeErrorOf } from '../times'
import type { SignInMessage, SignInSession, SignInText, Siwx } from '../types'
import type { SignatureVerifier } from '../verifiers/verifier'
import { isSignInSession } from './guards'
import { createListeners } from './listeners'
import type { SessionStore } from './session-store'
import { SignInError } from './sign-in-error'

export type SiwxOptions = {
  /** `localSessions()`, or `serverSessions({ url })`. */
  readonly sessions: SessionStore
  /** Default: `location.host`. */
  readonly domain?: string | undefined
  /** Default: `location.origin`. */
  readonly uri?: string | undefined
  readonly statement?: string | undefined
  readonly resources?: readonly string[] | undefined
  /** In ms. Default: seven days. The server's limit applies too. */
  readonly expiresIn?: number | undefined
  /** Default: the store's, else random. */
  readonly nonce?: (() => Promise<string>) | undefined
  /** Default: only the store verifies. */
  readonly verifiers?: readonly SignatureVerifier[] | undefined
  /** The user must sign in to continue. Default: true. */
  readonly required?: boolean | (() => boolean) | undefined
  /** Default: true. */
  readonly signOutOnDisconnect?: boolean | undefined
  /** Epoch ms. */
  readonly now?: (() => number) | undefined
}

/** For React: `useSyncExternalStore(siwx.subscribe, siwx.getSnapshot)`. */
export type SiwxInPage = Siwx & {
  subscribe(listener: () => void): () => void
  /** Valid sessions; the same array until they change. Empty until loaded. */
  getSnapshot(): readonly SignInSession[]
}

const sevenDays = 7 * 24 * 60 * 60_000
/** In ms. */
const clockSkew = 60_000
/** Timers take a signed 32-bit number (HTML, 8.6). */
const maxTimeoutMs = 2 ** 31 - 1

/**
 * Creates the sign-in plugin for `createPostern({ siwx })`.
 *
 * 1. A message names this page, the account and chain, and an unpredictable nonce.
 * 2. A session is stored if its text matches its data, it is for this page and valid now, and its signature is valid
 *    (with `verifiers`).
 * 3. Sessions are found and ended by chain and address together.
 * 4. A session that expires while the page is open disappears at once; listeners are called.
 * 5. At most one timer runs, and none without listeners.
 * 6. Times follow the verifying server's clock: users whose device's clock is wrong can sign in too.
 */
export function createSiwx(options: SiwxOptions): SiwxInPage {
  const { sessions, required = true, signOutOnDisconnect = true } = options
  const deviceNow = options.now ?? Date.now
  const now = () => deviceNow() + (sessions.clockAhead?.() ?? 0)
  const here = () => ({ domain: options.domain ?? location.host, uri: options.uri ?? location.origin })
  const listeners = createListeners()
  let snapshot: readonly SignInSession[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let unsubscribe: (() => void) | undefined
  let requests = 0

  const isLive = ({ data }: SignInSession): boolean => timeErrorOf(data, now(), 0) !== 'EXPIRED'

  function show(next: readonly SignInSession[]): void {
    const live = next.filter(isLive)
    const changed = JSON.stringify(live) !== JSON.stringify(snapshot)
    if (changed) snapshot = live
    wait()
    if (changed) listeners.call()
  }

  function wait(): void {
    clearTimeout(timer)
    timer = undefined
    const ends = snapshot.flatMap(({ data }) =>
      data.expirationTime === undefined ? [] : [Date.parse(data.expirationTime)],
    )
    if (ends.length === 0 || listeners.size() === 0) return
    timer = setTimeout(() => show(snapshot), Math.min(Math.max(Math.min(...ends) - now(), 0), maxTimeoutMs))
  }

  /** Ignores outdated responses. */
  async function load(): Promise<readonly SignInSession[]> {
    const request = ++requests
    const live = (await sessions.all()).filter(isLive)
    if (request === requests) show(live)
    return live
  }

  /** The next change retries. */
  function refresh(): void {
    load().catch(() => {})
  }

  async function verify(session: SignInSession): Promise<void> {
    if (!isSignInSession(session)) throw new SignInError('MALFORMED', 'This is not a sign-in')
    const data = readText(session)
    const { domain, uri } = here()
    if (data.domain !== domain) throw new SignInError('DOMAIN_MISMATCH', 'The message is for another domain')
    if (originOf(data.uri) !== originOf(uri)) throw new SignInError('URI_MISMATCH', 'The message is for another URI')
    const wrongTime = timeErrorOf(data, now(), clockSkew)
    if (wrongTime === 'EXPIRED' || !isLive(session)) throw new SignInError('EXPIRED', 'The message has expired')
    if (wrongTime !== null) throw new SignInError('NOT_YET_VALID', 'The message is not valid yet')
    await verifySignature(session, data, options.verifiers)
  }

  return {
    async createMessage({ chainId, accountAddress }) {
      const { statement, resources, expiresIn = sevenDays } = options
      const nonce = await (options.nonce ?? sessions.nonce ?? (async () => createNonce()))()
      const time = now()
      return asText({
        ...here(),
        accountAddress,
        chainId,
        version: '1',
        nonce,
        issuedAt: new Date(time).toISOString(),
        expirationTime: new Date(time + expiresIn).toISOString(),
        ...(statement !== undefined && { statement }),
        ...(resources !== undefined && { resources: [...resources] }),
      })
    },
    async addSession(session) {
      await verify(session)
      await sessions.add(session)
      await load()
    },
    async revokeSession(chainId, address) {
      await sessions.revoke(chainId, address)
      await load()
    },
    async setSessions(next) {
      const before = await sessions.all()
      const chosen = next.map((session) => ({
        session,
        existing: before.find((existing) => isSameSignIn(existing.data, session.data)),
      }))
      for (const { session, existing } of chosen) if (existing === undefined) await verify(session)
      await sessions.set(chosen.map(({ session, existing }) => existing ?? session))
      await load()
    },
    async getSessions(chainId, address) {
      const wanted = { chainId, address }
      return (await load()).filter(({ data }) => isSameAccount(accountOf(data), wanted))
    },
    getRequired: () => (typeof required === 'function' ? required() : required),
    signOutOnDisconnect,
    subscribe(listener) {
      const remove = listeners.add(listener)
      if (listeners.size() === 1) {
        unsubscribe = sessions.subscribe(refresh)
        refresh()
      }
      return () => {
        remove()
        if (listeners.size() > 0) return
        unsubscribe?.()
        unsubscribe = undefined
        clearTimeout(timer)
      }
    },
    getSnapshot() {
      // After sleep, the timer is late.
      if (!snapshot.every(isLive)) snapshot = snapshot.filter(isLive)
      return snapshot
    },
  }
}

/** Only data crosses to the modal. */
function asText(message: SignInMessage): SignInText {
  const text = formatMessage(message)
  return Object.defineProperty({ ...message }, 'toString', { value: () => text, enumerable: false })
}

/** `did:…` has no origin: compares the whole URI. */
function originOf(uri: string): string {
  try {
    // Not `URL.canParse`: it needs Safari 17.
    const { origin } = new URL(uri)
    return origin === 'null' ? uri : origin
  } catch {
    return uri
  }
}

function readText({ message, data }: SignInSession): SignInMessage {
  try {
    if (formatMessage(data) === message) return parseMessage(message)
  } catch (error) {
    if (!(error instanceof InvalidMessageError)) throw error
  }
  throw new SignInError('MALFORMED', 'The data differs from the signed message')
}

async function verifySignature(
  { message, signature }: SignInSession,
  { chainId, accountAddress }: SignInMessage,
  verifiers: readonly SignatureVerifier[] | undefined,
): Promise<void> {
  if (verifiers === undefined) return
  const verifier = verifiers.find(({ namespace }) => chainId.startsWith(`${namespace}:`))
  if (verifier === undefined) throw new SignInError('UNVERIFIABLE', 'No verifier supports this chain')
  let isGood: boolean
  try {
    isGood = await verifier.verify({ message, signature, address: accountAddress, chainId })
  } catch (cause) {
    throw new SignInError('UNVERIFIABLE', 'The signature could not be verified now', { cause })
  }
  if (!isGood) throw new SignInError('SIGNATURE_INVALID', 'The signature is not from this account')
}
