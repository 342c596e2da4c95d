/** A change of the email address: the frame's events open the wallet's own window, which takes the codes. */
import type { WalletFrameRequestName } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { testFrame } from '../../testing/test-frame'
import { cardOf, openedByFrame, ticketOf } from '../../testing/test-window'

const email = 'alice@example.com'
const newEmail = 'new@example.com'
const undoUntil = 1_000

type Frame = ReturnType<typeof testFrame>

async function begun(action: 'VERIFY_PRIMARY_OTP' | 'VERIFY_SECONDARY_OTP' = 'VERIFY_PRIMARY_OTP') {
  const frame = testFrame()
  await frame.signIn(email)
  const sent: unknown[] = []
  frame.gateway.interrupt('emailChange', () => Response.json({ action }))
  frame.gateway.interrupt('emailChangePrimary', ({ body }) => {
    sent.push(body)
    return Response.json({})
  })
  frame.gateway.interrupt('emailChangeSecondary', ({ body }) => {
    sent.push(body)
    return Response.json({ newEmail, undoUntil, isProven: true })
  })
  expect(await frame.ask('UPDATE_EMAIL', { email: newEmail })).toEqual({ action })
  return { frame, sent }
}

const openedIn = (frame: Frame) => openedByFrame(frame, 'email')
const failureIn = (frame: Frame) => frame.when(() => frame.screen.code?.failure?.code)

describe('a change of the email address', () => {
  it('1. 2. happens in the window that a press opens, and the events report its steps', async () => {
    const { frame, sent } = await begun()
    const first = await cardOf(frame, 'UPDATE_EMAIL_PRIMARY_OTP')
    expect(first.card.purpose).toEqual({ kind: 'changeEmail', email, newEmail })
    expect(frame.popups).toEqual([])
    first.card.onSubmit(null)
    const window = openedIn(frame)
    expect(await window.context()).toMatchObject({ purpose: 'email', user: { email } })
    const change = { email, newEmail }
    expect(await window.ask('emailChange', null)).toMatchObject({ payload: { ...change, step: 'primary' } })
    expect(await window.ask('emailPrimary', { otp: '123456' })).toMatchObject({ ok: true })
    expect(await first.reply).toMatchObject({ ok: true })

    const second = await cardOf(frame, 'UPDATE_EMAIL_SECONDARY_OTP')
    expect(second.card.isBusy).toBe(true)
    expect(await window.ask('emailChange', null)).toMatchObject({ payload: { ...change, step: 'secondary' } })
    expect(await window.ask('emailSecondary', { otp: '654321' })).toMatchObject({
      payload: { undoUntil, isProven: true },
    })
    expect(await second.reply).toMatchObject({ ok: true, payload: { newEmail } })
    expect(frame.popups).toHaveLength(1)
    expect(sent).toEqual([
      { otp: '123456', email: newEmail },
      { otp: '654321', email: newEmail },
    ])
  })

  it('1. no code that is typed in the frame confirms it', async () => {
    const { frame, sent } = await begun()
    const { card, id } = await cardOf(frame, 'UPDATE_EMAIL_PRIMARY_OTP')
    card.onSubmit('123456')
    await frame.ask('GET_CHAIN_ID', undefined)
    expect(sent).toEqual([])
    await frame.ask('RPC_ABORT', { id })
  })

  it('1. the modal gets no ticket of the window', async () => {
    const { frame } = await begun()
    await expect(ticketOf(frame, JSON.parse('"email"'))).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  })

  it('1. the second step alone, after a first one of a moment ago', async () => {
    const { frame } = await begun('VERIFY_SECONDARY_OTP')
    expect(await frame.ask('UPDATE_EMAIL_PRIMARY_OTP', undefined)).toBeUndefined()
    const second = await cardOf(frame, 'UPDATE_EMAIL_SECONDARY_OTP')
    second.card.onSubmit(null)
    const window = openedIn(frame)
    await window.context()
    expect(await window.ask('emailChange', null)).toMatchObject({ payload: { step: 'secondary' } })
    await window.ask('emailSecondary', { otp: '654321' })
    expect(await second.reply).toMatchObject({ ok: true, payload: { newEmail } })
  })

  it('3. a window is for the change on the card, also if the modal asks for another one meanwhile', async () => {
    const { frame, sent } = await begun()
    const first = await cardOf(frame, 'UPDATE_EMAIL_PRIMARY_OTP')
    first.card.onSubmit(null)
    const window = openedIn(frame)
    await window.context()
    await frame.ask('UPDATE_EMAIL', { email: 'thief@example.com' })
    window.port.postMessage({ kind: 'ask', id: 'late', name: 'emailPrimary', payload: { otp: '123456' } })
    expect(await failureIn(frame)).toBe('WINDOW_CLOSED')
    frame.screen.code?.onSubmit(null)
    expect(await first.reply).toMatchObject({ ok: false, code: 'ABORTED' })
    await frame.ask('GET_CHAIN_ID', undefined)
    expect(sent).toEqual([])
    expect(frame.popups).toHaveLength(1)
  })

  it('4. a closed window, and a blocked one, leave the card, which opens it again', async () => {
    const { frame } = await begun()
    const first = await cardOf(frame, 'UPDATE_EMAIL_PRIMARY_OTP')
    frame.screen.blocksPopups = true
    first.card.onSubmit(null)
    expect(await failureIn(frame)).toBe('POPUP_BLOCKED')
    frame.screen.blocksPopups = false
    frame.screen.code?.onSubmit(null)
    const window = openedIn(frame)
    await window.context()
    window.port.postMessage({ kind: 'bye' })
    await frame.ask('GET_CHAIN_ID', undefined)
    frame.advance(2_000)
    expect(await frame.when(() => (frame.screen.code?.failure?.code === 'WINDOW_CLOSED' ? true : undefined))).toBe(true)
    frame.screen.code?.onSubmit(null)
    const again = openedIn(frame)
    await again.context()
    expect(await again.ask('emailPrimary', { otp: '123456' })).toMatchObject({ ok: true })
    expect(await first.reply).toMatchObject({ ok: true })
  })

  it('ends with the session, also in an open window', async () => {
    const { frame, sent } = await begun()
    const first = await cardOf(frame, 'UPDATE_EMAIL_PRIMARY_OTP')
    first.card.onSubmit(null)
    const window = openedIn(frame)
    await window.context()
    await frame.ask('SIGN_OUT', undefined)
    expect(await first.reply).toMatchObject({ ok: false, code: 'ABORTED' })
    window.port.postMessage({ kind: 'ask', id: 'late', name: 'emailPrimary', payload: { otp: '123456' } })
    for (const name of ['UPDATE_EMAIL_PRIMARY_OTP', 'UPDATE_EMAIL_SECONDARY_OTP'] satisfies WalletFrameRequestName[])
      await expect(frame.ask(name, undefined)).rejects.toMatchObject({ code: 'CODE_EXPIRED' })
    expect(sent).toEqual([])
  })
})
