import type { Clock } from '@postern/base/clock'
import { limits, type Namespace } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { AuthenticateRequest } from '../../eip155/one-click'
import type { Client, Session } from '../client/client'
import { toFailure } from '../failures'
import type { ProposedNamespaces } from './proposal'
import { signInCodes } from './sign-in-codes'

export type PairingCode = { readonly uri: string; readonly expiresAt: number }

export type Pairing = {
  readonly code: PairingCode
  /** Rejects with USER_REJECTED, or TIMEOUT after the protocol's 5 min. */
  readonly approval: Promise<Session>
  /** Ignores a later approval. */
  drop(): void
}

/** `request`: to sign in too. A wallet without support sees a plain proposal. */
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
    // A prepared pairing that is never shown has no other handler.
    approved.then(release, release)
    const topic = topicOf(uri)
    return {
      code: { uri, expiresAt: clock.now() + limits.pairingLifetime },
      approval: approved,
      drop() {
        // A wallet may sign anyway; its session then ends.
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
    // A wallet that grants nothing creates no session, despite the types.
    if (session === undefined) throw new Failure('CHAIN_NOT_SUPPORTED')
    return { ...session, ...(auths !== undefined && { authentication: auths }) }
  }
  return { uri, approval, release }
}

/** The relay refuses by closing the socket with a reason; the library would retry for a minute. */
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
  // An expiry in the past makes the library settle at once.
  if (proposal !== undefined) client.core.expirer.set(proposal.id, 0)
  // Notifying would open a socket that was closed on purpose.
  if (!client.core.relayer.transportExplicitlyClosed) client.core.pairing.disconnect({ topic }).catch(() => {})
}

export type PairingMaker = {
  prepare(namespaces: readonly Namespace[]): void
  /** The prepared pairing if still valid, otherwise a new one. */
  take(namespaces: readonly Namespace[]): Promise<Pairing>
  end(): void
}

/**
 * Prepares pairings, so that a code is available at once.
 *
 * 1. A pairing lasts 4 min (spec §9) and expires with less than 10 s left (spec §4); then it is dropped unless taken.
 * 2. There is one at a time, for exactly its namespaces.
 * 3. If it could not be prepared, `take` creates it; only then does a failure matter.
 */
export function createPairingMaker(
  clock: Clock,
  make: (namespaces: readonly Namespace[]) => Promise<Pairing>,
): PairingMaker {
  type Prepared = { readonly key: string; readonly pairing: Promise<Pairing | null>; stopTimer: () => void }
  let prepared: Prepared | null = null

  function discard(): void {
    const discarded = prepared
    prepared = null
    discarded?.stopTimer()
    discarded?.pairing.then((pairing) => pairing?.drop())
  }

  return {
    prepare(namespaces) {
      const key = keyOf(namespaces)
      if (prepared?.key === key) return
      discard()
      const next: Prepared = { key, pairing: make(namespaces).catch(() => null), stopTimer: () => {} }
      prepared = next
      next.pairing.then((pairing) => {
        if (prepared !== next) return
        if (pairing === null) prepared = null
        else next.stopTimer = clock.after(timeOnShow(pairing.code, clock), discard)
      })
    },

    async take(namespaces) {
      if (prepared?.key === keyOf(namespaces)) {
        const { pairing: pending, stopTimer } = prepared
        prepared = null
        stopTimer()
        const pairing = await pending
        if (pairing !== null && timeOnShow(pairing.code, clock) > 0) return pairing
        pairing?.drop()
      }
      return make(namespaces)
    },

    end: discard,
  }
}

/** In ms (spec §4). */
export function timeOnShow({ expiresAt }: PairingCode, clock: Clock): number {
  return Math.max(0, expiresAt - limits.pairingExpiryThreshold - clock.now())
}

function keyOf(namespaces: readonly Namespace[]): string {
  return [...namespaces].sort().join()
}
