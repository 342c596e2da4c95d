import type { ApprovalRequest } from '@postern/protocol'
import { describe, expect, it, vi } from 'vitest'
import { createApprovals } from '../signing/approvals'
import { createApprovalPlaces } from './approval-places'

const address = '0x1111111111111111111111111111111111111111'

function places({ limit, around = ['https://app.example'] }: { limit?: number; around?: readonly string[] } = {}) {
  const approvals = createApprovals(() => undefined)
  const asked: { readonly id: string; readonly signal: AbortSignal; answer: (usd: number | null) => void }[] = []
  const created = createApprovalPlaces({
    approvals,
    page: {
      allowedOrigins: ['https://app.example'],
      approvals: { place: 'auto', trustedOrigins: [], ...(limit !== undefined && { windowAboveUsd: limit }) },
    },
    origin: { around: () => around },
    reportsOcclusion: true,
    dollarsFor: ({ id }, signal) => new Promise((answer) => asked.push({ id, signal, answer })),
  })
  const changes = { count: 0 }
  created.subscribe(() => {
    changes.count += 1
  })
  async function wait(id: string, blocked?: 'DOMAIN_MISMATCH') {
    const ending = new AbortController()
    const subject = { kind: 'eip155.message', address, account: 'eoa', message: '0x68' } as const
    const request = { id, method: 'personal_sign', networkId: 'eip155:1', origin: 'https://app.example' } as const
    const prepared = { subject, ...(blocked && { blocked }) }
    const settled = approvals.ask({ ...request, prepared }, ending.signal).then(
      () => 'approved',
      () => 'rejected',
    )
    const shown = await vi.waitFor(() => {
      const found = approvals.waiting().find((one) => one.id === id)
      if (found === undefined) throw new Error('It does not wait yet')
      return found
    })
    return { shown, settled, withdraw: () => ending.abort(new Error('withdrawn')) }
  }
  return { ...created, approvals, asked, changes, wait }
}

const word = ({ id, digest }: ApprovalRequest) => ({ id, digest })
const isInvalid = expect.objectContaining({ code: 'INVALID_REQUEST' })

describe('the places of waiting requests', () => {
  it('1. are known at once if the value does not matter', async () => {
    const frame = places()
    await frame.wait('a')
    expect(frame.of('a')).toEqual({ place: 'frame' })
    const window = places({ limit: 100, around: ['https://pr.preview.example'] })
    await window.wait('a')
    expect(window.of('a')).toEqual({ place: 'window', reason: 'origin' })
    expect([...frame.asked, ...window.asked]).toEqual([])
  })

  it('2. wait for the value, and approve nothing meanwhile', async () => {
    const { of, approve, asked, wait, changes } = places({ limit: 100 })
    const { shown, settled } = await wait('a')
    expect(of('a')).toBeNull()
    for (const from of ['frame', 'window'] as const) expect(() => approve(word(shown), from)).toThrow(isInvalid)
    const before = changes.count
    asked[0]?.answer(99)
    await expect.poll(() => of('a')).toEqual({ place: 'frame' })
    expect(changes.count).toBe(before + 1)
    approve(word(shown), 'frame')
    expect(await settled).toBe('approved')
  })

  it.each([
    ['a value above the limit', 101],
    ['no known value', null],
  ])('2. with %s: the window', async (_, usd) => {
    const { of, approve, asked, wait } = places({ limit: 100 })
    const { shown } = await wait('a')
    asked[0]?.answer(usd)
    await expect.poll(() => of('a')).toEqual({ place: 'window', reason: 'value' })
    expect(() => approve(word(shown), 'frame')).toThrow(isInvalid)
  })

  it('3. the window’s requests are approved there only, in order', async () => {
    const { approve, inWindow, wait } = places({ around: [] })
    const [first, second] = [await wait('a'), await wait('b')]
    expect(inWindow().map(({ id }) => id)).toEqual(['a', 'b'])
    expect(() => approve(word(first.shown), 'frame')).toThrow(isInvalid)
    expect(() => approve({ ...word(first.shown), digest: '0'.repeat(64) }, 'window')).toThrow(isInvalid)
    approve(word(first.shown), 'window')
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

  it('1. a withdrawn request asks for no value any more', async () => {
    const { of, asked, wait } = places({ limit: 100 })
    const { settled, withdraw } = await wait('a')
    withdraw()
    expect(await settled).toBe('rejected')
    expect(asked[0]?.signal.aborted).toBe(true)
    asked[0]?.answer(1)
    await Promise.resolve()
    expect(of('a')).toBeNull()
  })
})
