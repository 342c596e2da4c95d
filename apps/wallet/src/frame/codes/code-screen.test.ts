import { describe, expect, it } from 'vitest'
import { fakeGateway } from '../../testing/fake-gateway'
import { testFrame } from '../../testing/test-frame'

const email = 'alice@example.com'

/** At the field for the emailed code. */
async function asked() {
  const frame = testFrame()
  await frame.ask('CONNECT_EMAIL', { email })
  frame.gateway.approve(email)
  const sent = frame.send('CONNECT_OTP', undefined)
  const drawn = () => frame.when(() => (frame.screen.code?.id === sent.id ? frame.screen.code : undefined))
  await drawn()
  return { frame, sent, drawn }
}

describe('createCodeScreen', () => {
  it('1. says what the code is for; a message with a code is refused and changes nothing', async () => {
    const { frame, sent } = await asked()
    expect(frame.screen.code).toMatchObject({ id: sent.id, purpose: { kind: 'signIn', email }, failure: null })
    frame.modal.postMessage({
      id: 'forged',
      type: '@w3m-app/CONNECT_OTP',
      payload: { otp: frame.gateway.codeFor(email) },
    })
    expect(await frame.answered('forged')).toMatchObject({ type: '@w3m-frame/CONNECT_OTP_ERROR' })
    expect(frame.gateway.calls.map(({ name }) => name)).not.toContain('emailVerify')
    expect(frame.screen.code?.id).toBe(sent.id)
  })

  it('1. what the modal hears has no digit of the code', async () => {
    const { frame, sent } = await asked()
    const heard: string[] = []
    frame.modal.addEventListener('message', ({ data }) => heard.push(JSON.stringify(data)))
    frame.screen.code?.onSubmit('000000')
    await frame.when(() => frame.screen.code?.failure ?? undefined)
    const code = frame.gateway.codeFor(email)
    frame.screen.code?.onSubmit(code)
    expect(await sent.reply).toMatchObject({ ok: true })
    expect(heard.join()).not.toContain('000000')
    expect(heard.join()).not.toContain(code)
  })

  it('2. a new request for a code ends the one before', async () => {
    const { frame, sent } = await asked()
    const next = frame.send('CONNECT_OTP', undefined)
    expect(await sent.reply).toMatchObject({ ok: false, code: 'ABORTED' })
    await frame.when(() => (frame.screen.code?.id === next.id ? true : undefined))
  })

  it('3. a refused code leaves the field with the reason; one submission at a time', async () => {
    const { frame, sent } = await asked()
    const { onSubmit } = frame.screen.code ?? { onSubmit() {} }
    onSubmit('000000')
    onSubmit('000001')
    await frame.when(() => (frame.screen.code?.isBusy ? true : undefined))
    await frame.when(() => frame.screen.code?.failure ?? undefined)
    expect(frame.screen.code).toMatchObject({ isBusy: false, failure: { code: 'WRONG_CODE' } })
    expect(frame.gateway.calls.filter(({ name }) => name === 'emailVerify')).toHaveLength(1)
    onSubmit(frame.gateway.codeFor(email))
    expect(await sent.reply).toMatchObject({ ok: true })
    expect(frame.screen.code).toBeNull()
  })

  describe('3. a submission without an answer', () => {
    const failures = [
      [() => Promise.reject(new TypeError('Failed to fetch')), 1_000],
      [async () => new Response(null, { status: 500 }), 1_000],
      [async () => new Response('{"user":'), 1_000],
      [async () => new Response(null, { status: 429, headers: { 'retry-after': '7' } }), 7_000],
    ] as const
    const submissions = (frame: ReturnType<typeof testFrame>) =>
      frame.gateway.calls.filter(({ name }) => name === 'emailVerify').length

    /** The first submission failed. */
    async function failed(answer: () => Promise<Response>) {
      const { frame, sent } = await asked()
      let attempts = 0
      const back = frame.gateway.interrupt('emailVerify', () => {
        attempts += 1
        return answer()
      })
      frame.screen.code?.onSubmit(frame.gateway.codeFor(email))
      await frame.when(() => frame.screen.code?.failure ?? undefined)
      return { frame, sent, back, attempts: () => attempts }
    }

    it.each(failures)('is repeated, and succeeds (%#)', async (answer, delayMs) => {
      const { frame, sent, back } = await failed(answer)
      expect(frame.screen.code?.failure?.retryAt).toBe(frame.clock.now() + delayMs)
      back()
      frame.clock.advance(delayMs - 1)
      await frame.ask('GET_CHAIN_ID', undefined)
      expect(frame.screen.code?.isBusy).toBe(false)
      frame.clock.advance(1)
      expect(await sent.reply).toMatchObject({ ok: true })
    })

    it('is repeated after 1, 2 and 4 s, and then only by the user', async () => {
      const { frame, sent, back, attempts } = await failed(failures[0][0])
      for (const [at, seconds] of [1, 2, 4].entries()) {
        frame.clock.advance(seconds * 1_000)
        await expect.poll(attempts).toBe(at + 2)
        await frame.when(() => frame.screen.code?.failure ?? undefined)
      }
      expect(frame.screen.code?.failure?.retryAt).toBeNull()
      frame.clock.advance(600_000)
      await frame.ask('GET_CHAIN_ID', undefined)
      expect(attempts()).toBe(4)
      back()
      frame.screen.code?.onSubmit(frame.gateway.codeFor(email))
      expect(await sent.reply).toMatchObject({ ok: true })
    })

    it('is not repeated once the user edits the digits, or leaves', async () => {
      for (const end of ['edit', 'leave'] as const) {
        const { frame, sent, attempts } = await failed(failures[0][0])
        if (end === 'edit') frame.screen.code?.onEdit()
        else {
          frame.screen.code?.onCancel()
          await sent.reply
        }
        frame.clock.advance(600_000)
        await frame.ask('GET_CHAIN_ID', undefined)
        expect(attempts()).toBe(1)
      }
    })

    it('is not repeated if the code has no tries left, or the wait is long', async () => {
      for (const headers of [{}, { 'retry-after': '4000' }]) {
        const { frame, attempts } = await failed(async () => new Response(null, { status: 429, headers }))
        expect(frame.screen.code?.failure).toMatchObject({ code: 'TOO_MANY_ATTEMPTS', retryAt: null })
        frame.clock.advance(600_000)
        await frame.ask('GET_CHAIN_ID', undefined)
        expect([attempts(), submissions(frame)]).toEqual([1, 1])
      }
    })
  })

  it('4. an abort, and a sign-out, clear the field, and what is typed later has no effect', async () => {
    for (const end of ['RPC_ABORT', 'SIGN_OUT'] as const) {
      const { frame, sent } = await asked()
      const { onSubmit } = frame.screen.code ?? { onSubmit() {} }
      if (end === 'SIGN_OUT') await frame.ask('SIGN_OUT', undefined)
      else await frame.ask('RPC_ABORT', { id: sent.id })
      expect(await sent.reply).toMatchObject({ ok: false, code: 'ABORTED' })
      expect(frame.screen.code).toBeNull()
      onSubmit(frame.gateway.codeFor(email))
      await frame.ask('GET_CHAIN_ID', undefined)
      expect(frame.gateway.calls.map(({ name }) => name)).not.toContain('emailVerify')
    }
  })

  it('an approval is drawn above it, and it comes back after', async () => {
    const frame = testFrame()
    await frame.signIn(email)
    frame.gateway.interrupt('emailChange', () => Response.json({ action: 'VERIFY_PRIMARY_OTP' }))
    await frame.ask('UPDATE_EMAIL', { email: 'new@example.com' })
    const code = frame.send('UPDATE_EMAIL_PRIMARY_OTP', undefined)
    await frame.when(() => frame.screen.code ?? undefined)
    expect(frame.screen.code?.purpose).toEqual({ kind: 'changeEmail', email, newEmail: 'new@example.com' })
    const request = frame.send('RPC_REQUEST', { method: 'personal_sign', params: ['0x'] })
    await frame.notice('APPROVAL_REQUEST')
    await frame.ask('SHOW_APPROVAL', { id: request.id })
    expect(frame.screen).toMatchObject({ shown: { request: { id: request.id } }, code: null })
    await frame.ask('REJECT', { id: request.id })
    await frame.ask('HIDE_APPROVAL', undefined)
    expect(frame.screen).toMatchObject({ shown: null, code: { id: code.id } })
  })

  it('a removal of a device waits for a press in the frame: no message of the modal removes one', async () => {
    const gateway = fakeGateway()
    const frame = testFrame({ gateway })
    await frame.signIn(email)
    await frame.ask('GET_USER', undefined)
    const phone = testFrame({ gateway })
    await phone.signIn(email)
    await phone.ask('GET_USER', undefined)
    const { devices } = await frame.ask('GET_SECURITY', undefined)
    const id = devices.find(({ isThis }) => !isThis)?.id ?? ''
    const listed = async () => (await frame.ask('GET_SECURITY', undefined)).devices.length
    const removal = () => {
      const sent = frame.send('REVOKE_DEVICE', { id })
      const drawn = frame.when(() => (frame.screen.code?.id === sent.id ? frame.screen.code : undefined))
      return { sent, drawn }
    }

    const kept = removal()
    const { purpose, onCancel } = await kept.drawn
    expect(purpose).toEqual({ kind: 'removeDevice', device: 'Chrome on Linux', usedAt: expect.any(Number) })
    expect(await listed()).toBe(2)
    onCancel()
    expect(await kept.sent.reply).toMatchObject({ ok: false, code: 'USER_REJECTED' })
    expect(await listed()).toBe(2)

    const removed = removal()
    const { onSubmit } = await removed.drawn
    onSubmit(null)
    expect(await removed.sent.reply).toMatchObject({ ok: true })
    expect(await listed()).toBe(1)
    await expect(frame.ask('REVOKE_DEVICE', { id })).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  })

  it('a code is for the sign-in on screen, also if the modal begins another one meanwhile', async () => {
    const { frame, sent } = await asked()
    await frame.ask('CONNECT_EMAIL', { email: 'thief@example.com' })
    frame.gateway.approve('thief@example.com')
    frame.screen.code?.onSubmit(frame.gateway.codeFor('thief@example.com'))
    await frame.when(() => frame.screen.code?.failure ?? undefined)
    expect(frame.screen.code?.failure?.code).toBe('CODE_EXPIRED')
    expect(frame.gateway.calls.map(({ name }) => name)).not.toContain('emailVerify')
    await frame.ask('RPC_ABORT', { id: sent.id })
  })

  it('a code of a newer email to the same address works in the field that is open', async () => {
    const { frame, sent } = await asked()
    await frame.ask('CONNECT_EMAIL', { email })
    frame.gateway.approve(email)
    frame.screen.code?.onSubmit(frame.gateway.codeFor(email))
    expect(await sent.reply).toMatchObject({ ok: true })
  })
})
