import { digestOf, type Namespace, SharedUser } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { isWalletNamespace } from '@postern/protocol/namespaces'
import * as z from 'zod/mini'
import type { RequestContext } from '../contract'
import type { Approvals } from '../signing/approvals'
import type { Networks } from '../signing/networks'
import type { Ladder } from '../storage/ladder'
import type { Gateway } from './gateway'
import type { Session } from './session'
import { readClaims } from './token-claims'

export type ShareUser = (namespaces: readonly Namespace[], context: RequestContext) => Promise<{ token: string }>

export type ShareUserOptions = {
  readonly ladder: Ladder
  readonly session: Pick<Session, 'current'>
  readonly gateway: Pick<Gateway, 'call'>
  readonly networks: Pick<Networks, 'current'>
  readonly approvals: Pick<Approvals, 'ask'>
  readonly origin: () => string
  readonly onSettled: (id: string, isDone: boolean) => void
}

/**
 * Tells a site who signed in, after the user agreed.
 *
 * 1. The user approves as for a signature: approvals use the wallet's window if the browser reports no covers.
 * 2. The user reads the token's claims. No token with other claims leaves the frame.
 * 3. An approval, not a refusal, is remembered for this session, user, site, email address and claims.
 * 4. It is stored as a hash over the session's token: it ends with the session and identifies no user.
 */
export function createShareUser(options: ShareUserOptions): ShareUser {
  const { ladder, session, gateway, networks, approvals, onSettled } = options

  return async (namespaces, { id, signal }) => {
    const by = await session.current()
    const origin = options.origin()
    if (by === null || origin === '') throw new Failure('UNAUTHORIZED')
    const fetchToken = async () => {
      const body = { namespaces: [...namespaces], user: true }
      const { token } = await gateway.call('identityToken', body, { session: by, signal })
      const claims = readClaims(Claims, token)
      if (claims === null) throw new Failure('INTERNAL')
      const subject = { kind: 'user', ...claims.user } as const
      return { token, subject, digest: await digestOf([by.token, origin, subject]) }
    }
    const pending = await fetchToken()
    const remembered = async (change: (kept: unknown) => unknown) =>
      (await ladder.current()).store.notes(`shared/${origin}`, change)
    if ((await remembered((kept) => kept)) === pending.digest) return { token: pending.token }
    const networkId = await networks.current(namespaces.find(isWalletNamespace) ?? 'eip155')
    const prepare = async () => ({ subject: pending.subject })
    await approvals.ask({ id, method: 'getIdentityToken', networkId, origin, prepare }, signal)
    try {
      // A new token has its full lifetime.
      const fresh = await fetchToken()
      await remembered(() => pending.digest)
      onSettled(id, true)
      return { token: fresh.digest === pending.digest ? fresh.token : pending.token }
    } catch (thrown) {
      onSettled(id, false)
      throw thrown
    }
  }
}

const Claims = z.object({ user: SharedUser })
