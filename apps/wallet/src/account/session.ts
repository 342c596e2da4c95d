import type { SignedIn, WalletFrameNotice } from '@postern/protocol'
import type { Clock } from '@postern/protocol/clock'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import type { Ladder } from '../storage/ladder'
import type { Tabs } from '../storage/tabs'
import type { StoredSession } from '../window-messages'
import { type Gateway, GatewayError } from './gateway'

export type Session = {
  current(): Promise<StoredSession | null>
  /** Unless the sign-in is wanted no more by now. @throws {Failure} ABORTED where it is not */
  begin(signedIn: SignedIn, isWanted: () => boolean): Promise<void>
  /** Whether the gateway still knows the session; it is renewed by the question. @throws Where the gateway cannot be asked. */
  isConnected(identityToken?: string): Promise<boolean>
  /** By the visitor. Never rejects on what the gateway says: this device forgets it in any case. */
  signOut(): Promise<void>
  /** Without telling the gateway, which ended it itself. `notify` where nobody here asked for it. */
  forget(options: { readonly notify: boolean }): Promise<void>
  /** The gateway refused this token. */
  lost(failure: 'SESSION_EXPIRED' | 'DEVICE_REVOKED', token: string): Promise<void>
  /** Returns what ends the listening to other tabs. */
  followTabs(): () => void
}

export type SessionOptions = {
  readonly ladder: Ladder
  readonly gateway: Gateway
  readonly tabs: Tabs
  readonly clock: Clock
  readonly notify: (notice: WalletFrameNotice) => void
  /** Somebody signed in. */
  readonly onBegin: () => void
  /** Whatever lives with the session ends with it. */
  readonly onEnd: () => void
}

/** Of the identity token: times in epoch seconds. */
const Claims = z.object({
  sub: z.optional(z.string()),
  nbf: z.optional(z.number()),
  iat: z.optional(z.number()),
})
/** Ms that two clocks may differ by. */
const skew = 60_000
/** Ms that a sign-out waits for the gateway. */
const signOutWait = 5_000

/**
 * Who is signed in on this storage.
 *
 * 1. What storage says is the truth of this device, read anew for each use: two tabs agree. Whether it is still worth something only the gateway says.
 * 2. Each beginning and renewal is told as SESSION_UPDATE with the identity token, which opens nothing. The session token is told to nobody.
 * 3. An identity token from the future is 'JWT Token is not yet valid' (spec §8): the clock of this device is wrong.
 * 4. A session that ended elsewhere (another tab, another device, the gateway) is told as SESSION_ENDED, once. One that was ended here is not.
 * 5. The end clears the session and the last network (spec §4). The device's shares stay: they open nothing without a sign-in. Those of a revoked device go.
 * 6. What the gateway answers about a session counts for that one alone: it neither brings back one that ended meanwhile, nor takes the place of a newer one. The end of one is
 *    told to the gateway once it is over here, so that whoever signs in meanwhile stays in.
 * 7. A sign-in that was left while the gateway answered begins no session: what the gateway began for it ends there.
 */
export function createSession({ ladder, gateway, tabs, clock, notify, onBegin, onEnd }: SessionOptions): Session {
  /** Whom the modal takes to be signed in. */
  let announced: string | null = null

  const current = async () => (await ladder.current()).store.session()

  async function keep(signedIn: SignedIn): Promise<void> {
    const { sessionToken, expiresAt, user, identityToken } = signedIn
    const { store } = await ladder.current()
    await store.setSession({ token: sessionToken, expiresAt, user })
    announced = user.id
    notify({ name: 'SESSION_UPDATE', token: identityToken })
  }

  /** Whether the gateway can be told or not; its own copy lapses by itself. */
  async function endAtGateway(token: string): Promise<void> {
    const wait = new AbortController()
    const stop = clock.after(signOutWait, () => wait.abort())
    await gateway.call('signOut', {}, { signal: wait.signal, token }).catch(() => null)
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
    const claims = identityToken === undefined ? null : readClaims(identityToken)
    if (claims !== null && Math.max(claims.nbf ?? 0, claims.iat ?? 0) * 1000 > clock.now() + skew)
      throw new Failure('SESSION_EXPIRED')
    const session = await current()
    if (session === null) return false
    if (claims?.sub !== undefined && claims.sub !== session.user.id) return false
    const { token } = session
    let renewed: SignedIn
    try {
      renewed = await gateway.call('session', {}, { token })
    } catch (thrown) {
      if (thrown instanceof GatewayError && isEnd(thrown.failure)) return false
      throw thrown
    }
    // 6.
    if ((await current())?.token !== token) return isConnected(identityToken)
    await keep(renewed)
    return true
  }

  return {
    current,
    async begin(signedIn, isWanted) {
      const before = await current()
      // 7.
      if (!isWanted()) {
        void endAtGateway(signedIn.sessionToken)
        throw new Failure('ABORTED')
      }
      if (before !== null && before.user.id !== signedIn.user.id) onEnd()
      await keep(signedIn)
      tabs.tellSessionChanged()
      onBegin()
    },

    isConnected,

    async signOut() {
      const session = await current()
      // 6.
      await forget({ notify: false })
      if (session !== null) await endAtGateway(session.token)
    },

    forget,

    async lost(failure, token) {
      const session = await current()
      // A newer session took its place while the call was under way.
      if (session === null || session.token !== token) return
      if (failure === 'DEVICE_REVOKED') {
        const { store } = await ladder.current()
        await store.dropShare(session.user.id)
      }
      await forget({ notify: announced !== null })
    },

    followTabs: () =>
      tabs.onSessionChanged(async () => {
        const session = await current().catch(() => null)
        if (announced === null || session?.user.id === announced) return
        announced = null
        onEnd()
        notify({ name: 'SESSION_ENDED' })
      }),
  }
}

function isEnd(failure: GatewayError['failure']): boolean {
  return failure === 'SESSION_EXPIRED' || failure === 'DEVICE_REVOKED'
}

/** The claims of a JWT, unverified: they decide nothing but how a refusal is worded. Null for what is none. */
function readClaims(token: string): z.infer<typeof Claims> | null {
  const [, body = ''] = token.split('.')
  try {
    const claims = Claims.safeParse(JSON.parse(atob(body.replaceAll('-', '+').replaceAll('_', '/'))))
    return claims.success ? claims.data : null
  } catch {
    return null
  }
}
