import fc from 'fast-check'
import { numberToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { createSent, memoryNotes, type Notes, type SentNote } from './sent'

const sender = { chainId: 1, account: '0x00000000000000000000000000000000000F4153' } as const
const now = Math.floor(Date.now() / 1_000)
const note = (index: number, more: Partial<SentNote> = {}): SentNote => ({
  ...sender,
  nonce: numberToHex(index),
  hash: numberToHex(index, { size: 32 }),
  until: now + 3_600,
  isFollowed: false,
  ...more,
})

describe('sent notes', () => {
  it('1. are visible to another tab and to the next visit', async () => {
    const storage = memoryNotes()
    await createSent(storage).add(note(1))
    const later = createSent(storage)
    expect(await later.of(sender)).toEqual([note(1)])
    await later.followed(note(1).hash)
    expect(await createSent(storage).of(sender)).toEqual([note(1, { isFollowed: true })])
  })

  it('1. last as long as the frame if storage is not available', async () => {
    const refusing: Notes = {
      update: async () => {
        throw new DOMException('denied', 'InvalidStateError')
      },
    }
    const sent = createSent(refusing)
    await sent.add(note(1))
    expect(await sent.of(sender)).toEqual([note(1)])
    await sent.settled(note(1).hash)
    expect(await sent.of(sender)).toEqual([])
  })

  it('2. are only those that parse, whatever is in storage', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (junk) => {
        const storage = memoryNotes()
        await storage.update(() => junk)
        const sent = createSent(storage)
        expect(await sent.of(sender)).toEqual([])
        await storage.update((kept) => [junk, ...(Array.isArray(kept) ? kept : []), { ...note(2), nonce: '-1' }])
        await sent.add(note(1))
        expect(await sent.of(sender)).toEqual([note(1)])
      }),
      { numRuns: 50 },
    )
  })

  it('2. are at most 64, and none older than a day after expiry', async () => {
    const storage = memoryNotes()
    const sent = createSent(storage)
    for (let index = 1; index <= 70; index += 1) await sent.add(note(index))
    expect((await sent.of(sender)).map(({ nonce }) => Number(nonce))).toEqual(
      Array.from({ length: 64 }, (_, at) => at + 7),
    )
    await sent.add(note(99, { until: now - 86_401 }))
    expect(await sent.of(sender)).not.toContainEqual(expect.objectContaining({ nonce: '0x63' }))
  })
})
