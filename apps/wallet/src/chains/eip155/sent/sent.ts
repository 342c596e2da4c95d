/** What this wallet has sent, on this site and device: nonces, hashes, outcomes and batch ids. */

import { type Clock, systemClock } from '@postern/base/clock'
import { isSameAddress } from '@postern/chains/same-address'
import { ReplacementKind } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Address, Hex } from 'viem'
import * as z from 'zod/mini'
import { listIn, memoryNotes, type Notes } from '../../notes'
import { isRefused, judgeBy, replacedMessage, sentState, withoutOldest, withState } from '../../sent-state'
import { bytesOf, EvmAddress, Hash, HexBytes } from '../endpoints/quantities'
import {
  allHashesOf,
  type CallsKey,
  hasId,
  isFirstOf,
  type NewCalls,
  repeats,
  SentCalls,
  withBytes,
  withCalls,
} from './sent-calls'

type Replacement = { readonly kind: ReplacementKind; readonly hash: Hex; readonly signed: Hex }

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const StoredNote = z.object({
  chainId: z.int().check(z.positive()),
  account: EvmAddress,
  /** Hex, with the lane of an operation. */
  nonce: z.string().check(z.regex(/^0x[0-9a-f]{1,64}$/)),
  hash: Hash,
  /** For operations, epoch seconds of the chain's clock: no later block includes it. */
  until: z.optional(z.int().check(z.positive())),
  /** Bytes to send again. An operation: as in `operations/signed.ts`. */
  signed: z.optional(HexBytes),
  /** The dapp's (ERC-7677), as JSON. */
  paymasterContext: z.optional(z.string().check(z.refine(isJson))),
  ...sentState,
})
type StoredNote = z.infer<typeof StoredNote>
/**
 * `replacements`: the user's speed-ups and cancellation, newest last. `refused`: by the node, including earlier tries
 * of
 * the batch. Refused versions have left the wallet, so a block may have one.
 */
export type SentNote = StoredNote & {
  readonly replacements?: readonly Replacement[]
  readonly refused?: readonly RefusedReplacement[]
}
type RefusedReplacement = Pick<Replacement, 'kind' | 'hash'>

/** In the shape of a batch, because a tab of the previous release drops other entries and unknown members. */
const StoredReplacement = z.object({
  owner: EvmAddress,
  origin: ReplacementKind,
  /** The hashes of the note and of the replacement. */
  id: z.string().check(z.regex(/^0x[0-9a-fA-F]{64}:0x[0-9a-fA-F]{64}$/)),
  /** `0x` if refused, or if its note is dropped. */
  callsId: HexBytes,
})
type StoredReplacement = z.infer<typeof StoredReplacement>

type Entry = StoredNote | SentCalls | StoredReplacement
type Stored = { readonly notes: readonly SentNote[]; readonly calls: readonly SentCalls[] }

export type NewNote = Omit<StoredNote, 'isFollowed' | 'state' | 'sentAt' | 'decidedAt'>

export type Sender = { readonly chainId: number; readonly account: Address }

export type Sent = {
  /** Undecided notes, oldest first. */
  of(sender: Sender): Promise<readonly SentNote[]>
  /** Also decided notes that a reorganisation may change. */
  notFinal(sender: Sender): Promise<readonly SentNote[]>
  /** By the hash of the first version. */
  find(sender: Sender, hash: string): Promise<SentNote | null>
  /** Includes refused ones. Works after the note is dropped. */
  replacementsOf(hash: string): Promise<readonly Pick<Replacement, 'kind' | 'hash'>[]>
  /** Notes whose nonce a replacement may take. */
  replaceable(sender: Sender): Promise<readonly SentNote[]>
  /** Ascending. A node may report them as unused. */
  taken(sender: Sender): Promise<readonly { readonly nonce: bigint; readonly isRecent: boolean }[]>
  /** Whether a frame still waits for the node. */
  isInFlight(note: SentNote): boolean
  /** Whether a lagging node or a reorganisation may hide it. */
  isRecent(note: SentNote): boolean
  /** Whether to look for it and send it again; at most once a minute in this frame. */
  isDueAgain(note: SentNote): boolean
  add(note: SentNote): Promise<void>
  /**
   * Stores a note before the broadcast. `known`: the notes that its nonce was chosen by. `calls`: its batch so far. If
   * it repeats an earlier one, both are one note. No other batch has the same bytes any more.
   * @throws {Failure} TRANSACTION_REPLACED if another tab has used the nonce, EIP-5792's 5720 for the id
   */
  begin(
    note: NewNote,
    at: { readonly known: readonly SentNote[]; readonly calls?: NewCalls | undefined },
  ): Promise<void>
  /**
   * The broadcast ended without a hash for the caller. Without `state`, it may have arrived. Otherwise its batch, with
   * the
   * dapp's id `key`, is refused.
   */
  ended(hash: Hex, state?: 'refused' | 'outbid', key?: CallsKey): Promise<void>
  followed(hash: Hex): Promise<void>
  /**
   * Stores a replacement of the note `hash` before the broadcast. `newest`: the hash that it replaces.
   * @throws {Failure} TRANSACTION_REPLACED if the note is not replaceable, or another tab has replaced it
   */
  replace(sender: Sender, hash: Hex, at: { readonly newest: Hex; readonly replacement: Replacement }): Promise<void>
  /** The broadcast of a replacement ended. `refused` restores the note, but its outcome still counts. */
  replaceEnded(hash: Hex, how: 'sent' | 'unknown' | { readonly refused: Hex }): Promise<void>
  /** The outcome is known: decides the note and others with its nonce. */
  settled(hash: Hex): Promise<void>
  /** The chain has used the nonce of the notes. Returns those that no tab had decided before. */
  decide(notes: readonly SentNote[]): Promise<readonly SentNote[]>
  /** The chain used the nonce of `hash`: decides its note. Returns whether no reorganisation can undo that. */
  isFinal(hash: Hex): Promise<boolean>
  /** Returns the notes that no tab had dropped before. */
  forget(notes: readonly SentNote[]): Promise<readonly SentNote[]>
  calls(key: CallsKey): Promise<SentCalls | null>
}

/** In hex digits; larger ones are not stored. */
const maxStoredLength = 262_144

export function storable(signed: Hex): Pick<NewNote, 'signed'> {
  return signed.length <= maxStoredLength ? { signed } : {}
}

/** Batches with a dapp's id; the oldest are dropped. */
const maxCalls = 256
/** Replacements without a note and a stored batch; the oldest are dropped. */
const maxEnded = 64
/** Between two checks of an operation. */
const againMs = 60_000
/** After `until`, in seconds. */
const noteRetentionSeconds = 86_400

/**
 * Creates the store of sent transactions, operations and batches.
 *
 * 1. Every note lasts as long as the frame; in storage, other tabs and later visits see it too.
 * 2. Malformed notes are ignored. Only newer notes of its sender push out an undecided note, and never one whose caller
 *    has no hash.
 * 3. One step across tabs stores a note, if its nonce and batch id are free.
 * 4. A decided note stays for a while: neither a reorganisation nor a lagging node frees a nonce.
 * 5. A replacement is part of one note, that of its nonce. It outlives the note, for the status of a batch. So does the
 *    refused first try of a batch that is sent again.
 * 6. A hash is of one batch: the chain makes its calls once.
 */
export function createSent(storage: Notes = memoryNotes(), clock: Pick<Clock, 'now'> = systemClock()): Sent {
  const list = listIn<Entry>(storage, { read, keyOf })
  const judge = judgeBy(clock)

  function isKept(note: SentNote): boolean {
    // The outcome of an operation is looked up by its note.
    if (note.until === undefined || (!note.isFollowed && note.decidedAt === undefined)) return !judge.isOver(note)
    return note.until + noteRetentionSeconds > clock.now() / 1_000
  }

  async function update(change: (stored: Stored) => Partial<Stored>): Promise<Stored> {
    const entries = await list((all) => {
      const stored = split(all)
      const { notes, calls } = { ...stored, ...change(stored) }
      const kept = withoutOldest(notes.filter(isKept), senderOf)
      return join({ notes: kept, calls }, all.filter(isReplacement))
    })
    return split(entries)
  }

  const updateNote = (hash: Hex, change: (note: SentNote) => SentNote) =>
    update(({ notes }) => ({ notes: notes.map((note) => (note.hash === hash ? change(note) : note)) }))
  const notesOf = async (sender: Sender) => (await update(() => ({}))).notes.filter((note) => isFrom(note, sender))

  /** Rule 5. */
  function isReplaceable(note: SentNote, notes: readonly SentNote[]): boolean {
    const { decidedAt, signed, nonce } = note
    if (decidedAt !== undefined || signed === undefined || isRefused(note)) return false
    const isInUse = (one: SentNote) => keepsNonce(one) || judge.isInFlight(one)
    const rivals = notes.filter((other) => other !== note && isFrom(other, note) && other.nonce === nonce)
    return !judge.isInFlight(note) && !rivals.some(isInUse)
  }

  async function decide(isDecided: (note: SentNote) => boolean): Promise<readonly SentNote[]> {
    const decidedAt = clock.now()
    let decided: readonly SentNote[] = []
    await update(({ notes }) => {
      decided = notes.filter((note) => note.decidedAt === undefined && isDecided(note))
      return { notes: notes.map((note) => (decided.includes(note) ? { ...note, decidedAt } : note)) }
    })
    return decided
  }

  /** Epoch milliseconds. */
  const sentAgain = new Map<Hex, number>()

  return {
    isInFlight: judge.isInFlight,
    isRecent: judge.isRecent,
    of: async (sender) => (await notesOf(sender)).filter(({ decidedAt }) => decidedAt === undefined),
    notFinal: async (sender) => (await notesOf(sender)).filter((note) => !judge.isOver(note)),
    find: async (sender, hash) => (await notesOf(sender)).find((note) => isSame(note.hash, hash)) ?? null,
    async replacementsOf(hash) {
      const entries = (await list((all) => all)).filter(isReplacement)
      return entries.flatMap((entry) => {
        const replaced = readReplacement(entry)
        return isSame(replaced.first, hash) ? [replaced] : []
      })
    },
    async replaceable(sender) {
      const notes = await notesOf(sender)
      return notes.filter((note) => isReplaceable(note, notes))
    },
    async taken(sender) {
      return (await notesOf(sender))
        .filter((note) => (judge.isTaken(note) || keepsNonce(note)) && !judge.isOver(note))
        .map((note) => ({ nonce: BigInt(note.nonce), isRecent: judge.isRecent(note) }))
        .sort((one, other) => (one.nonce < other.nonce ? -1 : 1))
    },
    isDueAgain({ hash, sentAt }) {
      if (judge.isYoung(sentAgain.get(hash) ?? sentAt, againMs)) return false
      sentAgain.set(hash, clock.now())
      return true
    },
    async add(note) {
      await update(({ notes }) => ({ notes: [...notes.filter(({ hash }) => hash !== note.hash), note] }))
    },
    async begin(note, at) {
      const begun: SentNote = { ...note, isFollowed: false, state: 'sending', sentAt: clock.now() }
      await update(({ notes, calls }) => {
        const rivals = notes.filter(
          (other) => isFrom(other, note) && other.nonce === note.nonce && !judge.isOver(other),
        )
        const isKnown = (rival: SentNote) => at.known.some(({ hash }) => hash === rival.hash)
        if (rivals.some((rival) => keepsNonce(rival) || judge.isInFlight(rival) || !isKnown(rival)))
          throw new Failure('TRANSACTION_REPLACED', { message: replacedMessage })
        // The same bytes may follow a refusal.
        const isRepeated = ({ hash }: SentNote) => hash === note.hash || repeats(at.calls, hash)
        const refused = notes.filter(isRepeated).flatMap((one) => [...(one.refused ?? []), asSpeedUp(one)])
        const others = notes.filter((one) => !isRepeated(one))
        // 6
        const added = withoutRefused({ ...begun, ...(refused.length > 0 && { refused }) }, note.hash)
        const isOwn = (one: SentCalls) => at.calls !== undefined && hasId(one, at.calls)
        const all = withBytes(calls, note.hash, isOwn)
        return {
          notes: [...others.map((one) => withoutRefused(one, note.hash)), added],
          calls: at.calls === undefined ? all : withCalls(all, at.calls),
        }
      })
    },
    async ended(hash, state, key) {
      const isRefusedBatch = (one: SentCalls) =>
        state !== undefined && key !== undefined && hasId(one, key) && isFirstOf(hash, one)
      await update(({ notes, calls }) => ({
        notes: notes.map((note) => (note.hash === hash ? withState(note, state === undefined ? {} : { state }) : note)),
        calls: calls.map((one) => (isRefusedBatch(one) ? { ...one, isRefused: true } : one)),
      }))
    },
    async followed(hash) {
      await updateNote(hash, (note) => withState(note, { isFollowed: true }))
    },
    async replace(sender, hash, { newest, replacement }) {
      await update(({ notes, calls }) => {
        const note = notes.find((one) => one.hash === hash && isFrom(one, sender))
        if (note === undefined || !isReplaceable(note, notes) || newestOf(note) !== newest)
          throw new Failure('TRANSACTION_REPLACED', { message: replacedMessage })
        const { replacements = [] } = note
        const replaced = { ...withoutRefused(note, replacement.hash), replacements: [...replacements, replacement] }
        // No other tab replaces it during the broadcast. A followed note keeps its state.
        const next = note.isFollowed ? replaced : { ...replaced, state: 'sending' as const, sentAt: clock.now() }
        return {
          notes: notes.map((one) => (one === note ? next : withoutRefused(one, replacement.hash))),
          calls: withBytes(calls, replacement.hash, (one) => allHashesOf(one).includes(hash)),
        }
      })
    },
    async replaceEnded(hash, how) {
      await updateNote(hash, (note) => {
        const ended = withState(note, {})
        if (typeof how === 'string') return ended
        const { replacements = [], refused = [] } = note
        const isRefused = (one: Replacement) => one.hash === how.refused
        return {
          ...ended,
          replacements: replacements.filter((one) => !isRefused(one)),
          refused: [...refused, ...replacements.filter(isRefused)],
        }
      })
    },
    async settled(hash) {
      const known = (await update(() => ({}))).notes.find((note) => note.hash === hash)
      if (known !== undefined) await decide((note) => isFrom(note, known) && note.nonce === known.nonce)
    },
    decide: (notes) => decide(({ hash }) => notes.some((note) => note.hash === hash)),
    async isFinal(hash) {
      await decide((note) => note.hash === hash)
      const note = (await update(() => ({}))).notes.find((one) => one.hash === hash)
      return note === undefined || judge.isOver(note)
    },
    async forget(notes) {
      let forgotten: readonly SentNote[] = []
      await update((stored) => {
        forgotten = stored.notes.filter(({ hash }) => notes.some((note) => note.hash === hash))
        return { notes: stored.notes.filter((note) => !forgotten.includes(note)) }
      })
      return forgotten
    },
    async calls(key) {
      return (await update(() => ({}))).calls.find((calls) => hasId(calls, key)) ?? null
    },
  }
}

export function hashesOf({ hash, replacements = [], refused = [] }: SentNote): readonly Hex[] {
  return [...[...refused, ...replacements].map((one) => one.hash).toReversed(), hash]
}

/** Whether no later request takes the nonce: the caller has the hash, or the user has replaced it. */
export function keepsNonce({ isFollowed, replacements = [] }: SentNote): boolean {
  return isFollowed || replacements.length > 0
}

export function isCancellation({ replacements = [], refused = [] }: SentNote, hash: Hex): boolean {
  return [...refused, ...replacements].some((one) => one.kind === 'cancel' && one.hash === hash)
}

export function newestOf({ hash, replacements }: SentNote): Hex {
  return replacements?.at(-1)?.hash ?? hash
}

function read(entry: unknown): Entry | null {
  return (
    StoredNote.safeParse(entry).data ??
    StoredReplacement.safeParse(entry).data ??
    SentCalls.safeParse(entry).data ??
    null
  )
}

function keyOf(entry: Entry): string {
  return 'hash' in entry ? entry.hash : JSON.stringify([entry.owner, entry.origin, entry.id])
}

function isReplacement(entry: Entry): entry is StoredReplacement {
  return StoredReplacement.safeParse(entry).success
}

function readReplacement({ origin, id, callsId }: StoredReplacement): Replacement & { readonly first: Hex } {
  const [first = '', hash = ''] = id.split(':')
  return { kind: origin, first: bytesOf(first), hash: bytesOf(hash), signed: callsId }
}

function split(entries: readonly Entry[]): Stored {
  const replaced = entries.filter(isReplacement).map(readReplacement)
  return {
    notes: entries.flatMap((entry) => {
      if (!('hash' in entry)) return []
      const all = replaced.flatMap(({ first, ...one }) => (first === entry.hash ? [one] : []))
      const replacements = all.filter(({ signed }) => signed !== '0x')
      const refused = all.filter(({ signed }) => signed === '0x')
      return [{ ...entry, ...(replacements.length > 0 && { replacements }), ...(refused.length > 0 && { refused }) }]
    }),
    calls: entries.flatMap((entry) => ('hash' in entry || isReplacement(entry) ? [] : [entry])),
  }
}

/** Replacements whose note is dropped stay, without their bytes: those of stored batches as long as these. */
function join({ notes, calls: all }: Stored, before: readonly StoredReplacement[]): readonly Entry[] {
  const calls = all.slice(-maxCalls)
  const hashes = new Set<string>(notes.map(({ hash }) => hash))
  const needed = new Set<string>(calls.flatMap(allHashesOf))
  const isNeeded = (entry: StoredReplacement) => needed.has(readReplacement(entry).first)
  const dropped = before.filter((entry) => {
    const { first, hash } = readReplacement(entry)
    // Bytes that another request sends again are its own.
    return !hashes.has(first) && !hashes.has(hash)
  })
  const newest = dropped.filter((entry) => !isNeeded(entry)).slice(-maxEnded)
  const ended = dropped.filter((entry) => isNeeded(entry) || newest.includes(entry))
  const current = notes.flatMap(({ account, hash, replacements = [], refused = [] }) =>
    [...refused.map((one) => ({ ...one, signed: '0x' as const })), ...replacements].map((one) => ({
      owner: account,
      origin: one.kind,
      id: `${hash}:${one.hash}`,
      callsId: one.signed,
    })),
  )
  return [
    ...notes.map(({ replacements: _, refused: __, ...note }) => note),
    ...calls,
    ...ended.map((entry) => ({ ...entry, callsId: '0x' as const })),
    ...current,
  ]
}

function isSame(hash: string, other: string): boolean {
  return hash.toLowerCase() === other.toLowerCase()
}

function senderOf({ chainId, account }: SentNote): string {
  return `${chainId}:${account}`
}

function isFrom(note: SentNote, { chainId, account }: Sender): boolean {
  return note.chainId === chainId && isSameAddress(note.account, account)
}

function withoutRefused(note: SentNote, hash: Hex): SentNote {
  return note.refused === undefined ? note : { ...note, refused: note.refused.filter((one) => one.hash !== hash) }
}

/** The same call with another fee, for the status of the batch. */
function asSpeedUp({ hash }: SentNote): RefusedReplacement {
  return { kind: 'speedUp', hash }
}
