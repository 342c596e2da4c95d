import { sha256 } from '@noble/hashes/sha2.js'
import { deviceRemovalText, limits, walletApi, walletFrameRequests } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { personalMessageSigner } from '../chains/eip155/keys/sign'
import { hexOf, utf8 } from '../keys/bytes'
import { fakeGateway, refusal } from '../testing/fake-gateway'
import { move, open, ownersMethod } from '../testing/steps'
import { newStorage, removeDevice, storeIn, testFrame, walletOrigin } from '../testing/test-frame'
import { deleteAccount } from '../testing/test-window'

function settleable() {
  let resolve = () => {}
  const promise = new Promise<void>((onResolve) => {
    resolve = onResolve
  })
  return { promise, resolve: () => resolve() }
}

const stillAlice = {
  status: 'signedIn',
  sessionToken: 's'.repeat(43),
  expiresAt: 9e12,
  identityToken: 'e30.e30.s',
  user: { id: 'email-alice@example.com', email: 'alice@example.com', userName: null, provider: 'email' },
}

describe('the identity token', () => {
  it('comes from the gateway for the signed-in user, and only for them', async () => {
    const frame = testFrame()
    const ask = () => frame.ask('GET_IDENTITY_TOKEN', { namespaces: ['eip155', 'solana'] })
    await expect(ask()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await frame.signIn('alice@example.com')
    expect(await ask()).toEqual({ token: 'email-alice@example.com eip155,solana' })
  })
})

describe('email sign-in', () => {
  it('does the work that the gateway asks for before an email, once', async () => {
    const frame = testFrame()
    const stop = frame.gateway.interrupt('email', ({ body }) =>
      JSON.stringify(body).includes('"number":123') ? undefined : refusal('CHALLENGE_REQUIRED'),
    )
    expect(await frame.ask('CONNECT_EMAIL', { email: 'alice@example.com' })).toEqual({ action: 'VERIFY_DEVICE' })
    expect(frame.gateway.calls.map(({ name }) => name)).toEqual(['email', 'emailChallenge', 'email'])
    stop()
    frame.gateway.interrupt('email', () => refusal('CHALLENGE_REQUIRED'))
    await expect(frame.ask('CONNECT_EMAIL', { email: 'bob@example.com' })).rejects.toMatchObject({
      code: 'TOO_MANY_ATTEMPTS',
    })
    expect(frame.gateway.calls).toHaveLength(6)
  })

  it('takes a new device through link and code to its own wallet', async () => {
    const frame = testFrame()
    await frame.notice('READY')
    expect(await frame.ask('CONNECT_EMAIL', { email: ' alice@example.com ' })).toEqual({ action: 'VERIFY_DEVICE' })
    const approved = frame.ask('CONNECT_DEVICE', undefined)
    frame.gateway.approve('alice@example.com')
    await approved
    await frame.typeCode('CONNECT_OTP', '100 000')
    expect((await frame.notice('SESSION_UPDATE')).token).toMatch(/^e30\./)
    const user = await frame.ask('GET_USER', undefined)
    expect(user).toMatchObject({
      email: 'alice@example.com',
      provider: 'email',
      chainId: 1,
      storage: 'frame',
      preferredAccountType: 'eoa',
      accounts: [{ address: user.address, type: 'eoa' }],
    })
    expect(user.address).toMatch(/^0x[0-9a-fA-F]{40}$/)
    expect(user.solana).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
    expect(user.bitcoin?.[0]?.publicKey).toMatch(/^0[23][0-9a-f]{64}$/)
    expect(user.locked).toBeUndefined()
    expect(frame.counted.reports).toEqual([])
  })

  it('requires only the code on a known device, and nothing with a live session', async () => {
    const frame = testFrame()
    await frame.signIn()
    expect(await frame.ask('CONNECT_EMAIL', { email: 'Alice@example.com' })).toEqual({ action: 'CONNECT' })
    await frame.ask('SIGN_OUT', undefined)
    expect(await frame.ask('CONNECT_EMAIL', { email: 'alice@example.com' })).toEqual({ action: 'VERIFY_OTP' })
  })

  it('sends no email for an invalid address', async () => {
    const frame = testFrame()
    for (const email of ['', 'alice', 'alice@', '@example.com', 'a b@example.com', `${'a'.repeat(300)}@example.com`])
      await expect(frame.ask('CONNECT_EMAIL', { email })).rejects.toMatchObject({ code: 'INVALID_EMAIL' })
    expect(frame.gateway.calls).toEqual([])
  })

  it('accepts only six digits, and none before an email', async () => {
    const frame = testFrame()
    await expect(frame.typeCode('CONNECT_OTP', '123456')).rejects.toMatchObject({ code: 'CODE_EXPIRED' })
    await frame.ask('CONNECT_EMAIL', { email: 'alice@example.com' })
    frame.gateway.approve('alice@example.com')
    for (const otp of ['', '12345', '1234567', 'abcdef', '１２３４５６'])
      await expect(frame.typeCode('CONNECT_OTP', otp)).rejects.toMatchObject({ code: 'WRONG_CODE' })
    expect(frame.gateway.calls.map(({ name }) => name)).toEqual(['email'])
    await expect(frame.typeCode('CONNECT_OTP', '000000')).rejects.toMatchObject({ code: 'WRONG_CODE' })
    await frame.typeCode('CONNECT_OTP', frame.gateway.codeFor('alice@example.com'))
  })

  it('reports the seconds to wait, and keeps the previous email’s code valid', async () => {
    const frame = testFrame()
    await frame.ask('CONNECT_EMAIL', { email: 'alice@example.com' })
    frame.gateway.approve('alice@example.com')
    const stop = frame.gateway.interrupt('email', () => refusal('EMAIL_COOLDOWN', 17))
    await expect(frame.ask('CONNECT_EMAIL', { email: 'alice@example.com' })).rejects.toMatchObject({
      code: 'EMAIL_COOLDOWN',
      message: 'Please try again after 17 seconds',
    })
    stop()
    await frame.typeCode('CONNECT_OTP', frame.gateway.codeFor('alice@example.com'))
  })

  it('waits for the link again after an abort', async () => {
    const frame = testFrame()
    await frame.ask('CONNECT_EMAIL', { email: 'alice@example.com' })
    const first = frame.send('CONNECT_DEVICE', undefined)
    await frame.ask('RPC_ABORT', { id: first.id })
    expect(await first.reply).toMatchObject({ ok: false, code: 'ABORTED' })
    const second = frame.ask('CONNECT_DEVICE', undefined)
    frame.gateway.approve('alice@example.com')
    await second
  })

  it('takes the code of an earlier frame’s email, unless it is over', async () => {
    const gateway = fakeGateway()
    const storage = newStorage()
    const waiting = { email: 'alice@example.com', step: 'device' } as const
    const first = testFrame({ gateway, storage })
    expect(await first.ask('GET_EMAIL_SIGN_IN', undefined)).toBeNull()
    await first.ask('CONNECT_EMAIL', { email: 'alice@example.com' })
    first.end()

    const second = testFrame({ gateway, storage })
    expect(await second.ask('GET_EMAIL_SIGN_IN', undefined)).toEqual(waiting)
    const approved = second.ask('CONNECT_DEVICE', undefined)
    gateway.approve('alice@example.com')
    await approved
    second.end()

    const late = testFrame({ gateway, storage })
    late.clock.advance(limits.emailCodeLifetimeMs)
    expect(await late.ask('GET_EMAIL_SIGN_IN', undefined)).toBeNull()
    await expect(late.typeCode('CONNECT_OTP', '100000')).rejects.toMatchObject({ code: 'CODE_EXPIRED' })
    late.end()

    const third = testFrame({ gateway, storage })
    expect(await third.ask('GET_EMAIL_SIGN_IN', undefined)).toEqual({ ...waiting, step: 'code' })
    await third.typeCode('CONNECT_OTP', gateway.codeFor('alice@example.com'))
    expect(await third.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: true })
    expect(await third.ask('GET_EMAIL_SIGN_IN', undefined)).toBeNull()
    third.end()
    expect(await storeIn(storage).emailFlow()).toBeNull()
  })

  it.each([
    ['has no tries left', () => refusal('TOO_MANY_ATTEMPTS', 30)],
    ['has expired', () => refusal('CODE_EXPIRED')],
  ])('does not continue a sign-in whose code %s', async (_, refuse) => {
    const storage = newStorage()
    const frame = testFrame({ storage })
    await frame.ask('CONNECT_EMAIL', { email: 'alice@example.com' })
    frame.gateway.approve('alice@example.com')
    frame.gateway.interrupt('emailVerify', refuse)
    await expect(frame.typeCode('CONNECT_OTP', '111111')).rejects.toThrow()
    expect(await frame.ask('GET_EMAIL_SIGN_IN', undefined)).toBeNull()
    expect(await storeIn(storage).emailFlow()).toBeNull()
  })

  it('has no sign-in left after a sign-out, nor one by a damaged entry', async () => {
    const storage = newStorage()
    const frame = testFrame({ storage })
    await frame.ask('CONNECT_EMAIL', { email: 'alice@example.com' })
    await frame.ask('SIGN_OUT', undefined)
    expect(await frame.ask('GET_EMAIL_SIGN_IN', undefined)).toBeNull()
    await storeIn(storage).setEmailFlow({ id: '', email: 'alice@example.com', step: 'code', expiresAt: 9e15 })
    expect(await frame.ask('GET_EMAIL_SIGN_IN', undefined)).toBeNull()
  })

  it('distinguishes an unreachable gateway from a wrong code', async () => {
    const frame = testFrame()
    frame.gateway.interrupt('email', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(frame.ask('CONNECT_EMAIL', { email: 'alice@example.com' })).rejects.toMatchObject({
      code: 'WALLET_SERVICE_UNREACHABLE',
    })
  })
})

describe('social sign-in', () => {
  async function begin(frame: ReturnType<typeof testFrame>) {
    const { uri } = await frame.ask('GET_SOCIAL_REDIRECT_URI', { provider: 'google' })
    return { uri, flow: new URL(uri).searchParams.get('flow') ?? '' }
  }
  const ticketFrom = (flow: string, ticket: string) => ({ type: 'postern:social-ticket', v: 1, flow, ticket })

  it('accepts the ticket of the page at the end', async () => {
    const frame = testFrame()
    const { uri, flow } = await begin(frame)
    const user = frame.ask('CONNECT_SOCIAL', { uri, chainId: 8453 })
    const { ticket } = frame.gateway.returnFromProvider(flow, 'ticket')
    const answered: unknown[] = []
    const source = Object.assign(new MessageChannel().port1, {
      postMessage: (message: unknown) => answered.push(message),
    })
    frame.window.post({ data: ticketFrom(flow, ticket), origin: walletOrigin, source })
    source.close()
    expect(await user).toMatchObject({ email: 'social@example.com', provider: 'google', chainId: 8453 })
    expect(answered).toEqual([{ type: 'postern:social-taken', v: 1, flow }])
  })

  it('signs in even if the poll fails with a spent code before the ticket’s response arrives', async () => {
    const frame = testFrame()
    const { uri, flow } = await begin(frame)
    let answerTicket = () => {}
    let answerWait = (_refused: Response) => {}
    frame.gateway.interrupt('socialClaim', ({ body }) =>
      JSON.stringify(body).includes('ticket')
        ? new Promise((resolve) => {
            answerTicket = () => resolve(undefined)
          })
        : new Promise((resolve) => {
            answerWait = resolve
          }),
    )
    const user = frame.ask('CONNECT_SOCIAL', { uri })
    await frame.gateway.called('socialClaim')
    const { ticket } = frame.gateway.returnFromProvider(flow, 'ticket')
    frame.window.post({ data: ticketFrom(flow, ticket), origin: walletOrigin })
    await frame.gateway.called('socialClaim', 2)
    answerWait(refusal('CODE_SPENT'))
    await frame.ask('GET_CHAIN_ID', undefined)
    answerTicket()
    expect(await user).toMatchObject({ provider: 'google' })
  })

  it('accepts a ticket that arrives while no request is waiting', async () => {
    const frame = testFrame()
    const { uri, flow } = await begin(frame)
    const { ticket } = frame.gateway.returnFromProvider(flow, 'ticket')
    frame.window.post({ data: ticketFrom(flow, ticket), origin: walletOrigin })
    await frame.notice('SESSION_UPDATE')
    expect(await frame.ask('CONNECT_SOCIAL', { uri })).toMatchObject({ provider: 'google' })
    expect(await frame.ask('CONNECT_SOCIAL', { uri })).toMatchObject({ provider: 'google' })
  })

  it('signs in if the ticket arrived after an abort and was still pending at the next wait', async () => {
    const frame = testFrame()
    const { uri, flow } = await begin(frame)
    const first = frame.send('CONNECT_SOCIAL', { uri })
    await frame.gateway.called('socialClaim')
    await frame.ask('RPC_ABORT', { id: first.id })
    expect(await first.reply).toMatchObject({ ok: false, code: 'ABORTED' })
    let answerTicket = () => {}
    const stop = frame.gateway.interrupt(
      'socialClaim',
      () =>
        new Promise((resolve) => {
          answerTicket = () => resolve(undefined)
        }),
    )
    const { ticket } = frame.gateway.returnFromProvider(flow, 'ticket')
    frame.window.post({ data: ticketFrom(flow, ticket), origin: walletOrigin })
    await frame.gateway.called('socialClaim', 2)
    stop()
    const again = frame.ask('CONNECT_SOCIAL', { uri })
    await frame.gateway.called('socialClaim', 3)
    answerTicket()
    expect(await again).toMatchObject({ email: 'social@example.com', provider: 'google' })
    // Later requests still find the sign-in.
    expect(await frame.ask('GET_USER', { socialUri: uri })).toMatchObject({ provider: 'google' })
  })

  it('signs in with a code that the gateway accepted after its request was aborted', async () => {
    const frame = testFrame()
    const { uri, flow } = await begin(frame)
    frame.gateway.returnFromProvider(flow, 'code')
    let answerCode = () => {}
    frame.gateway.interrupt(
      'socialClaim',
      () =>
        new Promise((resolve) => {
          answerCode = () => resolve(undefined)
        }),
    )
    const typed = await frame.sendCode('SOCIAL_CODE', '424242')
    await frame.gateway.called('socialClaim')
    await frame.ask('RPC_ABORT', { id: typed.id })
    expect(await typed.reply).toMatchObject({ ok: false, code: 'ABORTED' })
    answerCode()
    await frame.notice('SESSION_UPDATE')
    expect(await frame.ask('CONNECT_SOCIAL', { uri })).toMatchObject({ provider: 'google' })
  })

  it('asks for the code if the page cannot reach the frame', async () => {
    const frame = testFrame()
    const { uri, flow } = await begin(frame)
    const user = frame.ask('CONNECT_SOCIAL', { uri })
    frame.gateway.returnFromProvider(flow, 'code')
    await frame.notice('SOCIAL_CODE_WANTED')
    await expect(frame.typeCode('SOCIAL_CODE', '000000')).rejects.toMatchObject({ code: 'WRONG_CODE' })
    await frame.typeCode('SOCIAL_CODE', '424242')
    expect(await user).toMatchObject({ provider: 'google' })
  })

  it('waits for the code if the page traded its late ticket for one', async () => {
    const frame = testFrame()
    const { uri, flow } = await begin(frame)
    const user = frame.ask('CONNECT_SOCIAL', { uri })
    await frame.gateway.called('socialClaim')
    const { ticket, code } = frame.gateway.returnFromProvider(flow, 'code')
    frame.window.post({ data: ticketFrom(flow, 'x'.repeat(ticket.length)), origin: walletOrigin })
    await frame.notice('SOCIAL_CODE_WANTED')
    await frame.typeCode('SOCIAL_CODE', code)
    expect(await user).toMatchObject({ provider: 'google' })
  })

  it('rejects a ticket from another origin, of another flow, or malformed', async () => {
    const frame = testFrame()
    const { flow } = await begin(frame)
    const { ticket } = frame.gateway.returnFromProvider(flow, 'ticket')
    frame.window.post({ data: ticketFrom(flow, ticket), origin: 'https://app.example' })
    frame.window.post({ data: ticketFrom(flow, ticket), origin: 'https://modal.test' })
    frame.window.post({ data: ticketFrom(ticket, ticket), origin: walletOrigin })
    frame.window.post({ data: { ...ticketFrom(flow, ticket), more: 1 }, origin: walletOrigin })
    await frame.ask('GET_CHAIN_ID', undefined)
    expect(frame.gateway.calls.map(({ name }) => name)).toEqual(['social'])
  })

  it.each([
    ['GET_SOCIAL_REDIRECT_URI', { provider: 'google' }, 'social'],
    ['GET_FARCASTER_URI', undefined, 'farcaster'],
  ] as const)('does the work that the gateway asks for before %s, once', async (name, params, call) => {
    const frame = testFrame()
    const begun = { flow: 'f'.repeat(43), uri: 'https://wallet.test/start', url: 'https://farcaster.test/channel' }
    const stop = frame.gateway.interrupt(call, ({ body }) =>
      JSON.stringify(body).includes('"number":123') ? Response.json(begun) : refusal('CHALLENGE_REQUIRED'),
    )
    await frame.ask(name, params)
    expect(frame.gateway.calls.map(({ name: called }) => called)).toEqual([call, 'providerChallenge', call])
    stop()
    frame.gateway.interrupt(call, () => refusal('CHALLENGE_REQUIRED'))
    await expect(frame.ask(name, params)).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS' })
    expect(frame.gateway.calls).toHaveLength(6)
  })

  it('cannot claim a sign-in that another frame started', async () => {
    const gateway = fakeGateway()
    const phisher = testFrame({ gateway })
    const victim = testFrame({ gateway })
    const { uri } = await begin(phisher)
    await expect(victim.ask('CONNECT_SOCIAL', { uri })).rejects.toMatchObject({ code: 'STATE_MISMATCH' })
    await expect(victim.typeCode('SOCIAL_CODE', '424242')).rejects.toMatchObject({ code: 'STATE_MISMATCH' })
  })

  it('reports that the visitor declined', async () => {
    const frame = testFrame()
    const { uri } = await begin(frame)
    frame.gateway.interrupt('socialClaim', () => refusal('CONSENT_DENIED'))
    await expect(frame.ask('CONNECT_SOCIAL', { uri })).rejects.toMatchObject({ code: 'CONSENT_DENIED' })
  })
})

describe('the session', () => {
  it('is restored by the next frame with the same accounts (spec §3)', async () => {
    const gateway = fakeGateway()
    const storage = newStorage()
    const first = testFrame({ gateway, storage })
    await first.signIn()
    const { isNew, ...user } = await first.ask('GET_USER', undefined)
    expect(isNew).toBe(true)
    first.end()
    const second = testFrame({ gateway, storage })
    expect(await second.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: true })
    expect(await second.ask('GET_USER', undefined)).toEqual(user)
    expect(gateway.calls.filter(({ name }) => name === 'createWallet')).toHaveLength(1)
  })

  it('ends with SIGN_OUT, even if the gateway does not respond', async () => {
    const frame = testFrame()
    await frame.signIn()
    frame.gateway.interrupt('signOut', () => Promise.reject(new TypeError('Failed to fetch')))
    await frame.ask('SIGN_OUT', undefined)
    expect(await frame.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: false })
    await expect(frame.ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(frame.notices.map(({ name }) => name)).not.toContain('SESSION_ENDED')
  })

  it('stays ended, whatever the gateway still returns for it', async () => {
    const frame = testFrame()
    await frame.signIn()
    const [asked, answer] = [settleable(), settleable()]
    frame.gateway.interrupt('session', async () => {
      asked.resolve()
      await answer.promise
      return Response.json(stillAlice)
    })
    const isConnected = frame.ask('IS_CONNECTED', undefined)
    await asked.promise
    await frame.ask('SIGN_OUT', undefined)
    answer.resolve()
    expect(await isConnected).toEqual({ isConnected: false })
    await expect(frame.ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('survives the end of the previous one, if it starts while the gateway processes that', async () => {
    const frame = testFrame()
    await frame.signIn()
    const [asked, answer] = [settleable(), settleable()]
    frame.gateway.interrupt('signOut', async () => {
      asked.resolve()
      await answer.promise
      return undefined
    })
    const signedOut = frame.ask('SIGN_OUT', undefined)
    await asked.promise
    await frame.signIn('bob@example.com')
    answer.resolve()
    await signedOut
    expect(await frame.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: true })
    expect(await frame.ask('GET_USER', undefined)).toMatchObject({ email: 'bob@example.com' })
  })

  it('is reported once when the gateway ended it, and is gone', async () => {
    const frame = testFrame()
    await frame.signIn()
    await frame.ask('GET_USER', undefined)
    frame.gateway.endSessions()
    await expect(frame.ask('GET_SECURITY', undefined)).rejects.toMatchObject({ code: 'SIGN_IN_AGAIN' })
    await frame.notice('SESSION_ENDED')
    expect(await frame.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: false })
    expect(frame.notices.map(({ name }) => name)).not.toContain('SESSION_ENDED')
  })

  it('reports a device clock that is behind the token', async () => {
    const frame = testFrame()
    await frame.signIn()
    const claims = btoa(JSON.stringify({ nbf: frame.clock.now() / 1000 + 3600 }))
    await expect(frame.ask('IS_CONNECTED', { token: `e30.${claims}.s` })).rejects.toMatchObject({
      code: 'DEVICE_CLOCK_WRONG',
    })
    const other = btoa(JSON.stringify({ sub: 'another user' }))
    expect(await frame.ask('IS_CONNECTED', { token: `e30.${other}.s` })).toEqual({ isConnected: false })
    for (const token of ['', 'x', 'a.b.c', `.${btoa('{"nbf":"soon"}')}.`])
      expect(await frame.ask('IS_CONNECTED', { token })).toEqual({ isConnected: true })
  })

  it('reports that the device’s clock is wrong, and works again once it is right', async () => {
    const frame = testFrame()
    await frame.signIn()
    const user = await frame.ask('GET_USER', undefined)
    const twoDaysOn = Math.floor(frame.clock.now() / 1000) + 2 * 24 * 60 * 60
    const token = `e30.${btoa(JSON.stringify({ sub: 'alice', iat: twoDaysOn }))}.s`
    await expect(frame.ask('IS_CONNECTED', { token })).rejects.toMatchObject({
      code: 'DEVICE_CLOCK_WRONG',
      message: expect.stringContaining('Your device’s clock is wrong'),
    })
    expect(await frame.ask('GET_USER', undefined)).toEqual(user)
    expect(frame.notices.map(({ name }) => name)).not.toContain('SESSION_ENDED')
    expect(await frame.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: true })
  })

  it('does not end while the gateway is unreachable', async () => {
    const frame = testFrame()
    await frame.signIn()
    const answers = [
      [() => Promise.reject(new TypeError('Failed to fetch')), 'WALLET_SERVICE_UNREACHABLE'],
      [async () => new Response(null, { status: 500 }), 'WALLET_SERVICE_UNREACHABLE'],
      [async () => new Response('Service Unavailable', { status: 503 }), 'WALLET_SERVICE_UNREACHABLE'],
      [async () => new Response(null, { status: 429, headers: { 'retry-after': '2' } }), 'TOO_MANY_ATTEMPTS'],
      // Of a proxy: the gateway names its reason.
      [async () => new Response(null, { status: 401 }), 'SOMETHING_WENT_WRONG'],
      [async () => new Response('{"user":'), 'WALLET_SERVICE_UNREACHABLE'],
    ] as const
    for (const [answer, code] of answers) {
      const back = frame.gateway.interrupt('session', answer)
      await expect(frame.ask('IS_CONNECTED', undefined)).rejects.toMatchObject({ code })
      back()
      expect(await frame.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: true })
    }
  })

  it('ends in other tabs too', async () => {
    const gateway = fakeGateway()
    const storage = newStorage()
    const one = testFrame({ gateway, storage })
    const other = testFrame({ gateway, storage })
    await one.signIn()
    await other.ask('IS_CONNECTED', undefined)
    await one.ask('SIGN_OUT', undefined)
    await other.notice('SESSION_ENDED')
    expect(await other.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: false })
  })

  it('ends with the next request after the user cleared the storage', async () => {
    const storage = newStorage()
    const frame = testFrame({ storage })
    await frame.signIn()
    await storeIn(storage).setSession(null)
    await expect(frame.ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await frame.notice('SESSION_ENDED')
    expect(await frame.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: false })
    expect(frame.notices.map(({ name }) => name)).not.toContain('SESSION_ENDED')
  })

  it('clears what spec §4 names on sign-out, and keeps the device’s share', async () => {
    const frame = testFrame()
    await frame.signIn()
    const { address } = await frame.ask('GET_USER', { chainId: 10 })
    await frame.ask('SIGN_OUT', undefined)
    await frame.signIn()
    expect((await frame.ask('GET_USER', undefined)).address).toBe(address)
    expect(frame.gateway.calls.map(({ name }) => name)).not.toContain('recover')
  })
})

describe('networks and accounts', () => {
  it('switches only to known networks', async () => {
    const frame = testFrame()
    expect(await frame.ask('GET_CHAIN_ID', undefined)).toEqual({ chainId: 1 })
    for (const chainId of [8453, '8453', '0x2105', 'eip155:8453'])
      expect(await frame.ask('SWITCH_NETWORK', { chainId })).toEqual({ chainId })
    expect(await frame.ask('GET_CHAIN_ID', undefined)).toEqual({ chainId: 8453 })
    for (const chainId of [0, -1, 1.5, 31337, 'eip155:1x', 'cosmos:hub', '', 'constructor', '1e3'])
      await expect(frame.ask('SWITCH_NETWORK', { chainId })).rejects.toMatchObject({ code: 'CHAIN_NOT_SUPPORTED' })
    await frame.ask('SWITCH_NETWORK', { chainId: 'bip122:000000000019d6689c085ae165831e93' })
    expect(await frame.ask('GET_CHAIN_ID', undefined)).toEqual({ chainId: 8453 })
  })

  it('prefers the smart account if there is one, until the user chooses otherwise (spec §3, §6)', async () => {
    const frame = testFrame()
    await frame.signIn()
    const smart = '0x00000000000000000000000000000000000000Aa'
    expect(await frame.ask('GET_SMART_ACCOUNT_ENABLED_NETWORKS', undefined)).toEqual({
      smartAccountEnabledNetworks: [8453],
    })
    await expect(frame.ask('INIT_SMART_ACCOUNT', undefined)).rejects.toMatchObject({ code: 'CHAIN_NOT_SUPPORTED' })
    await expect(frame.ask('SET_PREFERRED_ACCOUNT', { type: 'smartAccount' })).rejects.toMatchObject({
      code: 'CHAIN_NOT_SUPPORTED',
    })
    const user = await frame.ask('GET_USER', { chainId: 8453 })
    expect(user).toMatchObject({ address: smart, preferredAccountType: 'smartAccount', smartAccountDeployed: false })
    const eoa = user.accounts?.[1]?.address
    expect(await frame.ask('INIT_SMART_ACCOUNT', undefined)).toEqual({ address: smart, isDeployed: false })
    expect(await frame.ask('SET_PREFERRED_ACCOUNT', { type: 'eoa' })).toEqual({ type: 'eoa', address: eoa })
    expect(await frame.ask('GET_USER', undefined)).toMatchObject({
      address: eoa,
      accounts: [
        { address: eoa, type: 'eoa' },
        { address: smart, type: 'smartAccount' },
      ],
    })
  })
})

describe('devices and deletion', () => {
  it('lists this device, which only another one can remove', async () => {
    const gateway = fakeGateway()
    const frame = testFrame({ gateway })
    await frame.signIn()
    await frame.ask('GET_USER', undefined)
    const phone = testFrame({ gateway })
    await phone.signIn()
    await phone.ask('GET_USER', undefined)
    const security = await frame.ask('GET_SECURITY', undefined)
    expect(security).toMatchObject({ storage: 'frame', recovery: 'gateway' })
    expect(security.devices.map(({ isThis }) => isThis)).toEqual([true, false])
    const id = security.devices[0]?.id ?? ''
    await expect(frame.ask('REVOKE_DEVICE', { id })).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    expect((await frame.ask('GET_SECURITY', undefined)).devices).toHaveLength(2)
    await removeDevice(phone, id)
    expect((await phone.ask('GET_SECURITY', undefined)).devices).toHaveLength(1)
  })

  it('removes a device of a wallet with a passphrase by the signature of its key, and only where it is open', async () => {
    const gateway = fakeGateway()
    const frame = testFrame({ gateway })
    await open(frame)
    const phone = testFrame({ gateway })
    await open(phone)
    await move(frame, await ownersMethod())
    const locked = testFrame({ gateway })
    await locked.signIn()
    const { devices } = await frame.ask('GET_SECURITY', undefined)
    const id = devices.find(({ isThis }) => !isThis)?.id ?? ''
    await expect(removeDevice(locked, id)).rejects.toMatchObject({ code: 'WALLET_LOCKED' })
    expect(gateway.calls.findLast(({ name }) => name === 'revokeDevice')?.body).toEqual({ id })
    await removeDevice(frame, id)
    expect((await frame.ask('GET_SECURITY', undefined)).devices.map(({ isThis }) => isThis)).toEqual([true])
    const sent = walletApi.revokeDevice.body.parse(gateway.calls.findLast(({ name }) => name === 'revokeDevice')?.body)
    const { addresses } = gateway.user('alice@example.com').wallet ?? {}
    if (addresses === undefined || sent.signature === undefined) throw new Error('a signature expected')
    const userHash = hexOf(sha256(utf8('email-alice@example.com')))
    const text: `0x${string}` = `0x${hexOf(utf8(deviceRemovalText({ userHash, deviceId: id, addresses })))}`
    expect(personalMessageSigner(text, sent.signature)?.toLowerCase()).toBe(addresses.eip155.toLowerCase())
  })

  it('deletes the account in its window with a fresh code, and leaves no way to sign in', async () => {
    const frame = testFrame()
    await frame.signIn()
    const { address } = await frame.ask('GET_USER', undefined)
    await deleteAccount(frame)
    expect(await frame.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: false })
    await frame.signIn()
    expect((await frame.ask('GET_USER', undefined)).address).not.toBe(address)
  })
})

describe('the request table', () => {
  it('settles every name in any wallet state', async () => {
    const frame = testFrame()
    const waiting = new Set(['CONNECT_DEVICE', 'CONNECT_FARCASTER', 'AWAIT_WINDOW'])
    const payloads: Record<string, unknown> = {
      SWITCH_NETWORK: { chainId: 1 },
      CONNECT_EMAIL: { email: 'x' },
      CONNECT_OTP: { otp: '1' },
      GET_SOCIAL_REDIRECT_URI: { provider: 'google' },
      CONNECT_SOCIAL: { uri: 'x' },
      SET_PREFERRED_ACCOUNT: { type: 'eoa' },
      RPC_REQUEST: { method: 'eth_sign' },
      UPDATE_EMAIL: { email: 'x' },
      UPDATE_EMAIL_PRIMARY_OTP: { otp: '1' },
      UPDATE_EMAIL_SECONDARY_OTP: { otp: '1' },
      SYNC_THEME: {},
      SYNC_DAPP_DATA: { projectId: 'demo' },
      RPC_ABORT: { id: 'unknown' },
      SHOW_APPROVAL: { id: 'x' },
      HIDE_APPROVAL: undefined,
      REJECT: { id: 'x' },
      SOCIAL_CODE: { otp: '1' },
      REVOKE_DEVICE: { id: 'x' },
      SEE_RECOVERIES: { until: 1 },
      GET_WINDOW_URI: { purpose: 'keep' },
      AWAIT_WINDOW: { purpose: 'unlock' },
      DELETE_ACCOUNT: undefined,
    }
    for (const name of Object.keys(walletFrameRequests)) {
      const id = `table-${name}`
      frame.modal.postMessage({ id, type: `@w3m-app/${name}`, payload: payloads[name] })
      if (waiting.has(name))
        frame.modal.postMessage({ id: `abort-${name}`, type: '@w3m-app/RPC_ABORT', payload: { id } })
    }
    const answers: Promise<unknown>[] = []
    for (const name of Object.keys(walletFrameRequests)) answers.push(frame.answered(`table-${name}`))
    await Promise.all(answers)
    expect(frame.counted.reloads).toBe(1)
    expect(frame.counted.reports).toEqual([])
  })

  it('ends in a timeout if the gateway never responds', async () => {
    const frame = testFrame()
    frame.gateway.interrupt('email', () => new Promise(() => {}))
    const reply = frame.ask('CONNECT_EMAIL', { email: 'alice@example.com' })
    const failed = expect(reply).rejects.toMatchObject({ code: 'TIMEOUT' })
    await frame.called('email')
    frame.advance(limits.walletFrameRequestTimeout)
    await failed
  })
})
