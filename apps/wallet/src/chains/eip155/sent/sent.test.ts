import fc from 'fast-check'
import { numberToHex } from 'viem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { memoryNotes, type Notes } from '../../notes'
import { createSent, type SentNote } from './sent'

const sender = { chainId: 1, account: '0x00000000000000000000000000000000000F4153' } as const
const now = 1_800_000_000
beforeEach(() => vi.setSystemTime(now * 1_000))
afterEach(() => vi.useRealTimers())

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

  it('2. are at most 64 whose caller has the hash, and none of an operation a day after its end', async () => {
    const storage = memoryNotes()
    const sent = createSent(storage)
    for (let index = 1; index <= 70; index += 1) await sent.add(note(index, { isFollowed: true }))
    expect((await sent.of(sender)).map(({ nonce }) => Number(nonce))).toEqual(
      Array.from({ length: 64 }, (_, at) => at + 7),
    )
    await sent.add(note(99, { until: now - 86_401, isFollowed: true }))
    expect(await sent.of(sender)).not.toContainEqual(expect.objectContaining({ nonce: '0x63' }))
  })

  it('2. stay if their caller does not know the outcome, whatever comes after', async () => {
    const sent = createSent(memoryNotes())
    await sent.add(note(1, { until: now - 10 * 86_400 }))
    for (let index = 2; index <= 100; index += 1) await sent.add(note(index, { isFollowed: true }))
    expect(await sent.of(sender)).toContainEqual(expect.objectContaining({ nonce: '0x1' }))
  })

  it('2. stay if the newer ones are of another network', async () => {
    const sent = createSent(memoryNotes())
    await sent.add(note(1, { isFollowed: true }))
    for (let index = 2; index <= 70; index += 1) await sent.add(note(index, { chainId: 10, isFollowed: true }))
    expect(await sent.of(sender)).toHaveLength(1)
    expect(await sent.of({ ...sender, chainId: 10 })).toHaveLength(64)
  })

  it('1. are told by the tab that wrote last, after storage failed for a while too', async () => {
    const storage = memoryNotes()
    let isDenied = false
    const sometimes: Notes = {
      update: async (change) => {
        if (isDenied) throw new DOMException('denied', 'InvalidStateError')
        return storage.update(change)
      },
    }
    const [one, other] = [createSent(sometimes), createSent(storage)]
    await one.add(note(1))
    await other.settled(note(1).hash)
    expect(await one.of(sender)).toEqual([])
    isDenied = true
    await one.add(note(2))
    expect(await other.of(sender)).toEqual([])
    isDenied = false
    await other.add(note(3))
    expect((await one.of(sender)).map(({ nonce }) => nonce).sort()).toEqual(['0x2', '0x3'])
    expect(await other.of(sender)).toHaveLength(2)
  })

  it('3. take a nonce and an id once, across tabs', async () => {
    const storage = memoryNotes()
    const [one, other] = [createSent(storage), createSent(storage)]
    const { isFollowed: _, ...first } = note(1)
    const second = { ...first, hash: note(2).hash }
    await one.begin(first, { known: [] })
    await expect(other.begin(second, { known: [] })).rejects.toMatchObject({ code: 'TRANSACTION_REPLACED' })
    await one.ended(first.hash, 'refused')
    await other.begin(second, { known: await other.of(sender) })

    const calls = { owner: sender.account, origin: 'https://app.example', id: 'order-7' }
    const batch = (index: number) => ({ ...calls, callsId: note(index).hash })
    const at = (index: number) => ({ known: [], calls: batch(index) })
    await one.begin({ ...first, nonce: '0x3', hash: note(3).hash }, at(3))
    const again = { ...first, nonce: '0x4', hash: note(4).hash }
    await expect(other.begin(again, at(4))).rejects.toMatchObject({ rpc: 5720 })
    expect((await other.of(sender)).map(({ nonce }) => nonce)).not.toContain('0x4')
    expect(await other.calls(calls)).toEqual(batch(3))
    expect(await other.calls({ ...calls, origin: 'https://other.example' })).toBeNull()
  })

  it('mark the batch that was refused, not another with the same bytes', async () => {
    const sent = createSent()
    const { isFollowed: _, ...first } = note(1)
    const key = (id: string) => ({ owner: sender.account, origin: 'https://app.example', id })
    const begin = async (id: string) =>
      sent.begin(first, { known: await sent.of(sender), calls: { ...key(id), callsId: first.hash } })
    await begin('order-7')
    // Its outcome is unknown.
    await sent.ended(first.hash)
    await begin('order-8')
    await sent.ended(first.hash, 'refused', key('order-8'))
    expect((await sent.calls(key('order-8')))?.isRefused).toBe(true)
    expect((await sent.calls(key('order-7')))?.isRefused).toBeUndefined()
  })

  it('5. leave their replacements behind, without the bytes, at most 64', async () => {
    const storage = memoryNotes()
    const sent = createSent(storage)
    const replaced = (index: number) =>
      note(index, {
        signed: '0x01',
        replacements: [{ kind: 'speedUp', hash: note(index + 1_000).hash, signed: '0x1234' }],
      })
    await sent.add(replaced(1))
    expect(await createSent(storage).of(sender)).toEqual([replaced(1)])
    expect(await sent.forget([replaced(1)])).toEqual([replaced(1)])
    expect(await sent.forget([replaced(1)])).toEqual([])
    expect(await sent.replacementsOf(note(1).hash)).toMatchObject([{ kind: 'speedUp', hash: note(1_001).hash }])
    expect(JSON.stringify(await storage.update((kept) => kept))).not.toContain('1234')
    await sent.add(replaced(100))
    for (let index = 2; index <= 65; index += 1) {
      await sent.add(replaced(index))
      await sent.forget([replaced(index)])
    }
    expect(await sent.replacementsOf(note(1).hash)).toEqual([])
    expect(await sent.replacementsOf(note(2).hash)).toHaveLength(1)
    expect(await sent.of(sender)).toEqual([replaced(100)])
  })

  it('4. keep a nonce that the chain has used, for a while', async () => {
    let at = now * 1_000
    const sent = createSent(memoryNotes(), { now: () => at })
    await sent.add(note(7, { isFollowed: true }))
    await sent.decide(await sent.of(sender))
    expect(await sent.of(sender)).toEqual([])
    expect(await sent.taken(sender)).toEqual([{ nonce: 7n, isRecent: true }])
    at += 601_000
    expect(await sent.taken(sender)).toEqual([])
  })
})
