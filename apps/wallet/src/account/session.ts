import type { Clock } from '@postern/base/clock'
import type { SignedIn, WalletFrameNotice } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import type { Ladder } from '../storage/ladder'
import type { Tabs } from '../storage/tabs'
import type { SessionKey, StoredSession } from '../window-messages'
import { type Credentials, type Gateway, GatewayError } from './gateway'
import { readClaims } from './token-claims'

export type Session = {
  current(): Promise<StoredSession | null>
  /** @throws {Failure} ABORTED if the sign-in is no longer wanted */
  begin(signedIn: SignedIn, key: SessionKey, isWanted: () => boolean): Promise<void>
  /** @throws if the gateway cannot be reached */
  isConnected(identityToken?: string): Promise<boolean>
  /** Never rejects because of the gateway. */
  signOut(): Promise<void>
  /** For a session that the gateway ended. `notify`: this frame did not request that. */
  forget(options: { readonly notify: boolean }): Promise<void>
  lost(token: string): Promise<void>
  followTabs(): () => void
}

export type SessionOptions = {
  readonly ladder: Ladder
  readonly gateway: Gateway
  readonly tabs: Tabs
  readonly clock: Clock
  readonly notify: (notice: WalletFrameNotice) => void
  readonly onBegin: () => void
  readonly onEnd: () => void
}

/** In epoch seconds. */
const Claims = z.object({
  sub: z.optional(z.string()),
  nbf: z.optional(z.number()),
  iat: z.optional(z.number()),
})
/** Max clock difference, in ms. */
const skew = 60_000
const signOutTimeoutMs = 5_000

/**
 * The session of the signed-in user.
 *
 * 1. Each use reads storage, so that tabs agree. Only the gateway knows whether the session is valid.
 * 2. Each start and renewal sends SESSION_UPDATE with the identity token, which grants nothing. No message has the
 *    session token.
 * 3. An identity token from the future is DEVICE_CLOCK_WRONG. The session stays.
 * 4. A session that ended elsewhere (another tab or device, the gateway, cleared storage) sends SESSION_ENDED once.
 * 5. The end clears the session and the last network (spec §4). The device's shares stay, even if the gateway says that
 *    the device was removed: that may be false.
 * 6. The gateway's response neither revives an ended session nor replaces a newer one. Sign-out ends the session here
 *    first, so a user who signs in meanwhile stays signed in.
 * 7. A sign-in abandoned while the gateway responds starts no session; the gateway's is ended.
 * 8. No renewal changes the user: WALLET_NOT_REPORTED, and the session stays.
 * 9. The session's key is stored with it: tabs and the wallet window share it.
 */
export function createSession({ ladder, gateway, tabs, clock, notify, onBegin, onEnd }: SessionOptions): Session {
  let announced: string | null = null

  const stored = async () => (await ladder.current()).store.session()

  /** Rule 4. */
  function endedElsewhere(): void {
    announced = null
    onEnd()
    notify({ name: 'SESSION_ENDED' })
  }

  /** The user cleared the storage, or another tab signed out. */
  async function current(): Promise<StoredSession | null> {
    const session = await stored()
    if (session === null && announced !== null) endedElsewhere()
    return session
  }

  async function keep(signedIn: SignedIn, key: SessionKey): Promise<void> {
    const { sessionToken, expiresAt, user, identityToken } = signedIn
    const { store } = await ladder.current()
    await store.setSession({ token: sessionToken, key, expiresAt, user })
    announced = user.id
    notify({ name: 'SESSION_UPDATE', token: identityToken })
  }

  /** Best effort: the gateway's session expires anyway. */
  async function endAtGateway(session: Credentials): Promise<void> {
    const wait = new AbortController()
    const stop = clock.after(signOutTimeoutMs, () => wait.abort())
    await gateway.call('signOut', {}, { signal: wait.signal, session }).catch(() => null)
    stop()
  }

  async function forget({ notify: tell }: { readonly notify: boolean }): Promise<void> {
    announced = null
    onEnd()
    const { store } = await ladder.current()
    await store.setSession(null)
    await store.updatePreferences(({ networkId: _, ...rest }) => rest)
    tabs.tellSessionChanged()
    if (tell) notify({ name: 'SESSION_ENDED' })
  }

  async function isConnected(identityToken?: string): Promise<boolean> {
    const claims = identityToken === undefined ? null : readClaims(Claims, identityToken)
    if (claims !== null && Math.max(claims.nbf ?? 0, claims.iat ?? 0) * 1000 > clock.now() + skew)
      throw new Failure('DEVICE_CLOCK_WRONG')
    const session = await current()
    if (session === null) return false
    if (claims?.sub !== undefined && claims.sub !== session.user.id) return false
    const { token } = session
    let renewed: SignedIn
    try {
      renewed = await gateway.call('session', {}, { session })
    } catch (thrown) {
      if (thrown instanceof GatewayError && isEnd(thrown.failure)) return false
      throw thrown
    }
    // Rule 6.
    if ((await current())?.token !== token) return isConnected(identityToken)
    if (renewed.user.id !== session.user.id) throw new Failure('WALLET_NOT_REPORTED')
    await keep(renewed, session.key)
    return true
  }

  return {
    current,
    async begin(signedIn, key, isWanted) {
      const before = await current()
      // Rule 7.
      if (!isWanted()) {
        void endAtGateway({ token: signedIn.sessionToken, key })
        throw new Failure('ABORTED')
      }
      if (before !== null && before.user.id !== signedIn.user.id) onEnd()
      await keep(signedIn, key)
      tabs.tellSessionChanged()
      onBegin()
    },

    isConnected,

    async signOut() {
      const session = await stored()
      // Rule 6.
      await forget({ notify: false })
      if (session !== null) await endAtGateway(session)
    },

    forget,

    async lost(token) {
      const session = await current()
      if (session === null || session.token !== token) return
      await forget({ notify: announced !== null })
    },

    followTabs: () =>
      tabs.onSessionChanged(() => {
        stored().then(
          (session) => {
            if (announced !== null && session?.user.id !== announced) endedElsewhere()
          },
          // The next request reads the storage again.
          () => {},
        )
      }),
  }
}

function isEnd(failure: GatewayError['failure']): boolean {
  return failure === 'SESSION_EXPIRED' || failure === 'DEVICE_REVOKED'
}
