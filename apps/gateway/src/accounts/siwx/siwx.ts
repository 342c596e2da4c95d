/** The server of `@postern/siwx` on the gateway's database and secrets. */

import {
  createNonces,
  createSessions,
  memoryNonceTries,
  type Nonces,
  type ProofStore,
  type Sessions,
} from '@postern/siwx/server'
import type { Database } from '../../platform/db/open'
import type { Secrets } from '../../platform/secrets/secrets'
import { createRotatingKeys, type RotatingKeys } from './keys'
import { createProofs, createRevokedSessions, createSpentNonces, sweepStores } from './stores'

export type SignIns = {
  /** Other projects' nonces are unknown. */
  nonces(projectId: string): Nonces
  /** @param issuer one project. @param audience one page's origin. */
  sessions(issuer: string, audience: string): Sessions
  readonly proofs: ProofStore
  readonly keys: RotatingKeys
  sweep(): Promise<void>
}

/** In ms. */
const lifetime = 7 * 24 * 60 * 60_000

export function createSignIns(options: {
  readonly database: Pick<Database, 'orm'>
  readonly secrets: Pick<Secrets, 'hashCode' | 'signIns'>
  /** In ms. */
  readonly rotateEvery: number
  /** Epoch milliseconds. */
  readonly now: () => number
}): SignIns {
  const { secrets, rotateEvery, now } = options
  const { orm } = options.database
  const sealer = secrets.signIns
  const keys = createRotatingKeys({ orm, sealer, rotateEvery, tokenLifetime: lifetime, now })
  const spent = createSpentNonces(orm)
  const revoked = createRevokedSessions(orm)
  // Per nonce and replica.
  const tries = memoryNonceTries({ now })
  return {
    nonces: (projectId) => createNonces({ secret: secrets.hashCode(`siwx nonces of ${projectId}`), spent, tries, now }),
    sessions: (issuer, audience) => createSessions({ keys, issuer, audience, lifetime, revoked, now }),
    proofs: createProofs({ orm, sealer, now }),
    keys,
    async sweep() {
      await keys.sweep()
      await sweepStores(orm, now())
    },
  }
}
