/** What this wallet sent with unknown outcome. Notes outlive the frame if the browser allows storage. */

import { isSameAddress } from '@postern/chains/same-address'
import type { Address, Hex } from 'viem'
import * as z from 'zod/mini'
import { EvmAddress, Hash } from './quantities'

/** An update is atomic, also across tabs. The value read may be anything. */
export type Notes = {
  update(change: (kept: unknown) => unknown): Promise<unknown>
}

const SentNote = z.object({
  chainId: z.int().check(z.positive()),
  account: EvmAddress,
  /** In hex, with the lane of an operation. */
  nonce: z.string().check(z.regex(/^0x[0-9a-f]{1,64}$/)),
  hash: Hash,
  /** Epoch seconds by the chain's clock; no later block includes it. */
  until: z.int().check(z.positive()),
  /** The caller received its hash or id; otherwise nothing, or that the outcome is unknown. */
  isFollowed: z.boolean(),
})
export type SentNote = z.infer<typeof SentNote>

export type Sender = { readonly chainId: number; readonly account: Address }

export type Sent = {
  /** Oldest first. */
  of(sender: Sender): Promise<readonly SentNote[]>
  add(note: SentNote): Promise<void>
  followed(hash: Hex): Promise<void>
  /** The outcome is known: deletes its note and others with its nonce. */
  settled(hash: Hex): Promise<void>
  forget(notes: readonly SentNote[]): Promise<void>
}

/** Max notes; the oldest are dropped. */
const maxNotes = 64
/** How long a note is stored after `until`, in seconds. */
const noteRetentionSeconds = 86_400

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
 * Creates the store of sent notes.
 *
 * 1. Every note lasts as long as the frame, even if storage fails; with storage, other tabs and later visits see it
 *    too.
 * 2. Malformed notes are ignored; at most {@link maxNotes} are stored.
 */
export function createSent(storage: Notes = memoryNotes()): Sent {
  const memory = memoryNotes()

  async function change(how: (notes: readonly SentNote[]) => readonly SentNote[]): Promise<readonly SentNote[]> {
    const next = (kept: unknown) => how(parse(kept).filter(isRecent)).slice(-maxNotes)
    const own = parse(await memory.update(next))
    // 1: fall back to memory if storage fails
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
  return until + noteRetentionSeconds > Date.now() / 1_000
}
