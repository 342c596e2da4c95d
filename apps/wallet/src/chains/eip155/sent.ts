/** What this wallet has sent and nobody has the last word of yet, as notes that outlive the frame where the browser lets it keep anything. */

import { isSameAddress } from '@postern/chains/same-address'
import type { Address, Hex } from 'viem'
import * as z from 'zod/mini'
import { EvmAddress, Hash } from './quantities'

/** A place for one value; a change of it is atomic, over tabs too. What comes out of it may be anything. */
export type Notes = {
  update(change: (kept: unknown) => unknown): Promise<unknown>
}

const SentNote = z.object({
  chainId: z.int().check(z.positive()),
  account: EvmAddress,
  /** Hexadecimal; of an operation with its lane. */
  nonce: z.string().check(z.regex(/^0x[0-9a-f]{1,64}$/)),
  hash: Hash,
  /** Epoch seconds by the chain's clock: later no block takes it. */
  until: z.int().check(z.positive()),
  /** Whoever asked for it had its hash or id for an answer; otherwise none, or that nobody knows what became of it. */
  isFollowed: z.boolean(),
})
export type SentNote = z.infer<typeof SentNote>

/** One account on one chain. */
export type Sender = { readonly chainId: number; readonly account: Address }

export type Sent = {
  /** The oldest first. */
  of(sender: Sender): Promise<readonly SentNote[]>
  add(note: SentNote): Promise<void>
  /** Its hash or id was answered. */
  followed(hash: Hex): Promise<void>
  /** Its outcome is known: it is forgotten, and so is whatever else had its nonce. */
  settled(hash: Hex): Promise<void>
  forget(notes: readonly SentNote[]): Promise<void>
}

/** The oldest give way. Each one was approved by the visitor. */
const mostNotes = 64
/** Seconds after `until`: nobody looks for it then any more. */
const keptAfterwards = 86_400

/** For as long as the frame lives. */
export function memoryNotes(): Notes {
  let kept: unknown
  return {
    async update(change) {
      kept = change(kept)
      return kept
    },
  }
}

/**
 * 1. Whatever is noted is known for as long as the frame lives, whether the storage keeps it or not; where it does, tabs and later visits know it too.
 * 2. What does not parse is not there; of what does there are never more than {@link mostNotes}.
 */
export function createSent(storage: Notes = memoryNotes()): Sent {
  const memory = memoryNotes()

  async function change(how: (notes: readonly SentNote[]) => readonly SentNote[]): Promise<readonly SentNote[]> {
    const next = (kept: unknown) => how(parse(kept).filter(isRecent)).slice(-mostNotes)
    const own = parse(await memory.update(next))
    // 1. A storage that fails leaves the memory, which is what it was for.
    const stored = parse(await storage.update(next).catch(() => []))
    return [...stored.filter(({ hash }) => own.every((note) => note.hash !== hash)), ...own]
  }

  const isSame = (one: SentNote, other: SentNote) =>
    one.chainId === other.chainId && isSameAddress(one.account, other.account) && one.nonce === other.nonce

  return {
    async of({ chainId, account }) {
      const notes = await change((all) => all)
      return notes.filter((note) => note.chainId === chainId && isSameAddress(note.account, account))
    },
    async add(note) {
      await change((all) => [...all.filter(({ hash }) => hash !== note.hash), note])
    },
    async followed(hash) {
      await change((all) => all.map((note) => (note.hash === hash ? { ...note, isFollowed: true } : note)))
    },
    async settled(hash) {
      await change((all) => {
        const settled = all.find((note) => note.hash === hash)
        return settled === undefined ? all : all.filter((note) => !isSame(note, settled))
      })
    },
    async forget(notes) {
      await change((all) => all.filter(({ hash }) => notes.every((note) => note.hash !== hash)))
    },
  }
}

function parse(kept: unknown): readonly SentNote[] {
  if (!Array.isArray(kept)) return []
  return kept.flatMap((one: unknown) => {
    const parsed = SentNote.safeParse(one)
    return parsed.success ? [parsed.data] : []
  })
}

function isRecent({ until }: SentNote): boolean {
  return until + keptAfterwards > Date.now() / 1_000
}
