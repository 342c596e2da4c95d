import type { ApprovalSubject, WalletFrameNotice } from '@postern/protocol'
import { describe, expect, it, vi } from 'vitest'
import { createApprovals } from './approvals'

const subject: ApprovalSubject = {
  kind: 'eip155.message',
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  account: 'eoa',
  message: '0x6869',
}

async function asked(id: string, blocked?: 'DOMAIN_MISMATCH') {
  const notices: WalletFrameNotice[] = []
  const approvals = createApprovals((notice) => notices.push(notice))
  const prepared = { subject, ...(blocked && { blocked }) }
  const answer = approvals.ask(
    {
      id,
      method: 'personal_sign',
      networkId: 'eip155:1',
      origin: 'https://app.example',
      prepare: async () => prepared,
    },
    new AbortController().signal,
  )
  answer.catch(() => {})
  await expect.poll(() => approvals.waiting()).toHaveLength(1)
  return { approvals, answer, digest: approvals.waiting()[0]?.digest ?? '' }
}

describe('createApprovals', () => {
  it('2. approves once, and only with the digest of what waits', async () => {
    const { approvals, answer, digest } = await asked('1')
    for (const word of [
      { id: '1', digest: '0'.repeat(64) },
      { id: '1', digest: '' },
      { id: 'another', digest },
      { id: 'constructor', digest },
    ])
      expect(() => approvals.approve(word)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
    approvals.approve({ id: '1', digest })
    expect(await answer).toEqual(subject)
    expect(() => approvals.approve({ id: '1', digest })).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }))
  })

  it('3. never approves a blocked request', async () => {
    const { approvals, answer, digest } = await asked('1', 'DOMAIN_MISMATCH')
    expect(() => approvals.approve({ id: '1', digest })).toThrow(expect.objectContaining({ code: 'DOMAIN_MISMATCH' }))
    approvals.reject({ id: '1' })
    await expect(answer).rejects.toMatchObject({ code: 'USER_REJECTED' })
  })

  it('tells each change of what waits, until unsubscribed', async () => {
    const { approvals } = await asked('1')
    const listener = vi.fn()
    const stop = approvals.subscribe(listener)
    approvals.reject({ id: '1' })
    expect(listener).toHaveBeenCalledOnce()
    expect(approvals.waiting()).toEqual([])
    stop()
    approvals.closeAll()
    expect(listener).toHaveBeenCalledOnce()
  })
})
