import type { SignatureVerifier } from '../verifiers/verifier'
import { Refusal } from './http'
import { type CheckedToken, type ServerSession, type Sessions, sessionId } from './sessions'
import { look } from './verify-sign-in'

/** What a session was begun with. */
export type Proof = {
  readonly message: string
  readonly signature: string
  /** When the signature was last found good, epoch ms. */
  readonly checkedAt: number
  /** When its chain was last asked, epoch ms, where that gave no answer. A store that does not keep it has chains asked more often. */
  readonly triedAt?: number | undefined
  /** Whether it is a contract's: whose session ends where its proof is lost. Others are not missed; a store need not keep this. */
  readonly contract?: boolean | undefined
}

/** Keeps proofs by the id of their session. Several processes share one. */
export type ProofStore = {
  /** @param expiresAt epoch ms; it may be forgotten after that */
  put(id: string, proof: Proof, expiresAt: number): Promise<void>
  get(id: string): Promise<Proof | null>
  remove(id: string): Promise<void>
}

/** How contracts are asked again. */
export type Recheck = {
  readonly proofs: ProofStore
  readonly verifiers: readonly SignatureVerifier[]
  /** When so long passed since the last time, ms. Default five minutes; 0 asks each time. */
  readonly after?: number | undefined
  /** Asked before a chain is: bounds what that costs. Where it says no, the session is treated as where the chain does not answer. Absent: always. */
  readonly mayAsk?: ((session: ServerSession) => boolean | Promise<boolean>) | undefined
  /** Epoch ms. */
  readonly now?: (() => number) | undefined
}

const oneMinute = 60_000
const fiveMinutes = 5 * oneMinute
/** How long after a question that had no answer the next one is asked at the earliest, ms. Where `after` is shorter, that long. */
const pause = 45_000
/** How long a session is believed that should have been confirmed, ms: with five minutes of `after` half an hour in all. */
const grace = 25 * oneMinute

/**
 * A key's signature stays good for ever; a contract's (EIP-1271) is good as long as the contract says so, which ends when the account's owner changes.
 *
 * 1. So sessions of EVM accounts are asked about again when `after` ms passed since the last time. What the contract says no to ends in every token.
 * 2. A chain that does not answer ends no session, nor does `mayAsk` that says no. But what could not be confirmed for {@link grace} longer is not told until it is: whoever sold
 *    their account could otherwise see to it that nobody gets an answer.
 * 3. A contract's session whose proof was lost ends: it could not be asked about any more, and whoever drove the proof out would keep what is no longer theirs. A key's does not.
 * 4. Who asks while a question is out shares its answer, and for {@link pause} after one without an answer the chain is not asked about the session again: neither counts for `mayAsk`.
 *
 * @returns null where no session is left
 * @throws {Refusal} 503 where all that are left could not be confirmed
 */
export async function recheck(
  checked: CheckedToken,
  options: Recheck & { readonly sessions: Pick<Sessions, 'revoke'> },
): Promise<CheckedToken | null> {
  const looked = await Promise.all(
    checked.sessions.map(async (session) => ({ session, standing: await standingOf(session, options) })),
  )
  const those = (which: Standing) => looked.filter(({ standing }) => standing === which).map(({ session }) => session)
  await options.sessions.revoke(those('ENDED'))
  const proven = those('GOOD')
  if (proven.length > 0) return { sessions: proven, expiresAt: Math.max(...proven.map(({ expiresAt }) => expiresAt)) }
  if (those('UNCONFIRMED').length === 0) return null
  throw new Refusal(503, 'UNVERIFIABLE', 'The session could not be confirmed now')
}

type Standing = 'GOOD' | 'ENDED' | 'UNCONFIRMED'

async function standingOf(session: ServerSession, options: Recheck): Promise<Standing> {
  const { proofs, after = fiveMinutes, now = Date.now } = options
  const { chainId, contract } = session
  const proof = chainId.startsWith('eip155:') ? await proofs.get(sessionId(session)) : null
  if (proof === null) return contract === true ? 'ENDED' : 'GOOD'
  if (proof.checkedAt + after > now()) return 'GOOD'
  const found = await confirm(session, proof, options)
  if (found === 'GOOD') return 'GOOD'
  if (found === 'SIGNATURE_INVALID') return 'ENDED'
  return proof.checkedAt + after + grace > now() ? 'GOOD' : 'UNCONFIRMED'
}

type Found = Awaited<ReturnType<typeof look>>

/** Questions that are out, by the session's id. */
const out = new WeakMap<ProofStore, Map<string, Promise<Found>>>()

/** @see recheck rule 4 */
async function confirm(session: ServerSession, proof: Proof, options: Recheck): Promise<Found> {
  const { proofs, after = fiveMinutes, now = Date.now } = options
  if (proof.triedAt !== undefined && proof.triedAt + Math.min(after, pause) > now()) return 'UNVERIFIABLE'
  // Who wants to know each time gets no answer to an earlier question.
  if (after === 0) return ask(session, proof, options)
  const asked = out.get(proofs) ?? new Map<string, Promise<Found>>()
  out.set(proofs, asked)
  const id = sessionId(session)
  const shared = asked.get(id)
  if (shared !== undefined) return shared
  const mine = ask(session, proof, options)
  asked.set(id, mine)
  try {
    return await mine
  } finally {
    asked.delete(id)
  }
}

async function ask(session: ServerSession, proof: Proof, options: Recheck): Promise<Found> {
  const { proofs, verifiers, mayAsk, now = Date.now } = options
  const { chainId, address, expiresAt, contract } = session
  const id = sessionId(session)
  let isRefused = false
  const found = await look(proof, { chainId, accountAddress: address }, verifiers, async () => {
    isRefused = mayAsk !== undefined && !(await mayAsk(session))
    return !isRefused
  })
  if (isRefused) return 'UNVERIFIABLE'
  const { message, signature, checkedAt } = proof
  const signed = { message, signature, contract }
  if (found === 'GOOD') await proofs.put(id, { ...signed, checkedAt: now() }, expiresAt)
  else if (found === 'UNVERIFIABLE') await proofs.put(id, { ...signed, checkedAt, triedAt: now() }, expiresAt)
  else await proofs.remove(id)
  return found
}

/**
 * In this process alone. When full, what has expired goes first, then the oldest of keys, which nobody misses: sign-ins with keys, which cost nothing, drive
 * out no contract's. Only where all are contracts' does the oldest of those go, and with it its session.
 *
 * @param options.limit proofs
 */
export function memoryProofs(
  options: { readonly limit?: number | undefined; readonly now?: (() => number) | undefined } = {},
): ProofStore {
  const { limit = 10_000, now = Date.now } = options
  type Kept = Map<string, { readonly proof: Proof; readonly expiresAt: number }>
  const ofKeys: Kept = new Map()
  const ofContracts: Kept = new Map()
  let firstEnd = Infinity

  /** All of them, since they end in no order; hence only when one of them did. */
  function sweep(): void {
    const time = now()
    if (time < firstEnd) return
    firstEnd = Infinity
    for (const kept of [ofKeys, ofContracts])
      for (const [id, { expiresAt }] of kept)
        if (expiresAt <= time) kept.delete(id)
        else firstEnd = Math.min(firstEnd, expiresAt)
  }

  const hasRoom = () => ofKeys.size + ofContracts.size < limit

  function makeRoomIn(kept: Kept): boolean {
    if (!hasRoom()) sweep()
    if (hasRoom()) return true
    const leaving = ofKeys.size > 0 ? ofKeys : kept
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
      const kept = proof.contract === true ? ofContracts : ofKeys
      if (!makeRoomIn(kept)) return
      firstEnd = Math.min(firstEnd, expiresAt)
      kept.set(id, { proof, expiresAt })
    },
    async get(id) {
      const found = ofContracts.get(id) ?? ofKeys.get(id)
      return found !== undefined && found.expiresAt > now() ? found.proof : null
    },
    remove: async (id) => remove(id),
  }
}
