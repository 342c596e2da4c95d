import type { WalletApiCall } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { testFrame, walletOrigin } from './testing/test-frame'

type Frame = ReturnType<typeof testFrame>

function held({ gateway }: Frame, name: WalletApiCall) {
  let letGo = () => {}
  const open = new Promise<undefined>((resolve) => {
    letGo = () => resolve(undefined)
  })
  gateway.interrupt(name, () => open)
  return () => letGo()
}

async function begin(frame: Frame) {
  const { uri } = await frame.ask('GET_SOCIAL_REDIRECT_URI', { provider: 'google' })
  return { uri, flow: new URL(uri).searchParams.get('flow') ?? '' }
}

function handOver(frame: Frame, flow: string): void {
  const { ticket } = frame.gateway.returnFromProvider(flow, 'ticket')
  frame.window.post({ data: { type: 'postern:social-ticket', v: 1, flow, ticket }, origin: walletOrigin })
}

const isConnected = async (frame: Frame) => (await frame.ask('IS_CONNECTED', undefined)).isConnected

describe('sign-out during a sign-in', () => {
  it('ignores a pending ticket', async () => {
    const frame = testFrame()
    const { uri, flow } = await begin(frame)
    const user = frame.send('CONNECT_SOCIAL', { uri })
    await frame.gateway.called('socialClaim')
    const letGo = held(frame, 'socialClaim')
    handOver(frame, flow)
    await frame.gateway.called('socialClaim', 2)
    await frame.ask('SIGN_OUT', undefined)
    expect(await user.reply).toMatchObject({ ok: false, code: 'ABORTED' })
    letGo()
    // The gateway's new session ends too.
    await frame.gateway.called('signOut')
    expect(await isConnected(frame)).toBe(false)
    expect(frame.notices.map(({ name }) => name)).not.toContain('SESSION_UPDATE')
  })

  it('ignores a pending code of a social sign-in', async () => {
    const frame = testFrame()
    const { flow } = await begin(frame)
    const { code } = frame.gateway.returnFromProvider(flow, 'code')
    const letGo = held(frame, 'socialClaim')
    const typed = await frame.sendCode('SOCIAL_CODE', code)
    await frame.gateway.called('socialClaim')
    await frame.ask('SIGN_OUT', undefined)
    letGo()
    expect(await typed.reply).toMatchObject({ ok: false, code: 'ABORTED' })
    expect(await isConnected(frame)).toBe(false)
  })

  it('aborts a sign-in that is still starting', async () => {
    const frame = testFrame()
    const letGo = held(frame, 'social')
    const begun = frame.send('GET_SOCIAL_REDIRECT_URI', { provider: 'google' })
    await frame.gateway.called('social')
    await frame.ask('SIGN_OUT', undefined)
    letGo()
    expect(await begun.reply).toMatchObject({ ok: false, code: 'ABORTED' })
  })

  it('ignores a pending emailed code', async () => {
    const frame = testFrame()
    await frame.ask('CONNECT_EMAIL', { email: 'alice@example.com' })
    frame.gateway.approve('alice@example.com')
    await frame.ask('CONNECT_DEVICE', undefined)
    const letGo = held(frame, 'emailVerify')
    const typed = await frame.sendCode('CONNECT_OTP', frame.gateway.codeFor('alice@example.com'))
    await frame.gateway.called('emailVerify')
    await frame.ask('SIGN_OUT', undefined)
    letGo()
    expect(await typed.reply).toMatchObject({ ok: false, code: 'ABORTED' })
    expect(await isConnected(frame)).toBe(false)
  })

  it('ignores a pending Farcaster approval', async () => {
    const frame = testFrame()
    frame.gateway.interrupt('farcaster', () => Response.json({ flow: 'f'.repeat(43), url: 'https://farcaster.xyz/x' }))
    await frame.ask('GET_FARCASTER_URI', undefined)
    let approve = () => {}
    frame.gateway.interrupt(
      'farcasterClaim',
      () =>
        new Promise((resolve) => {
          approve = () => resolve(Response.json(byFarcaster))
        }),
    )
    const approved = frame.send('CONNECT_FARCASTER', undefined)
    await frame.gateway.called('farcasterClaim')
    await frame.ask('SIGN_OUT', undefined)
    approve()
    expect(await approved.reply).toMatchObject({ ok: false, code: 'ABORTED' })
    expect(frame.notices.map(({ name }) => name)).not.toContain('SESSION_UPDATE')
    expect(await isConnected(frame)).toBe(false)
  })
})

describe('another sign-in', () => {
  it('ignores a late ticket of the previous social sign-in', async () => {
    const frame = testFrame()
    const { uri, flow } = await begin(frame)
    const left = frame.send('CONNECT_SOCIAL', { uri })
    await frame.gateway.called('socialClaim')
    await frame.ask('RPC_ABORT', { id: left.id })
    await frame.signIn('bob@example.com')
    handOver(frame, flow)
    await expect(frame.ask('CONNECT_SOCIAL', { uri })).rejects.toMatchObject({ code: 'STATE_MISMATCH' })
    expect(await frame.ask('GET_USER', undefined)).toMatchObject({ email: 'bob@example.com', provider: 'email' })
  })

  it('ignores a pending ticket of the previous social sign-in', async () => {
    const frame = testFrame()
    const { flow } = await begin(frame)
    const letGo = held(frame, 'socialClaim')
    handOver(frame, flow)
    await frame.gateway.called('socialClaim')
    await frame.signIn('bob@example.com')
    letGo()
    await frame.gateway.called('signOut')
    expect(await frame.ask('GET_USER', undefined)).toMatchObject({ email: 'bob@example.com', provider: 'email' })
  })
})

const byFarcaster = {
  status: 'signedIn',
  sessionToken: 's'.repeat(43),
  expiresAt: 9e12,
  identityToken: 'e30.e30.s',
  user: { id: 'farcaster-7', email: null, userName: 'alice.eth', provider: 'farcaster' },
}
