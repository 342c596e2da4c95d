import { manualClock } from '@postern/base/testing/manual-clock'
import type { ApprovalRequest } from '@postern/protocol'
import { describe, expect, it, vi } from 'vitest'
import { createApprovals } from '../../signing/approvals'
import { newStorage, testLadder } from '../../testing/test-frame'
import { createApprovalPlaces } from './approval-places'
import { createFrameSpending, type FrameSpending } from './spending'

const address = '0x1111111111111111111111111111111111111111'
const listed = 'https://app.example'

type Given = {
  readonly limit?: number
  readonly around?: readonly string[]
  readonly trusts?: readonly string[]
  readonly spending?: FrameSpending
}

function places({ limit, around = [listed], trusts = [], spending = spendingIn(newStorage()) }: Given = {}) {
  const approvals = createApprovals(() => undefined)
  const asked: { readonly id: string; readonly signal: AbortSignal; answer: (usd: number | null) => void }[] = []
  const text = { isTooSmall: false, changed: () => {} }
  const created = createApprovalPlaces({
    approvals,
    page: {
      allowedOrigins: [listed],
      approvals: {
        place: 'auto',
        trustedOrigins: [...trusts],
        ...(limit !== undefined && { windowAboveUsd: limit }),
      },
    },
    origin: { around: () => around },
    spending,
    textSize: {
      isTooSmall: () => text.isTooSmall,
      subscribe(listener) {
        text.changed = listener
        return () => {}
      },
    },
    dollarsFor: ({ id }, _, signal) => new Promise((answer) => asked.push({ id, signal, answer })),
  })
  const changes = { count: 0 }
  created.subscribe(() => {
    changes.count += 1
  })
  async function wait(id: string, blocked?: 'DOMAIN_MISMATCH') {
    const ending = new AbortController()
    const subject = { kind: 'eip155.message', address, account: 'eoa', message: '0x68' } as const
    const request = { id, method: 'personal_sign', networkId: 'eip155:1', origin: listed } as const
    const prepared = { subject, ...(blocked && { blocked }) }
    const settled = approvals.ask({ ...request, prepare: async () => prepared }, ending.signal).then(
      () => 'approved',
      () => 'rejected',
    )
    const find = () => approvals.waiting().find((one) => one.id === id)
    const shown = await vi.waitUntil(find, { timeout: 15_000 })
    return { shown, settled, withdraw: () => ending.abort(new Error('withdrawn')) }
  }
  /** Waits, with that worth. */
  async function worth(id: string, usd: number | null) {
    const waiting = await wait(id)
    asked.find((one) => one.id === id)?.answer(usd)
    await vi.waitUntil(() => created.of(id), { timeout: 15_000 })
    return waiting
  }
  return { ...created, approvals, asked, changes, text, wait, worth }
}

function spendingIn(storage: IDBFactory | null, user = 'alice', clock = manualClock()): FrameSpending {
  return createFrameSpending({ ladder: testLadder(storage), clock, userId: async () => user })
}

const word = ({ id, digest }: ApprovalRequest) => ({ id, digest })
const isInvalid = expect.objectContaining({ code: 'INVALID_REQUEST' })

describe('the places of waiting requests', () => {
  it('1. are known at once if the worth does not matter', async () => {
    const frame = places({ trusts: [listed] })
    await frame.wait('a')
    expect(frame.of('a')).toEqual({ place: 'frame' })
    const window = places({ around: ['https://pr.preview.example'] })
    await window.wait('a')
    expect(window.of('a')).toEqual({ place: 'window', reason: 'origin' })
    expect([...frame.asked, ...window.asked]).toEqual([])
  })

  it('2. wait for the worth, and approve nothing meanwhile', async () => {
    const { of, approveInFrame, approveInWindow, asked, wait, changes } = places()
    const { shown, settled } = await wait('a')
    expect(of('a')).toBeNull()
    await expect(approveInFrame(word(shown))).rejects.toThrow(isInvalid)
    expect(() => approveInWindow(word(shown))).toThrow(isInvalid)
    const before = changes.count
    asked[0]?.answer(24)
    await expect.poll(() => of('a')).toEqual({ place: 'frame' })
    expect(changes.count).toBe(before + 1)
    await approveInFrame(word(shown))
    expect(await settled).toBe('approved')
  })

  it.each([
    ['above the default limit', {}, 26, 25],
    ['above the project’s limit', { limit: 100 }, 101, 100],
    ['unknown', {}, null, 25],
    ['unknown, with a limit of the project that trusts the page', { limit: 100, trusts: [listed] }, null, 100],
  ])('2. with a worth %s: the window', async (_, given, usd, limitUsd) => {
    const { of, approveInFrame, worth } = places(given)
    const { shown } = await worth('a', usd)
    expect(of('a')).toEqual({ place: 'window', reason: 'value', limitUsd })
    await expect(approveInFrame(word(shown))).rejects.toThrow(isInvalid)
  })

  it('3. the window’s requests are approved there only, in order', async () => {
    const { approveInFrame, approveInWindow, inWindow, wait } = places({ around: [] })
    const [first, second] = [await wait('a'), await wait('b')]
    expect(inWindow().map(({ id }) => id)).toEqual(['a', 'b'])
    await expect(approveInFrame(word(first.shown))).rejects.toThrow(isInvalid)
    expect(() => approveInWindow({ ...word(first.shown), digest: '0'.repeat(64) })).toThrow(isInvalid)
    approveInWindow(word(first.shown))
    expect(await first.settled).toBe('approved')
    expect(inWindow().map(({ id }) => id)).toEqual(['b'])
    second.withdraw()
    expect(await second.settled).toBe('rejected')
    expect(inWindow()).toEqual([])
  })

  it('3. a blocked request stays in the frame', async () => {
    const { of, wait } = places({ around: [] })
    await wait('a', 'DOMAIN_MISMATCH')
    expect(of('a')).toEqual({ place: 'frame' })
  })

  it('1. a withdrawn request asks for no worth any more', async () => {
    const { of, asked, wait } = places()
    const { settled, withdraw } = await wait('a')
    withdraw()
    expect(await settled).toBe('rejected')
    expect(asked[0]?.signal.aborted).toBe(true)
    asked[0]?.answer(1)
    await Promise.resolve()
    expect(of('a')).toBeNull()
  })
})

describe('4. the limit of a day', () => {
  it('covers four requests of the highest worth; the next one goes to the window', async () => {
    const { of, approveInFrame, worth } = places()
    for (const id of ['a', 'b', 'c', 'd']) {
      const { shown, settled } = await worth(id, 25)
      await approveInFrame(word(shown))
      expect(await settled).toBe('approved')
    }
    await worth('e', 0.01)
    expect(of('e')).toEqual({ place: 'window', reason: 'value', limitUsd: 0 })
    await worth('f', 0)
    expect(of('f')).toEqual({ place: 'frame' })
  })

  it('is checked again at the press: of two tabs that both had room, the second goes to the window', async () => {
    const storage = newStorage()
    const [one, two] = [places({ spending: spendingIn(storage) }), places({ spending: spendingIn(storage) })]
    for (const id of ['a', 'b', 'c']) await one.approveInFrame(word((await one.worth(id, 25)).shown))
    const [first, second] = [await one.worth('d', 20), await two.worth('d', 20)]
    const pressed = await Promise.allSettled([
      one.approveInFrame(word(first.shown)),
      two.approveInFrame(word(second.shown)),
    ])
    expect(pressed.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const [left] = [one.of('d'), two.of('d')].filter((place) => place !== null)
    expect(left).toEqual({ place: 'window', reason: 'value', limitUsd: 5 })
  })

  it('counts two presses on one request once', async () => {
    const spending = spendingIn(newStorage())
    const { approveInFrame, worth } = places({ spending })
    const { shown } = await worth('a', 20)
    const pressed = await Promise.allSettled([approveInFrame(word(shown)), approveInFrame(word(shown))])
    expect(pressed.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(await spending.spentCents({ origin: listed })).toBe(2_000)
  })

  it('counts nothing for a digest that is not the request’s', async () => {
    const spending = spendingIn(newStorage())
    const { approveInFrame, worth } = places({ spending })
    const { shown } = await worth('a', 20)
    await expect(approveInFrame({ ...word(shown), digest: '0'.repeat(64) })).rejects.toThrow(isInvalid)
    expect(await spending.spentCents({ origin: listed })).toBe(0)
  })

  it('signs nothing that ends while it is counted', async () => {
    const { approveInFrame, worth } = places()
    const { shown, settled, withdraw } = await worth('a', 20)
    const pressed = approveInFrame(word(shown))
    withdraw()
    await expect(pressed).rejects.toThrow(isInvalid)
    expect(await settled).toBe('rejected')
  })

  it('has no room without storage that outlives a reload', async () => {
    const { of, worth } = places({ spending: spendingIn(null) })
    await worth('a', 0.01)
    expect(of('a')).toEqual({ place: 'window', reason: 'value', limitUsd: 0 })
    await worth('b', 0)
    expect(of('b')).toEqual({ place: 'frame' })
  })

  it('does not bind a page that the project trusts', async () => {
    const { of, approveInFrame, worth } = places({ limit: 100, trusts: [listed], spending: spendingIn(null) })
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) await approveInFrame(word((await worth(id, 100)).shown))
    await worth('g', 100)
    expect(of('g')).toEqual({ place: 'frame' })
  })
})

describe('5. text that is too small', () => {
  it('sends requests to the window, and keeps them there', async () => {
    const { of, text, worth } = places()
    await worth('a', 1)
    text.isTooSmall = true
    text.changed()
    expect(of('a')).toEqual({ place: 'window', reason: 'small' })
    await worth('b', 1)
    expect(of('b')).toEqual({ place: 'window', reason: 'small' })
    text.isTooSmall = false
    text.changed()
    expect(of('a')).toEqual({ place: 'window', reason: 'small' })
    await worth('c', 1)
    expect(of('c')).toEqual({ place: 'frame' })
  })

  it('counts at the press, before the browser tells of it', async () => {
    const { of, approveInFrame, text, worth } = places({ trusts: [listed] })
    const { shown } = await worth('a', 1)
    text.isTooSmall = true
    await expect(approveInFrame(word(shown))).rejects.toThrow(isInvalid)
    expect(of('a')).toEqual({ place: 'window', reason: 'small' })
  })
})
