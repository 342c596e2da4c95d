import { accountOf, isSameAccount, isSameSignIn } from '../account'
import { formatMessage } from '../message/format'
import { InvalidMessageError } from '../message/invalid-message'
import { parseMessage } from '../message/parse'
import { createNonce } from '../nonce'
import { untimely } from '../times'
import type { SignInMessage, SignInSession, SignInText, Siwx } from '../types'
import type { SignatureVerifier } from '../verifiers/verifier'
import { isSignInSession } from './guards'
import { createListeners } from './listeners'
import type { SessionStore } from './session-store'
import { SignInError } from './sign-in-error'

/** What {@link createSiwx} takes: where sessions are, and what its messages say. */
export type SiwxOptions = {
  /** Where sessions are: `localSessions()`, or `serverSessions({ url })`. */
  readonly sessions: SessionStore
  /** Default `location.host`. */
  readonly domain?: string | undefined
  /** Default `location.origin`. */
  readonly uri?: string | undefined
  /** One sentence that the visitor reads in their wallet. */
  readonly statement?: string | undefined
  readonly resources?: readonly string[] | undefined
  /** How long a session lasts, ms. Default seven days; with a server its own lifetime counts too, whichever ends first. */
  readonly expiresIn?: number | undefined
  /** Default the store's (a server gives out its own), else random. */
  readonly nonce?: (() => Promise<string>) | undefined
  /** Look at signatures in the page before a session is kept. Absent: whoever keeps them does. */
  readonly verifiers?: readonly SignatureVerifier[] | undefined
  /** Whether nobody may go on without signing in. Default true. */
  readonly required?: boolean | (() => boolean) | undefined
  /** Whether sessions end with the connection. Default true. */
  readonly signOutOnDisconnect?: boolean | undefined
  /** Epoch ms. */
  readonly now?: (() => number) | undefined
}

/** The plugin, and the sessions for whoever draws them: `useSyncExternalStore(siwx.subscribe, siwx.getSnapshot)`. */
export type SiwxInPage = Siwx & {
  /** Calls when a session came, went or ran out. Returns the unsubscribe. */
  subscribe(listener: () => void): () => void
  /** The sessions that are good now: the same array until they change. Empty until `subscribe` or `getSessions` first asked the store. */
  getSnapshot(): readonly SignInSession[]
}

const sevenDays = 7 * 24 * 60 * 60_000
/** How far the visitor's clock may have been from another's that wrote a time, ms. */
const clockSkew = 60_000
/** The longest that a timer waits (HTML, 8.6: a signed 32-bit number of ms). */
const longestWait = 2 ** 31 - 1

/**
 * Sign-in with wallet for `createPostern({ siwx })`.
 *
 * 1. A message names this page, its account and chain, and a nonce that nobody can foresee.
 * 2. A session is kept when its text is what its data says, it names this page, its time is now, and its signature is good where `verifiers`
 *    can say so. Everything else rejects with the reason.
 * 3. Sessions are found and ended by chain and address, both.
 * 4. A session that runs out while the page is open is gone at that moment: from `getSessions`, and from the snapshot, whose listeners hear it.
 * 5. One timer at most, and none while nobody listens.
 */
export function createSiwx(options: SiwxOptions): SiwxInPage {
  const { sessions, required = true, signOutOnDisconnect = true, now = Date.now } = options
  const here = () => ({ domain: options.domain ?? location.host, uri: options.uri ?? location.origin })
  const listeners = createListeners()
  let snapshot: readonly SignInSession[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let unsubscribe: (() => void) | undefined
  let asked = 0

  const isLive = ({ data }: SignInSession): boolean => untimely(data, now(), 0) !== 'EXPIRED'

  function show(next: readonly SignInSession[]): void {
    const live = next.filter(isLive)
    const changed = JSON.stringify(live) !== JSON.stringify(snapshot)
    if (changed) snapshot = live
    wait()
    if (changed) listeners.call()
  }

  /** Until the first of them runs out. */
  function wait(): void {
    clearTimeout(timer)
    timer = undefined
    const ends = snapshot.flatMap(({ data }) =>
      data.expirationTime === undefined ? [] : [Date.parse(data.expirationTime)],
    )
    if (ends.length === 0 || listeners.size() === 0) return
    timer = setTimeout(() => show(snapshot), Math.min(Math.max(Math.min(...ends) - now(), 0), longestWait))
  }

  /** What the store says now. An answer that a later one overtook changes nothing that is shown. */
  async function load(): Promise<readonly SignInSession[]> {
    const mine = ++asked
    const live = (await sessions.all()).filter(isLive)
    if (mine === asked) show(live)
    return live
  }

  /** For listeners alone: a store that fails now is asked again at the next change, and by everybody who calls `getSessions`. */
  function refresh(): void {
    load().catch(() => {})
  }

  async function verify(session: SignInSession): Promise<void> {
    if (!isSignInSession(session)) throw new SignInError('MALFORMED', 'This is not a sign-in')
    const data = readText(session)
    const { domain, uri } = here()
    if (data.domain !== domain) throw new SignInError('DOMAIN_MISMATCH', 'The message is for another domain')
    if (originOf(data.uri) !== originOf(uri)) throw new SignInError('URI_MISMATCH', 'The message is for another URI')
    const wrongTime = untimely(data, now(), clockSkew)
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
        kept: before.find((kept) => isSameSignIn(kept.data, session.data)),
      }))
      for (const { session, kept } of chosen) if (kept === undefined) await verify(session)
      await sessions.set(chosen.map(({ session, kept }) => kept ?? session))
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
      // A laptop that slept wakes with its timer late.
      if (!snapshot.every(isLive)) snapshot = snapshot.filter(isLive)
      return snapshot
    },
  }
}

/** `toString` is not one of its members for whoever lists or clones them: only data crosses to the modal. */
function asText(message: SignInMessage): SignInText {
  const text = formatMessage(message)
  return Object.defineProperty({ ...message }, 'toString', { value: () => text, enumerable: false })
}

/** A URI that has no origin (`did:…`) stands for itself. */
function originOf(uri: string): string {
  const { origin } = URL.canParse(uri) ? new URL(uri) : { origin: 'null' }
  return origin === 'null' ? uri : origin
}

/** What was signed, where the data says the same. */
function readText({ message, data }: SignInSession): SignInMessage {
  try {
    if (formatMessage(data) === message) return parseMessage(message)
  } catch (error) {
    if (!(error instanceof InvalidMessageError)) throw error
  }
  throw new SignInError('MALFORMED', 'The data is not what was signed')
}

async function verifySignature(
  { message, signature }: SignInSession,
  { chainId, accountAddress }: SignInMessage,
  verifiers: readonly SignatureVerifier[] | undefined,
): Promise<void> {
  if (verifiers === undefined) return
  const verifier = verifiers.find(({ namespace }) => chainId.startsWith(`${namespace}:`))
  if (verifier === undefined) throw new SignInError('UNVERIFIABLE', 'Nobody can verify signatures of this chain here')
  let isGood: boolean
  try {
    isGood = await verifier.verify({ message, signature, address: accountAddress, chainId })
  } catch (cause) {
    throw new SignInError('UNVERIFIABLE', 'The signature could not be verified now', { cause })
  }
  if (!isGood) throw new SignInError('SIGNATURE_INVALID', 'The signature is not of this account')
}
