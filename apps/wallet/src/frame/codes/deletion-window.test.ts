/** The deletion of the account: the frame's event opens the wallet's own window, which takes the code. */
import { describe, expect, it, vi } from 'vitest'
import { fakeGateway, refusal } from '../../testing/fake-gateway'
import { newStorage, storedShare, testFrame } from '../../testing/test-frame'
import { cardOf, deleteAccount, openedByFrame, ticketOf } from '../../testing/test-window'

const email = 'alice@example.com'
const alice = `email-${email}`
const code = { otp: '123456' }

type Frame = ReturnType<typeof testFrame>

const deletions = ({ gateway }: Frame) => gateway.calls.filter(({ name }) => name === 'deleteAccount')
const isConnected = async (frame: Frame) => (await frame.ask('IS_CONNECTED', undefined)).isConnected
const failureOn = (frame: Frame) => frame.when(() => frame.screen.code?.failure?.code)

async function signedIn(options: Parameters<typeof testFrame>[0] = {}) {
  const frame = testFrame(options)
  await frame.signIn(email)
  return frame
}

/** In the window that a press on the card opened. */
async function opened(frame: Frame) {
  const event = await cardOf(frame, 'DELETE_ACCOUNT')
  event.card.onSubmit(null)
  const window = openedByFrame(frame, 'deleteAccount')
  return { ...event, window, first: await window.context() }
}

/** `deleteAccount` at the gateway waits, and answers what it is released with; undefined: as usual. */
function held(frame: Frame): (answer?: Response) => void {
  let release: (answer?: Response) => void = () => {}
  const answered = new Promise<Response | undefined>((resolve) => {
    release = resolve
  })
  frame.gateway.interrupt('deleteAccount', () => answered)
  return release
}

/** From a window whose port may be closed. */
const post = (window: ReturnType<typeof openedByFrame>, name: string, payload: unknown) =>
  window.port.postMessage({ kind: 'ask', id: 'late', name, payload })

describe('the deletion of the account', () => {
  it('1. a code and a press that a covered frame took delete nothing', async () => {
    const frame = await signedIn()
    const { id, card } = await cardOf(frame, 'DELETE_ACCOUNT')
    expect(card.purpose).toEqual({ kind: 'deleteAccount' })
    card.onSubmit('123456')
    await expect.poll(() => deletions(frame).length + frame.popups.length).toBe(1)
    await frame.ask('RPC_ABORT', { id })
    expect(deletions(frame)).toEqual([])
    expect(frame.gateway.calls.map(({ name }) => name)).not.toContain('confirm')
    expect(await isConnected(frame)).toBe(true)
  })

  it('1. the modal gets no ticket of the window', async () => {
    const frame = await signedIn()
    await expect(ticketOf(frame, JSON.parse('"deleteAccount"'))).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  })

  it('1. happens in the window that a press opens, with the code that it takes', async () => {
    const storage = newStorage()
    const frame = await signedIn({ storage })
    const { address } = await frame.ask('GET_USER', undefined)
    const { reply, window, first } = await opened(frame)
    expect(first).toMatchObject({ purpose: 'deleteAccount', user: { email }, addresses: { eip155: address } })
    expect(await window.ask('confirm', { purpose: 'delete' })).toMatchObject({ payload: { needsCode: true } })
    expect(await window.ask('deleteAccount', code)).toMatchObject({ ok: true })
    // Still connected to the frame, which has no session any more.
    expect(await window.ask('done', null)).toMatchObject({ ok: true })
    expect(await reply).toMatchObject({ ok: true })
    expect(deletions(frame)).toMatchObject([{ body: code }])
    expect(await storedShare(storage, alice)).toBeNull()
    expect(await isConnected(frame)).toBe(false)
    // The modal knows from the reply.
    expect(frame.notices.map(({ name }) => name)).not.toContain('SESSION_ENDED')
  })

  it('1. a wrong code stays in the window, and a right one deletes the account', async () => {
    const frame = await signedIn()
    const { reply, window } = await opened(frame)
    const stop = frame.gateway.interrupt('deleteAccount', () => refusal('WRONG_CODE'))
    expect(await window.ask('deleteAccount', { otp: '000000' })).toMatchObject({ ok: false, code: 'WRONG_CODE' })
    expect(await isConnected(frame)).toBe(true)
    expect(frame.screen.code).toMatchObject({ isBusy: true, failure: null })
    stop()
    expect(await window.ask('deleteAccount', code)).toMatchObject({ ok: true })
    expect(await reply).toMatchObject({ ok: true })
  })

  it('1. needs a session', async () => {
    const frame = testFrame()
    await expect(frame.ask('DELETE_ACCOUNT', undefined)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(frame.screen.code).toBeNull()
  })

  it('1. an account whose wallet does not open here can be deleted too', async () => {
    const frame = await signedIn()
    await frame.ask('GET_USER', undefined)
    frame.gateway.interrupt('wallet', () => Response.json({ wallet: null }))
    await deleteAccount(frame)
    expect(await isConnected(frame)).toBe(false)
  })

  it('2. deletes no account of a user who signed in in another tab meanwhile', async () => {
    const gateway = fakeGateway()
    const tabs = { gateway, storage: newStorage(), channel: 'deletion' }
    const frame = await signedIn(tabs)
    const { reply, window } = await opened(frame)
    const other = testFrame(tabs)
    await other.signIn('bob@example.com')
    const bob = await other.ask('GET_USER', undefined)
    expect(await reply).toMatchObject({ ok: false, code: 'ABORTED' })
    post(window, 'deleteAccount', code)
    await frame.ask('GET_CHAIN_ID', undefined)
    expect(deletions(frame)).toEqual([])
    expect(await other.ask('GET_USER', undefined)).toMatchObject({ address: bob.address })
  })

  it('3. a blocked window, and a closed one, leave the card, which opens it again', async () => {
    const frame = await signedIn()
    frame.screen.blocksPopups = true
    const { reply, card } = await cardOf(frame, 'DELETE_ACCOUNT')
    card.onSubmit(null)
    expect(await failureOn(frame)).toBe('POPUP_BLOCKED')
    frame.screen.blocksPopups = false
    frame.screen.code?.onSubmit(null)
    const window = openedByFrame(frame, 'deleteAccount')
    await window.context()
    window.port.postMessage({ kind: 'bye' })
    await frame.ask('GET_CHAIN_ID', undefined)
    frame.advance(2_000)
    await frame.when(() => (frame.screen.code?.failure?.code === 'WINDOW_CLOSED' ? true : undefined))
    frame.screen.code?.onSubmit(null)
    const again = openedByFrame(frame, 'deleteAccount')
    await again.context()
    expect(await again.ask('deleteAccount', code)).toMatchObject({ ok: true })
    expect(await reply).toMatchObject({ ok: true })
  })

  it('3. Keep account on the card ends it', async () => {
    const frame = await signedIn()
    const { reply, card } = await cardOf(frame, 'DELETE_ACCOUNT')
    card.onCancel()
    expect(await reply).toMatchObject({ ok: false, code: 'USER_REJECTED' })
    expect(frame.popups).toEqual([])
    expect(await isConnected(frame)).toBe(true)
  })

  it.each(['RPC_ABORT', 'SIGN_OUT', 'DELETE_ACCOUNT'] as const)('4. %s ends the window', async (by) => {
    const frame = await signedIn()
    const { id, reply, window } = await opened(frame)
    if (by === 'RPC_ABORT') await frame.ask('RPC_ABORT', { id })
    else if (by === 'SIGN_OUT') await frame.ask('SIGN_OUT', undefined)
    else await cardOf(frame, 'DELETE_ACCOUNT')
    expect(await reply).toMatchObject({ ok: false, code: 'ABORTED' })
    post(window, 'deleteAccount', code)
    await frame.ask('GET_CHAIN_ID', undefined)
    expect(deletions(frame)).toEqual([])
    expect(await isConnected(frame)).toBe(by !== 'SIGN_OUT')
  })

  it('5. a deletion under way is carried out, also if its event ends; the modal then hears that the session ended', async () => {
    const storage = newStorage()
    const frame = await signedIn({ storage })
    await frame.ask('GET_USER', undefined)
    const { id, reply, window } = await opened(frame)
    const release = held(frame)
    const deleted = window.ask('deleteAccount', code)
    await frame.called('deleteAccount')
    await frame.ask('RPC_ABORT', { id })
    expect(await reply).toMatchObject({ ok: false, code: 'ABORTED' })
    release()
    expect(await deleted).toMatchObject({ ok: true })
    expect(await window.ask('done', null)).toMatchObject({ ok: true })
    await frame.notice('SESSION_ENDED')
    expect(await storedShare(storage, alice)).toBeNull()
  })

  it('5. one that the gateway refuses after its event has ended changes nothing, and ends the window', async () => {
    const frame = await signedIn()
    const { id, reply, window } = await opened(frame)
    const release = held(frame)
    post(window, 'deleteAccount', code)
    await frame.called('deleteAccount')
    await frame.ask('RPC_ABORT', { id })
    expect(await reply).toMatchObject({ ok: false, code: 'ABORTED' })
    release(refusal('WRONG_CODE'))
    await frame.ask('GET_CHAIN_ID', undefined)
    expect(await isConnected(frame)).toBe(true)
    window.port.postMessage({ kind: 'ask', id: 'again', name: 'deleteAccount', payload: code })
    await frame.ask('GET_CHAIN_ID', undefined)
    expect(deletions(frame)).toHaveLength(1)
  })

  it('5. one under way is not made twice', async () => {
    const frame = await signedIn()
    const { window } = await opened(frame)
    const release = held(frame)
    const first = window.ask('deleteAccount', code)
    await frame.called('deleteAccount')
    expect(await window.ask('deleteAccount', code)).toMatchObject({ ok: false, code: 'INVALID_REQUEST' })
    release()
    expect(await first).toMatchObject({ ok: true })
    expect(deletions(frame)).toHaveLength(1)
  })

  it('4. tells the window that the event has ended: browsers do not report a closed port', async () => {
    const frame = await signedIn()
    const { id, window } = await opened(frame)
    await frame.ask('RPC_ABORT', { id })
    await expect.poll(() => window.received).toContainEqual({ kind: 'bye' })
  })

  it('5. is done although the storage of this device fails after it: the user is signed out, and the request ends', async () => {
    const frame = await signedIn()
    await frame.ask('GET_USER', undefined)
    const { reply, window } = await opened(frame)
    const release = held(frame)
    const deleted = window.ask('deleteAccount', code)
    await frame.called('deleteAccount')
    const open = IDBDatabase.prototype.transaction
    const broken = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (
      this: IDBDatabase,
      ...given
    ) {
      if (given[1] === 'readwrite') throw new DOMException('full', 'QuotaExceededError')
      return open.apply(this, given)
    })
    release()
    const answer = await deleted
    broken.mockRestore()
    expect(answer).toMatchObject({ ok: true })
    expect(await reply).toMatchObject({ ok: true })
  })

  it('4. ends with the session, also if the gateway says so while it is asked to delete: an earlier answer was lost', async () => {
    const frame = await signedIn()
    await frame.ask('GET_USER', undefined)
    const { reply, window } = await opened(frame)
    frame.gateway.interrupt('deleteAccount', () => refusal('SESSION_EXPIRED'))
    post(window, 'deleteAccount', code)
    expect(await reply).toMatchObject({ ok: false })
    expect(await isConnected(frame)).toBe(false)
  })
})
