import { expect, test } from 'vitest'
import { newStorage, storeIn, type TestFrameOptions, testFrame } from '../testing/test-frame'

type Frame = ReturnType<typeof testFrame>

const origin = 'https://app.example'
const otherOrigin = 'https://other.example'

async function signedIn(options: TestFrameOptions = {}): Promise<Frame> {
  const page = { allowedOrigins: [origin, otherOrigin], ...options.page }
  const frame = testFrame({ ...options, page })
  await frame.signIn('alice@example.com')
  return frame
}

const share = (frame: Frame) => frame.send('SHARE_USER', { namespaces: ['eip155'] })

/** The subject of the question, which is then answered. */
async function answered(frame: Frame, answer: 'approve' | 'decline') {
  const { id, reply } = share(frame)
  const { request } = await frame.notice('APPROVAL_REQUEST')
  expect(request).toMatchObject({ id, method: 'getIdentityToken', networkId: 'eip155:1' })
  if (answer === 'approve') await frame.approve(id)
  else await frame.ask('REJECT', { id })
  return { request, reply: await reply }
}

/** Whether the user was asked; declines then. */
async function isAsked(frame: Frame): Promise<boolean> {
  const { id, reply } = share(frame)
  const asked = frame.when(() => frame.notices.find((one) => one.name === 'APPROVAL_REQUEST' && one.request.id === id))
  const answer = await Promise.race([asked.then(() => null), reply])
  if (answer !== null) {
    expect(answer).toMatchObject({ ok: true })
    return false
  }
  await frame.notice('APPROVAL_REQUEST')
  await frame.ask('REJECT', { id })
  return true
}

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

test('no one is asked before a sign-in', async () => {
  const frame = testFrame()
  await expect(frame.ask('SHARE_USER', { namespaces: ['eip155'] })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test('the frame gives out nothing while it knows no page that would get it', async () => {
  const frame = await signedIn({ origin: 'unknown' })
  await expect(frame.ask('SHARE_USER', { namespaces: ['eip155'] })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(frame.gateway.calls.filter(({ name }) => name === 'identityToken')).toEqual([])
})

test('2. the user reads which site asks, and exactly what its token says', async () => {
  const frame = await signedIn()
  const { request, reply } = await answered(frame, 'approve')
  const user = { provider: 'email', email: 'alice@example.com' }
  expect(request).toMatchObject({ origin, subject: { kind: 'user', ...user } })
  expect(reply).toMatchObject({ ok: true })
  if (reply?.ok) expect(claimsOf(reply.payload.token)).toEqual({ user })
})

test('2. a token that says more by the time of the approval stays in the frame', async () => {
  const frame = await signedIn()
  const token = (user: object) => `e30.${Buffer.from(JSON.stringify({ user })).toString('base64url')}.s`
  const before = { provider: 'email', email: 'alice@example.com' }
  const told = [before, { provider: 'email', email: 'private@example.com' }]
  frame.gateway.interrupt('identityToken', () => Response.json({ token: token(told.shift() ?? before) }))
  const { reply } = await answered(frame, 'approve')
  if (!reply?.ok) throw new Error('declined')
  expect(claimsOf(reply.payload.token).user).toEqual(before)
})

test('a token that does not say who the user is, or in another form, is not handed out', async () => {
  const frame = await signedIn()
  for (const claims of [{}, { user: { provider: 'unheard-of' } }, { user: 'alice' }]) {
    const token = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`
    const stop = frame.gateway.interrupt('identityToken', () => Response.json({ token }))
    await expect(frame.ask('SHARE_USER', { namespaces: ['eip155'] })).rejects.toMatchObject({ code: 'INTERNAL' })
    stop()
  }
})

test('3. a user who declines tells nothing, and is asked again', async () => {
  const frame = await signedIn()
  expect((await answered(frame, 'decline')).reply).toMatchObject({ ok: false, code: 'USER_REJECTED' })
  expect(await isAsked(frame)).toBe(true)
})

test('3. a user who agreed is not asked again in this session, also after a reload and a renewal', async () => {
  const storage = newStorage()
  const frame = await signedIn({ storage })
  await answered(frame, 'approve')
  expect(await isAsked(frame)).toBe(false)
  const reloaded = testFrame({ storage, gateway: frame.gateway })
  expect(await reloaded.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: true })
  expect(await isAsked(reloaded)).toBe(false)
})

test('3. after a sign-out the user is asked again', async () => {
  const frame = await signedIn()
  await answered(frame, 'approve')
  await frame.ask('SIGN_OUT', undefined)
  await frame.signIn('alice@example.com')
  expect(await isAsked(frame)).toBe(true)
})

test('3. another site is asked about, and so is another user', async () => {
  const storage = newStorage()
  const frame = await signedIn({ storage })
  await answered(frame, 'approve')
  const elsewhere = testFrame({
    storage,
    gateway: frame.gateway,
    dapp: otherOrigin,
    page: { allowedOrigins: [origin, otherOrigin] },
  })
  expect((await answered(elsewhere, 'approve')).request.origin).toBe(otherOrigin)
  expect([await isAsked(frame), await isAsked(elsewhere)]).toEqual([false, false])
  await frame.ask('SIGN_OUT', undefined)
  await frame.signIn('bob@example.com')
  expect((await answered(frame, 'decline')).request.subject).toMatchObject({ email: 'bob@example.com' })
})

test('3. another email address is asked about', async () => {
  const frame = await signedIn()
  await answered(frame, 'approve')
  const user = { provider: 'email', email: 'new@example.com' }
  const token = `e30.${Buffer.from(JSON.stringify({ user })).toString('base64url')}.s`
  frame.gateway.interrupt('identityToken', () => Response.json({ token }))
  expect((await answered(frame, 'decline')).request.subject).toMatchObject(user)
})

test('4. the stored approval identifies no user', async () => {
  const storage = newStorage()
  await answered(await signedIn({ storage }), 'approve')
  expect(await storeIn(storage).notes(`shared/${origin}`, (kept) => kept)).toMatch(/^[0-9a-f]{64}$/)
})

test('4. without storage, an approval is remembered until the page closes', async () => {
  const frame = await signedIn({ storage: null })
  await answered(frame, 'approve')
  expect(await isAsked(frame)).toBe(false)
  const reloaded = testFrame({ storage: null, gateway: frame.gateway })
  await reloaded.signIn('alice@example.com')
  expect(await isAsked(reloaded)).toBe(true)
})

test('1. in a browser that does not report what covers the frame, only the wallet’s own window approves', async () => {
  const frame = await signedIn({ page: { approvals: { place: 'window', trustedOrigins: [] } } })
  const { id, reply } = share(frame)
  await frame.notice('APPROVAL_REQUEST')
  await frame.approve(id)
  expect(frame.screen.shown).toMatchObject({ isSigning: false, elsewhere: { place: { reason: 'always' } } })
  await frame.ask('REJECT', { id })
  expect(await reply).toMatchObject({ ok: false, code: 'USER_REJECTED' })
})

test('a request that the dapp withdraws is no longer asked', async () => {
  const frame = await signedIn()
  const { id, reply } = share(frame)
  await frame.notice('APPROVAL_REQUEST')
  await frame.ask('RPC_ABORT', { id })
  expect(await reply).toMatchObject({ ok: false, code: 'ABORTED' })
  expect((await frame.notice('APPROVAL_CLOSED')).id).toBe(id)
})
