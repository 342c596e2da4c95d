import fc from 'fast-check'
import { type Address, type Hex, numberToHex } from 'viem'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { memoryNotes } from '../../notes'
import { createSent, type SentNote } from './sent'
import { type Found, requiredNonce } from './settle'

const account: Address = '0x00000000000000000000000000000000000F4153'
const sender = { chainId: 31_337, account }
const start = 1_800_000_000
beforeEach(() => vi.setSystemTime(start * 1_000))
afterEach(() => vi.useRealTimers())

function world() {
  let next = 7n
  let time = start
  let isBeyondGap = false
  const found = new Map<Hex, Found>()
  const sent = createSent()
  const note = (index: number, more: Partial<SentNote> = {}): SentNote => ({
    ...sender,
    nonce: '0x7',
    hash: numberToHex(index, { size: 32 }),
    until: start + 3_600,
    isFollowed: false,
    ...more,
  })
  return {
    sent,
    note,
    settle: () =>
      requiredNonce(sender, sent, {
        next: async () => next,
        find: async (hash) => found.get(hash) ?? null,
        now: async () => BigInt(time),
        isBeyondGap: () => isBeyondGap,
      }),
    leaveGap() {
      isBeyondGap = true
    },
    include({ hash }: SentNote, isGood = true) {
      next = 8n
      found.set(hash, { kind: 'included', isGood, transactionHash: numberToHex(99, { size: 32 }) })
    },
    useNonce() {
      next = 8n
    },
    hold: ({ hash }: SentNote) => found.set(hash, { kind: 'waiting' }),
    drop: ({ hash }: SentNote) => found.delete(hash),
    pass(seconds: number) {
      time += seconds
    },
  }
}

describe('a sent transaction that seemed to fail', () => {
  it('2. leaves its nonce to the next request, every time', async () => {
    const { sent, note, settle } = world()
    expect(await settle()).toBeNull()
    await sent.add(note(1))
    expect(await settle()).toBe(7n)
    await sent.add(note(2))
    expect(await settle()).toBe(7n)
  })

  it('3. makes others wait while a bundler or node has it', async () => {
    const { sent, note, settle, hold, drop } = world()
    await sent.add(note(1))
    hold(note(1))
    for (const _ of [1, 2])
      await expect(settle()).rejects.toMatchObject({ code: 'REQUEST_PENDING', data: { sentHash: note(1).hash } })
    drop(note(1))
    expect(await settle()).toBe(7n)
  })

  it('4. is reported once if it was executed after all', async () => {
    const { sent, note, settle, include } = world()
    await sent.add(note(1))
    await sent.add(note(2))
    include(note(1))
    await expect(settle()).rejects.toMatchObject({
      code: 'TRANSACTION_REPLACED',
      message: expect.stringContaining('was carried out after all'),
      data: { sentHash: note(1).hash, transactionHash: expect.any(String) },
    })
    expect(await settle()).toBeNull()
  })

  it('4. is reported too if it is unknown what used its nonce', async () => {
    const { sent, note, settle, useNonce } = world()
    await sent.add(note(1))
    useNonce()
    await expect(settle()).rejects.toMatchObject({ message: expect.stringContaining('may have been carried out') })
    expect(await settle()).toBeNull()
  })

  it('4. is not reported if it reverted, or if a followed transaction used the nonce', async () => {
    const reverted = world()
    await reverted.sent.add(reverted.note(1))
    reverted.include(reverted.note(1), false)
    expect(await reverted.settle()).toBeNull()

    const overtaken = world()
    await overtaken.sent.add(overtaken.note(1))
    await overtaken.sent.add(overtaken.note(2))
    await overtaken.sent.followed(overtaken.note(2).hash)
    overtaken.include(overtaken.note(2))
    expect(await overtaken.settle()).toBeNull()
  })

  it('4. is reported if it overtook a followed transaction', async () => {
    const { sent, note, settle, include } = world()
    await sent.add(note(1))
    await sent.add(note(2, { isFollowed: true }))
    include(note(1))
    await expect(settle()).rejects.toMatchObject({ data: { sentHash: note(1).hash } })
  })

  it('5. is dropped once no block can include it', async () => {
    const { sent, note, settle, pass } = world()
    await sent.add(note(1))
    pass(4_201)
    expect(await settle()).toBeNull()
    expect(await sent.of(sender)).toEqual([])
  })

  it('6. does not block other requests while it is followed, nor other senders', async () => {
    const { sent, note, settle } = world()
    await sent.add(note(1, { isFollowed: true }))
    await sent.add(note(2, { chainId: 1 }))
    await sent.add(note(3, { account: '0x00000000000000000000000000000000000F4154' }))
    expect(await settle()).toBeNull()
  })

  it('4. is reported in one tab only', async () => {
    const storage = memoryNotes()
    const [one, other] = [createSent(storage), createSent(storage)]
    const { note } = world()
    await one.add(note(1))
    const probe = { next: async () => 8n, find: async () => null, now: async () => BigInt(start) }
    await expect(requiredNonce(sender, other, probe)).rejects.toMatchObject({ code: 'TRANSACTION_REPLACED' })
    expect(await requiredNonce(sender, one, probe)).toBeNull()
  })

  it('4. is not reported if the node refused it and does not know it', async () => {
    const { sent, note, settle, useNonce } = world()
    await sent.add(note(1, { state: 'refused' }))
    await sent.add(note(2, { state: 'outbid', nonce: '0x6' }))
    useNonce()
    expect(await settle()).toBeNull()
  })

  it('6. keeps the nonce of a followed one that waits, also if an earlier one with it was refused', async () => {
    const { sent, note, settle, hold } = world()
    await sent.add(note(1, { state: 'refused' }))
    await sent.add(note(2, { isFollowed: true }))
    hold(note(2))
    expect(await settle()).toBeNull()
    expect(await sent.taken(sender)).toMatchObject([{ nonce: 7n }])
  })

  it('3. makes others wait while its frame waits for the node, for a minute at most', async () => {
    const { sent, note, settle } = world()
    await sent.add(note(1, { state: 'sending', sentAt: start * 1_000 - 59_000 }))
    await expect(settle()).rejects.toMatchObject({ code: 'REQUEST_PENDING' })
    await sent.add(note(1, { state: 'sending', sentAt: start * 1_000 - 60_000 }))
    expect(await settle()).toBe(7n)
  })

  it('6. makes others wait after the user replaced it, although no node has either', async () => {
    const { sent, note, settle, include } = world()
    await sent.add(note(1))
    const replacement = { kind: 'cancel' as const, hash: note(99).hash, signed: '0x02' as const }
    const signed = '0x01' as const
    await sent.add(note(1, { signed, replacements: [replacement] }))
    await expect(settle()).rejects.toMatchObject({ code: 'REQUEST_PENDING', data: { sentHash: note(1).hash } })
    include(note(99))
    expect(await settle()).toBeNull()
  })

  it.each([true, false])(
    '8. is reported once beyond a gap when no node that lags explains the gap; a followed one after it: %s',
    async (isFollowed) => {
      const { sent, note, settle, leaveGap } = world()
      const sentAt = start * 1_000
      await sent.add(note(1, { sentAt }))
      await sent.add(note(2, { sentAt, isFollowed }))
      leaveGap()
      if (isFollowed) await expect(settle(), 'recent').rejects.toMatchObject({ code: 'REQUEST_PENDING' })
      else expect(await settle(), 'recent').toBe(7n)
      vi.setSystemTime(sentAt + 600_000)
      await expect(settle()).rejects.toMatchObject({
        code: 'TRANSACTION_REPLACED',
        message: expect.stringContaining('may have been carried out'),
        data: { sentHash: note(1).hash },
      })
      expect(await settle()).toBeNull()
      expect((await sent.of(sender)).map(({ hash }) => hash)).toEqual(isFollowed ? [note(2).hash] : [])
    },
  )

  it('is dropped with its rivals once its outcome is known', async () => {
    const { sent, note, settle } = world()
    await sent.add(note(1))
    await sent.add(note(2))
    await sent.settled(note(2).hash)
    expect(await settle()).toBeNull()
  })
})

describe('nothing is paid twice', () => {
  it('whatever is lost, delayed, reloaded or included later', async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('ask'), isLost: fc.boolean(), isLive: fc.boolean() }),
      fc.record({ kind: fc.constant('include'), which: fc.nat(8) }),
      fc.record({ kind: fc.constant('reload') }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 24 }), async (steps) => {
        const storage = memoryNotes()
        let sent = createSent(storage)
        const lanes = new Map<bigint, bigint>()
        // A followed operation uses the first lane meanwhile.
        const other = { nonce: 0n, hash: numberToHex(1_000, { size: 32 }), isIncluded: false, isWaiting: true }
        const out: (typeof other)[] = [other]
        await sent.add({ ...sender, nonce: '0x0', hash: other.hash, until: start + 3_600, isFollowed: true })
        const next = (nonce: bigint) => ((nonce >> 64n) << 64n) + (lanes.get(nonce >> 64n) ?? 0n)
        const include = (one: (typeof out)[number] | undefined) => {
          if (one === undefined || one.isIncluded || next(one.nonce) !== one.nonce) return
          one.isIncluded = true
          lanes.set(one.nonce >> 64n, (lanes.get(one.nonce >> 64n) ?? 0n) + 1n)
        }
        /** The visitor retries one payment until it seems done. */
        let isDone = false
        for (const now of steps) {
          if (now.kind === 'include' && 'which' in now) include(out[now.which])
          if (now.kind === 'reload') sent = createSent(storage)
          if (now.kind !== 'ask' || !('isLost' in now) || isDone) continue
          try {
            const again = await requiredNonce(sender, sent, {
              next: async (nonce) => next(nonce),
              async find(hash) {
                const one = out.find((each) => each.hash === hash)
                if (one?.isIncluded) return { kind: 'included', isGood: true, transactionHash: hash }
                return one?.isWaiting && next(one.nonce) === one.nonce ? { kind: 'waiting' } : null
              },
              now: async () => BigInt(start),
            })
            const nonce = again ?? (other.isIncluded ? next(0n) : BigInt(out.length) << 64n)
            const hash = numberToHex(out.length + 1, { size: 32 })
            await sent.add({
              ...sender,
              nonce: numberToHex(nonce),
              hash,
              until: start + 3_600,
              isFollowed: false,
            })
            out.push({ nonce, hash, isIncluded: false, isWaiting: now.isLive })
            if (now.isLost) continue
            await sent.followed(hash)
            isDone = true
          } catch (error) {
            isDone = expect.objectContaining({ code: 'TRANSACTION_REPLACED' }).asymmetricMatch(error)
          }
        }
        for (const one of out) include(one)
        expect(out.filter((one) => one !== other && one.isIncluded).length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 300 },
    )
  })
})
