import type { SignatureVerifier } from '../verifiers/verifier'
import { Refusal } from './http'
import { type CheckedToken, type ServerSession, type Sessions, sessionId } from './sessions'
import { checkSignature } from './verify-sign-in'

export type Proof = {
  readonly message: string
  readonly signature: string
  /** Epoch ms of the last valid check. */
  readonly checkedAt: number
  /** Epoch ms of the last request without a response. If dropped, nodes are asked more often. */
  readonly triedAt?: number | undefined
  /** Stores may drop it (rule 3 of {@link recheck}). */
  readonly contract?: boolean | undefined
}

/** By session id, shared by processes. */
export type ProofStore = {
  /** @param expiresAt epoch ms; the proof may be dropped afterwards */
  put(id: string, proof: Proof, expiresAt: number): Promise<void>
  get(id: string): Promise<Proof | null>
  remove(id: string): Promise<void>
}

export type Recheck = {
  readonly proofs: ProofStore
  readonly verifiers: readonly SignatureVerifier[]
  /** In ms. Default: five minutes; 0: each time. */
  readonly after?: number | undefined
  /** Default: true. */
  readonly mayAsk?: ((session: ServerSession) => boolean | Promise<boolean>) | undefined
  /** Epoch ms. */
  readonly now?: (() => number) | undefined
}

const oneMinute = 60_000
const fiveMinutes = 5 * oneMinute
/** Min delay after a request without a response, in ms; at most `after`. */
const retryPauseMs = 45_000
/** An unconfirmed session is accepted this long beyond `after`, in ms. */
const gracePeriodMs = 25 * oneMinute

/**
 * Rechecks contract signatures (EIP-1271), which are valid only while the contract accepts them.
 *
 * 1. An EVM session is checked again `after` ms after the last check. If the contract rejects it, it ends in every
 *    token.
 * 2. A chain that does not respond, or `mayAsk` returning false, ends no session. But {@link gracePeriodMs} later the
 *    session is hidden until confirmed: otherwise the seller of an account could keep it by blocking responses.
 * 3. A contract's session ends if its proof is lost: otherwise evicting the proof would preserve it. A key's session
 *    stays.
 * 4. Concurrent callers share one request. After a request without a response, the chain is not asked for {@link
 *    retryPauseMs}. Neither counts for `mayAsk`.
 *
 * @returns null if no session is left
 * @throws {Refusal} 503 if no remaining session could be confirmed
 */
export async function recheck(
  checked: CheckedToken,
  options: Recheck & { readonly sessions: Pick<Sessions, 'revoke'> },
): Promise<CheckedToken | null> {
  const rechecked = await Promise.all(
    checked.sessions.map(async (session) => ({ session, status: await statusOf(session, options) })),
  )
  const withStatus = (which: SessionStatus) =>
    rechecked.filter(({ status }) => status === which).map(({ session }) => session)
  await options.sessions.revoke(withStatus('ENDED'))
  const proven = withStatus('GOOD')
  if (proven.length > 0) return { sessions: proven, expiresAt: Math.max(...proven.map(({ expiresAt }) => expiresAt)) }
  if (withStatus('UNCONFIRMED').length === 0) return null
  throw new Refusal(503, 'UNVERIFIABLE', 'The session could not be confirmed now')
}

type SessionStatus = 'GOOD' | 'ENDED' | 'UNCONFIRMED'

async function statusOf(session: ServerSession, options: Recheck): Promise<SessionStatus> {
  const { proofs, after = fiveMinutes, now = Date.now } = options
  const { chainId, contract } = session
  const proof = chainId.startsWith('eip155:') ? await proofs.get(sessionId(session)) : null
  if (proof === null) return contract === true ? 'ENDED' : 'GOOD'
  if (proof.checkedAt + after > now()) return 'GOOD'
  const status = await confirm(session, proof, options)
  if (status === 'GOOD') return 'GOOD'
  if (status === 'SIGNATURE_INVALID') return 'ENDED'
  return proof.checkedAt + after + gracePeriodMs > now() ? 'GOOD' : 'UNCONFIRMED'
}

type ProofCheck = Awaited<ReturnType<typeof checkSignature>>

const pendingChecks = new WeakMap<ProofStore, Map<string, Promise<ProofCheck>>>()

/** Rule 4 of {@link recheck}. */
async function confirm(session: ServerSession, proof: Proof, options: Recheck): Promise<ProofCheck> {
  const { proofs, after = fiveMinutes, now = Date.now } = options
  if (proof.triedAt !== undefined && proof.triedAt + Math.min(after, retryPauseMs) > now()) return 'UNVERIFIABLE'
  if (after === 0) return ask(session, proof, options)
  const pending = pendingChecks.get(proofs) ?? new Map<string, Promise<ProofCheck>>()
  pendingChecks.set(proofs, pending)
  const id = sessionId(session)
  const shared = pending.get(id)
  if (shared !== undefined) return shared
  const check = ask(session, proof, options)
  pending.set(id, check)
  try {
    return await check
  } finally {
    pending.delete(id)
  }
}

async function ask(session: ServerSession, proof: Proof, options: Recheck): Promise<ProofCheck> {
  const { proofs, verifiers, mayAsk, now = Date.now } = options
  const { chainId, address, expiresAt, contract } = session
  const id = sessionId(session)
  let isRefused = false
  const result = await checkSignature(proof, { chainId, accountAddress: address }, verifiers, async () => {
    isRefused = mayAsk !== undefined && !(await mayAsk(session))
    return !isRefused
  })
  if (isRefused) return 'UNVERIFIABLE'
  const { message, signature, checkedAt } = proof
  const signed = { message, signature, contract }
  if (result === 'GOOD') await proofs.put(id, { ...signed, checkedAt: now() }, expiresAt)
  else if (result === 'UNVERIFIABLE') await proofs.put(id, { ...signed, checkedAt, triedAt: now() }, expiresAt)
  else await proofs.remove(id)
  return result
}

/**
 * When full, evicts expired proofs, then the oldest of keys, then of contracts.
 * Sign-ins with keys cost nothing, so they must not evict a contract's proof, which would end its session.
 * @param options.limit max proofs
 */
export function memoryProofs(
  options: { readonly limit?: number | undefined; readonly now?: (() => number) | undefined } = {},
): ProofStore {
  const { limit = 10_000, now = Date.now } = options
  type StoredProofs = Map<string, { readonly proof: Proof; readonly expiresAt: number }>
  const ofKeys: StoredProofs = new Map()
  const ofContracts: StoredProofs = new Map()
  let firstEnd = Infinity

  /** Not in order of expiry: scans all. */
  function sweep(): void {
    const time = now()
    if (time < firstEnd) return
    firstEnd = Infinity
    for (const proofs of [ofKeys, ofContracts])
      for (const [id, { expiresAt }] of proofs)
        if (expiresAt <= time) proofs.delete(id)
        else firstEnd = Math.min(firstEnd, expiresAt)
  }

  const hasRoom = () => ofKeys.size + ofContracts.size < limit

  function makeRoomIn(target: StoredProofs): boolean {
    if (!hasRoom()) sweep()
    if (hasRoom()) return true
    const leaving = ofKeys.size > 0 ? ofKeys : target
    const [oldest] = leaving.keys()
    if (oldest !== undefined) leaving.delete(oldest)
    return hasRoom()
  }

  function remove(id: string): void {
    ofKeys.delete(id)
    ofContracts.delete(id)
  }

  return {
    async put(id, proof, expiresAt) {
      remove(id)
      const target = proof.contract === true ? ofContracts : ofKeys
      if (!makeRoomIn(target)) return
      firstEnd = Math.min(firstEnd, expiresAt)
      target.set(id, { proof, expiresAt })
    },
    async get(id) {
      const stored = ofContracts.get(id) ?? ofKeys.get(id)
      return stored !== undefined && stored.expiresAt > now() ? stored.proof : null
    },
    remove: async (id) => remove(id),
  }
}
