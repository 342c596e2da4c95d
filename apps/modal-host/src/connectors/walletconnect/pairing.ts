import { limits, type Namespace } from '@postern/protocol'
import type { Clock } from '@postern/protocol/clock'
import { Failure } from '@postern/protocol/failure'
import type { Client, Session } from './client'
import { toFailure } from './failures'
import type { AuthenticateRequest } from './one-click'
import type { ProposedNamespaces } from './proposal'
import { signInCodes } from './sign-in-codes'

export type PairingCode = { readonly uri: string; readonly expiresAt: number }

/** A proposal that waits at the relay for a wallet. */
export type Pairing = {
  readonly code: PairingCode
  /** The wallet's approval; its `authentication` is what the wallet signed where it was asked to sign in. Rejects with USER_REJECTED, or TIMEOUT once the proposal has expired (5 min, the protocol's own time). */
  readonly approval: Promise<Session>
  /** Ends it: the wallet is told where it can be, and a later approval comes to nothing. */
  drop(): void
}

/** With a `request` the wallet is asked to sign in at once; one that cannot finds the plain proposal beside it, and answers that. */
export async function createPairing(
  client: Client,
  clock: Clock,
  namespaces: ProposedNamespaces,
  request: AuthenticateRequest | null = null,
): Promise<Pairing> {
  const connect = () => (request === null ? propose(client, namespaces) : authenticate(client, request))
  try {
    const { uri, approval, release } = await untilRefused(client, connect())
    if (uri === undefined) throw new Failure('INTERNAL')
    const approved = approval().catch((thrown: unknown) => {
      throw toFailure(thrown)
    })
    // Whoever shows the pairing looks at it; one that was made ahead and never shown has nobody.
    approved.then(release, release)
    const topic = topicOf(uri)
    return {
      code: { uri, expiresAt: clock.now() + limits.pairingLifetime },
      approval: approved,
      drop() {
        // A wallet that signs all the same is heard, and its session ended there.
        clock.after(limits.pairingLifetime, release)
        dropPairing(client, topic)
      },
    }
  } catch (thrown) {
    throw toFailure(thrown)
  }
}

async function propose(client: Client, namespaces: ProposedNamespaces) {
  return { ...(await client.connect({ optionalNamespaces: namespaces })), release: () => {} }
}

async function authenticate(client: Client, request: AuthenticateRequest) {
  const { uri, response, release } = await signInCodes(client).request(request)
  async function approval(): Promise<Session> {
    const { session, auths }: Partial<Awaited<ReturnType<typeof response>>> = await response()
    // A wallet that permits nothing makes no session, whatever the library's types say.
    if (session === undefined) throw new Failure('CHAIN_NOT_SUPPORTED')
    return { ...session, ...(auths !== undefined && { authentication: auths }) }
  }
  return { uri, approval, release }
}

/** The relay refuses a project or an origin by closing the socket with words; the library would try for a minute. */
async function untilRefused<T>(client: Client, work: Promise<T>): Promise<T> {
  let stop = () => {}
  const refused = new Promise<never>((_, reject) => {
    client.core.relayer.on('relayer_error', reject)
    stop = () => client.core.relayer.off('relayer_error', reject)
  })
  try {
    return await Promise.race([work, refused])
  } finally {
    stop()
    work.catch(() => {})
  }
}

/** `wc:<topic>@2?…`. Source: https://specs.walletconnect.com/2.0/specs/clients/core/pairing/pairing-uri */
function topicOf(uri: string): string {
  return uri.slice(uri.indexOf(':') + 1, uri.indexOf('@'))
}

function dropPairing(client: Client, topic: string): void {
  const proposal = client.proposal.getAll().find(({ pairingTopic }) => pairingTopic === topic)
  // An expiry in the past: the library forgets the proposal and settles its approval at once.
  if (proposal !== undefined) client.core.expirer.set(proposal.id, 0)
  // Telling would open a socket that was closed on purpose.
  if (!client.core.relayer.transportExplicitlyClosed) client.core.pairing.disconnect({ topic }).catch(() => {})
}

export type PairingMaker = {
  /** Makes one ahead of time. Never rejects. */
  prepare(namespaces: readonly Namespace[]): void
  /** The one that was made ahead where it is still good for these namespaces, else a new one. */
  take(namespaces: readonly Namespace[]): Promise<Pairing>
  end(): void
}

/**
 * Pairings made ahead, so that the code is there when it is asked for.
 *
 * 1. A pairing lasts 4 min (spec §9), and counts as expired with less than 10 s left (spec §4): then it is dropped, unless it was taken.
 * 2. There is one at a time. It is for the namespaces it was made for, and no others.
 * 3. One that could not be made ahead is made when it is taken, and only then does its failure count.
 */
export function createPairingMaker(
  clock: Clock,
  make: (namespaces: readonly Namespace[]) => Promise<Pairing>,
): PairingMaker {
  type Ahead = { readonly key: string; readonly made: Promise<Pairing | null>; stop: () => void }
  let ahead: Ahead | null = null

  function discard(): void {
    const old = ahead
    ahead = null
    old?.stop()
    old?.made.then((pairing) => pairing?.drop())
  }

  return {
    prepare(namespaces) {
      const key = keyOf(namespaces)
      if (ahead?.key === key) return
      discard()
      const mine: Ahead = { key, made: make(namespaces).catch(() => null), stop: () => {} }
      ahead = mine
      mine.made.then((pairing) => {
        if (ahead !== mine) return
        if (pairing === null) ahead = null
        else mine.stop = clock.after(timeOnShow(pairing.code, clock), discard)
      })
    },

    async take(namespaces) {
      if (ahead?.key === keyOf(namespaces)) {
        const { made, stop } = ahead
        ahead = null
        stop()
        const pairing = await made
        if (pairing !== null && timeOnShow(pairing.code, clock) > 0) return pairing
        pairing?.drop()
      }
      return make(namespaces)
    },

    end: discard,
  }
}

/** Milliseconds for which a code may still be shown (spec §4). */
export function timeOnShow({ expiresAt }: PairingCode, clock: Clock): number {
  return Math.max(0, expiresAt - limits.pairingExpiryThreshold - clock.now())
}

function keyOf(namespaces: readonly Namespace[]): string {
  return [...namespaces].sort().join()
}
