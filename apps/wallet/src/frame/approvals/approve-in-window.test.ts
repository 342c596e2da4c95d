/** The wallet's own window with the purpose `approve`, as the frame sees it. */
import { describe, expect, it } from 'vitest'
import { testFrame } from '../../testing/test-frame'
import { hello, openedWindow, openWindow } from '../../testing/test-window'

type Frame = ReturnType<typeof testFrame>

const inWindow = { approvals: { place: 'window' as const, trustedOrigins: [] } }

async function signedIn(page: NonNullable<Parameters<typeof testFrame>[0]>['page'] = inWindow): Promise<Frame> {
  const frame = testFrame({ page })
  await frame.signIn()
  return frame
}

/** A request that the modal has shown. */
async function asked(frame: Frame) {
  const { id, reply } = frame.send('RPC_REQUEST', { method: 'personal_sign', params: ['0x68'] })
  const { request } = await frame.notice('APPROVAL_REQUEST')
  return { id, reply, request }
}

/** Opened by a press in the frame. */
async function continued(frame: Frame, id: string) {
  await frame.ask('SHOW_APPROVAL', { id })
  frame.screen.handlers?.onContinue()
  return openWindow(frame, hello('approve', ticketIn(frame)))
}

const ticketIn = (frame: Frame) => new URL(frame.popups.at(-1) ?? '').searchParams.get('ticket') ?? ''
const invalid = { ok: false, code: 'INVALID_REQUEST' }

describe('a window that approves', () => {
  it('the frame draws no Approve, says why, and a press on it approves nothing', async () => {
    const frame = await signedIn()
    const { id } = await asked(frame)
    await frame.ask('SHOW_APPROVAL', { id })
    expect(frame.screen.shown?.elsewhere).toEqual({ place: { place: 'window', reason: 'always' }, popup: 'closed' })
    if (frame.screen.shown !== null) frame.screen.handlers?.onApprove(frame.screen.shown.request)
    await frame.ask('GET_CHAIN_ID', undefined)
    expect(frame.seen.map(({ step }) => step)).not.toContain('execute')
    expect(frame.screen.shown?.isSigning).toBe(false)
  })

  it('gets the waiting request, approves it by its digest, and the modal hears of it', async () => {
    const frame = await signedIn()
    const { id, reply, request } = await asked(frame)
    const window = await continued(frame, id)
    expect(await window.context()).toMatchObject({ purpose: 'approve', origin: 'https://app.example' })
    expect(await window.approval((one) => one !== null)).toMatchObject({ request, queued: 1, asker: 'dapp' })
    expect(frame.screen.shown?.elsewhere).toMatchObject({ popup: 'open' })
    expect(await window.ask('approvalFacts', { id })).toMatchObject({
      ok: true,
      payload: { known: { recipients: [], contracts: [] } },
    })
    expect(await window.ask('approve', { id, digest: request.digest })).toMatchObject({ ok: true })
    expect(await frame.notice('APPROVED')).toEqual({ name: 'APPROVED', id })
    expect(frame.screen.shown?.isSigning).toBe(true)
    expect(await reply).toMatchObject({ ok: true })
    expect(await window.approval((one) => one === null)).toBeNull()
    expect(await window.ask('done')).toMatchObject({ ok: true })
    await expect.poll(() => frame.screen.shown?.elsewhere).toBeNull()
  })

  it('5. decides on the request on show only, one after the other', async () => {
    const frame = await signedIn()
    const [first, second] = [await asked(frame), await asked(frame)]
    const window = await continued(frame, first.id)
    expect(await window.approval((one) => one !== null)).toMatchObject({ request: { id: first.id }, queued: 2 })
    const digest = second.request.digest
    for (const [name, payload] of [
      ['approve', { id: second.id, digest }],
      ['reject', { id: second.id }],
      ['approvalFacts', { id: second.id }],
      ['approve', { id: first.id, digest: '0'.repeat(64) }],
      ['approve', { id: 'r999', digest }],
    ] as const)
      expect(await window.ask(name, payload)).toMatchObject(invalid)
    expect(await window.ask('approve', { id: first.id })).toMatchObject({ ok: false, code: 'INVALID_PARAMS' })
    expect(await window.ask('reject', { id: first.id })).toMatchObject({ ok: true })
    expect(await first.reply).toMatchObject({ ok: false, code: 'USER_REJECTED' })
    expect(await window.approval((one) => one?.request.id === second.id)).toMatchObject({ queued: 1 })
    expect(await window.ask('approve', { id: second.id, digest })).toMatchObject({ ok: true })
    expect(await second.reply).toMatchObject({ ok: true })
  })

  it('may not decide on a request that belongs to the frame', async () => {
    const frame = await signedIn({})
    const { id, request } = await asked(frame)
    const window = await continued(frame, id)
    expect(await window.approval(() => true)).toBeNull()
    expect(await window.ask('approve', { id, digest: request.digest })).toMatchObject(invalid)
    expect(await window.ask('reject', { id })).toMatchObject(invalid)
  })

  it.each(['keep', 'export'] as const)('1. only with its own purpose: not with %s', async (purpose) => {
    const frame = await signedIn()
    const { id, request } = await asked(frame)
    const window = await openedWindow(frame, purpose)
    expect(await window.ask('approve', { id, digest: request.digest })).toMatchObject(invalid)
    expect(await window.ask('reject', { id })).toMatchObject(invalid)
  })

  it('the modal gets no URL of it', async () => {
    const frame = await signedIn()
    const { id } = frame.send('GET_CHAIN_ID', undefined)
    frame.modal.postMessage({ id: 'forged', type: '@w3m-app/GET_WINDOW_URI', payload: { purpose: 'approve' } })
    await frame.answered(id)
    expect(JSON.stringify(await frame.answered('forged'))).not.toContain('ticket')
    expect(frame.popups).toEqual([])
  })

  it('closing it decides nothing, and the next one gets the request again', async () => {
    const frame = await signedIn()
    const { id, reply, request } = await asked(frame)
    const window = await continued(frame, id)
    await window.approval((one) => one !== null)
    window.port.postMessage({ kind: 'bye' })
    await frame.ask('GET_CHAIN_ID', undefined)
    frame.advance(3_000)
    await expect.poll(() => frame.screen.shown?.elsewhere?.popup).toBe('closed')
    const again = await continued(frame, id)
    await again.approval((one) => one !== null)
    expect(await again.ask('approve', { id, digest: request.digest })).toMatchObject({ ok: true })
    expect(await reply).toMatchObject({ ok: true })
  })

  it.each<[string, (frame: Frame, id: string) => Promise<unknown>]>([
    ['the modal declines', (frame, id) => frame.ask('REJECT', { id })],
    ['the dapp withdraws', (frame, id) => frame.ask('RPC_ABORT', { id })],
  ])('hears it when %s, and can approve no more', async (_, end) => {
    const frame = await signedIn()
    const { id, request } = await asked(frame)
    const window = await continued(frame, id)
    await window.approval((one) => one !== null)
    await end(frame, id)
    expect(await window.approval((one) => one === null)).toBeNull()
    expect(await window.ask('approve', { id, digest: request.digest })).toMatchObject(invalid)
  })

  it('4. is cut off when its user signs out: it hears of no later user’s request', async () => {
    const frame = await signedIn()
    const { id } = await asked(frame)
    const window = await continued(frame, id)
    await window.approval((one) => one !== null)
    await frame.ask('SIGN_OUT', undefined)
    await window.approval((one) => one === null)
    await frame.signIn('bob@example.com')
    const later = await asked(frame)
    await frame.ask('GET_CHAIN_ID', undefined)
    expect(JSON.stringify(window.received)).not.toContain(`"${later.id}"`)
  })

  it('a blocked one is reported, and its ticket is worthless', async () => {
    const frame = await signedIn()
    const { id } = await asked(frame)
    frame.screen.blocksPopups = true
    const stranger = await continued(frame, id)
    await frame.ask('GET_CHAIN_ID', undefined)
    expect(frame.screen.shown?.elsewhere).toMatchObject({ popup: 'blocked' })
    expect(stranger.received).toEqual([])
  })
})
