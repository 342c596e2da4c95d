import { limits, walletFrameRequests } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { fakeGateway, refusal } from '../testing/fake-gateway'
import { newStorage, testFrame, walletOrigin } from '../testing/test-frame'

/** What a test waits for, or holds back. */
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

describe('signing in by email', () => {
  it('takes a new device through link and code to a wallet of its own', async () => {
    const frame = testFrame()
    await frame.notice('READY')
    expect(await frame.ask('CONNECT_EMAIL', { email: ' alice@example.com ' })).toEqual({ action: 'VERIFY_DEVICE' })
    const approved = frame.ask('CONNECT_DEVICE', undefined)
    frame.gateway.approve('alice@example.com')
    await approved
    await frame.ask('CONNECT_OTP', { otp: '100 000' })
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

  it('asks a known device for the code alone, and a live session for nothing', async () => {
    const frame = testFrame()
    await frame.signIn()
    expect(await frame.ask('CONNECT_EMAIL', { email: 'Alice@example.com' })).toEqual({ action: 'CONNECT' })
    await frame.ask('SIGN_OUT', undefined)
    expect(await frame.ask('CONNECT_EMAIL', { email: 'alice@example.com' })).toEqual({ action: 'VERIFY_OTP' })
  })

  it('sends no mail for what is no address', async () => {
    const frame = testFrame()
    for (const email of ['', 'alice', 'alice@', '@example.com', 'a b@example.com', `${'a'.repeat(300)}@example.com`])
      await expect(frame.ask('CONNECT_EMAIL', { email })).rejects.toMatchObject({ code: 'INVALID_EMAIL' })
    expect(frame.gateway.calls).toEqual([])
  })

  it('takes no code but six digits, and none before a mail', async () => {
    const frame = testFrame()
    await expect(frame.ask('CONNECT_OTP', { otp: '123456' })).rejects.toMatchObject({ code: 'CODE_EXPIRED' })
    await frame.ask('CONNECT_EMAIL', { email: 'alice@example.com' })
    frame.gateway.approve('alice@example.com')
    for (const otp of ['', '12345', '1234567', 'abcdef', '１２３４５６'])
      await expect(frame.ask('CONNECT_OTP', { otp })).rejects.toMatchObject({ code: 'WRONG_CODE' })
    expect(frame.gateway.calls.map(({ name }) => name)).toEqual(['email'])
    await expect(frame.ask('CONNECT_OTP', { otp: '000000' })).rejects.toMatchObject({ code: 'WRONG_CODE' })
    await frame.ask('CONNECT_OTP', { otp: frame.gateway.codeFor('alice@example.com') })
  })

  it('says how many seconds to wait, and leaves the code of the mail before worth something', async () => {
    const frame = testFrame()
    await frame.ask('CONNECT_EMAIL', { email: 'alice@example.com' })
    frame.gateway.approve('alice@example.com')
    const stop = frame.gateway.interrupt('email', () => refusal('EMAIL_COOLDOWN', 17))
    await expect(frame.ask('CONNECT_EMAIL', { email: 'alice@example.com' })).rejects.toMatchObject({
      code: 'EMAIL_COOLDOWN',
      message: 'Please try again after 17 seconds',
    })
    stop()
    await frame.ask('CONNECT_OTP', { otp: frame.gateway.codeFor('alice@example.com') })
  })

  it('waits for the link again after the wait was called off', async () => {
    const frame = testFrame()
    await frame.ask('CONNECT_EMAIL', { email: 'alice@example.com' })
    const first = frame.send('CONNECT_DEVICE', undefined)
    await frame.ask('RPC_ABORT', { id: first.id })
    expect(await first.reply).toMatchObject({ ok: false, code: 'ABORTED' })
    const second = frame.ask('CONNECT_DEVICE', undefined)
    frame.gateway.approve('alice@example.com')
    await second
  })

  it('tells a gateway that is away from a code that is wrong', async () => {
    const frame = testFrame()
    frame.gateway.interrupt('email', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(frame.ask('CONNECT_EMAIL', { email: 'alice@example.com' })).rejects.toMatchObject({
      code: 'WALLET_SERVICE_UNREACHABLE',
    })
  })
})

describe('signing in by a social account', () => {
  async function begin(frame: ReturnType<typeof testFrame>) {
    const { uri } = await frame.ask('GET_SOCIAL_REDIRECT_URI', { provider: 'google' })
    return { uri, flow: new URL(uri).searchParams.get('flow') ?? '' }
  }
  const ticketFrom = (flow: string, ticket: string) => ({ type: 'postern:social-ticket', v: 1, flow, ticket })

  it('takes the ticket of the page at its end', async () => {
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

  it('is in also where the wait hears that the sign-in is gone before the ticket hears that it was taken', async () => {
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

  it('takes a ticket that comes while nobody waits', async () => {
    const frame = testFrame()
    const { uri, flow } = await begin(frame)
    const { ticket } = frame.gateway.returnFromProvider(flow, 'ticket')
    frame.window.post({ data: ticketFrom(flow, ticket), origin: walletOrigin })
    await frame.notice('SESSION_UPDATE')
    expect(await frame.ask('CONNECT_SOCIAL', { uri })).toMatchObject({ provider: 'google' })
    expect(await frame.ask('CONNECT_SOCIAL', { uri })).toMatchObject({ provider: 'google' })
  })

  it('is in although the ticket came after the wait was called off, and was still on its way when it was asked again', async () => {
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
    // It came in while nobody waited at all: it is in for whoever asks, and for what the page asks of a user.
    expect(await frame.ask('GET_USER', { socialUri: uri })).toMatchObject({ provider: 'google' })
  })

  it('is in by digits that the gateway took after whoever typed them stopped waiting', async () => {
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
    const typed = frame.send('SOCIAL_CODE', { otp: '424242' })
    await frame.gateway.called('socialClaim')
    await frame.ask('RPC_ABORT', { id: typed.id })
    expect(await typed.reply).toMatchObject({ ok: false, code: 'ABORTED' })
    answerCode()
    await frame.notice('SESSION_UPDATE')
    expect(await frame.ask('CONNECT_SOCIAL', { uri })).toMatchObject({ provider: 'google' })
  })

  it('asks for the digits where the page cannot reach the frame', async () => {
    const frame = testFrame()
    const { uri, flow } = await begin(frame)
    const user = frame.ask('CONNECT_SOCIAL', { uri })
    frame.gateway.returnFromProvider(flow, 'code')
    await frame.notice('SOCIAL_CODE_WANTED')
    await expect(frame.ask('SOCIAL_CODE', { otp: '000000' })).rejects.toMatchObject({ code: 'WRONG_CODE' })
    await frame.ask('SOCIAL_CODE', { otp: '424242' })
    expect(await user).toMatchObject({ provider: 'google' })
  })

  it('waits for the digits where the ticket comes late, traded for them', async () => {
    const frame = testFrame()
    const { uri, flow } = await begin(frame)
    const user = frame.ask('CONNECT_SOCIAL', { uri })
    await frame.gateway.called('socialClaim')
    const { ticket, code } = frame.gateway.returnFromProvider(flow, 'code')
    frame.window.post({ data: ticketFrom(flow, 'x'.repeat(ticket.length)), origin: walletOrigin })
    await frame.notice('SOCIAL_CODE_WANTED')
    await frame.ask('SOCIAL_CODE', { otp: code })
    expect(await user).toMatchObject({ provider: 'google' })
  })

  it('takes no ticket from another origin, of another flow, or of no form', async () => {
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

  it('cannot take what was begun elsewhere', async () => {
    const gateway = fakeGateway()
    const phisher = testFrame({ gateway })
    const victim = testFrame({ gateway })
    const { uri } = await begin(phisher)
    await expect(victim.ask('CONNECT_SOCIAL', { uri })).rejects.toMatchObject({ code: 'STATE_MISMATCH' })
    await expect(victim.ask('SOCIAL_CODE', { otp: '424242' })).rejects.toMatchObject({ code: 'STATE_MISMATCH' })
  })

  it('says that the visitor declined', async () => {
    const frame = testFrame()
    const { uri } = await begin(frame)
    frame.gateway.interrupt('socialClaim', () => refusal('CONSENT_DENIED'))
    await expect(frame.ask('CONNECT_SOCIAL', { uri })).rejects.toMatchObject({ code: 'CONSENT_DENIED' })
  })
})

describe('the session', () => {
  it('is found again by the next frame, with the same accounts', async () => {
    const gateway = fakeGateway()
    const storage = newStorage()
    const first = testFrame({ gateway, storage })
    await first.signIn()
    const user = await first.ask('GET_USER', undefined)
    first.end()
    const second = testFrame({ gateway, storage })
    expect(await second.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: true })
    expect(await second.ask('GET_USER', undefined)).toEqual(user)
    expect(gateway.calls.filter(({ name }) => name === 'createWallet')).toHaveLength(1)
  })

  it('ends with SIGN_OUT, also when the gateway does not answer', async () => {
    const frame = testFrame()
    await frame.signIn()
    frame.gateway.interrupt('signOut', () => Promise.reject(new TypeError('Failed to fetch')))
    await frame.ask('SIGN_OUT', undefined)
    expect(await frame.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: false })
    await expect(frame.ask('GET_USER', undefined)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(frame.notices.map(({ name }) => name)).not.toContain('SESSION_ENDED')
  })

  it('that ended stays ended, whatever the gateway still answers about it', async () => {
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

  it('that begins while the gateway hears of the end of the one before stays', async () => {
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

  it('that the gateway ended is told once, and is gone', async () => {
    const frame = testFrame()
    await frame.signIn()
    await frame.ask('GET_USER', undefined)
    frame.gateway.endSessions()
    await expect(frame.ask('GET_SECURITY', undefined)).rejects.toMatchObject({ code: 'SIGN_IN_AGAIN' })
    await frame.notice('SESSION_ENDED')
    expect(await frame.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: false })
    expect(frame.notices.map(({ name }) => name)).not.toContain('SESSION_ENDED')
  })

  it('is not taken for ended while the gateway is away', async () => {
    const frame = testFrame()
    await frame.signIn()
    const back = frame.gateway.interrupt('session', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(frame.ask('IS_CONNECTED', undefined)).rejects.toMatchObject({ code: 'WALLET_SERVICE_UNREACHABLE' })
    back()
    expect(await frame.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: true })
  })

  it('says so when the clock of the device is behind the token', async () => {
    const frame = testFrame()
    await frame.signIn()
    const claims = btoa(JSON.stringify({ nbf: frame.clock.now() / 1000 + 3600 }))
    await expect(frame.ask('IS_CONNECTED', { token: `e30.${claims}.s` })).rejects.toMatchObject({
      code: 'SESSION_EXPIRED',
      message: 'JWT validation error: JWT Token is not yet valid',
    })
    const other = btoa(JSON.stringify({ sub: 'somebody else' }))
    expect(await frame.ask('IS_CONNECTED', { token: `e30.${other}.s` })).toEqual({ isConnected: false })
    for (const token of ['', 'x', 'a.b.c', `.${btoa('{"nbf":"soon"}')}.`])
      expect(await frame.ask('IS_CONNECTED', { token })).toEqual({ isConnected: true })
  })

  it('that ended in one tab ends in the other', async () => {
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

  it('forgets on the way out what spec §4 names, and keeps the device’s share', async () => {
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
  it('switches to networks that are known, and to no other', async () => {
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

  it('prefers the smart account where there is one, until the owner says otherwise', async () => {
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
  it('lists this device, and signs out when it is removed', async () => {
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
    await frame.ask('REVOKE_DEVICE', { id: security.devices[0]?.id ?? '' })
    await frame.notice('SESSION_ENDED')
    expect(await frame.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: false })
    expect((await phone.ask('GET_SECURITY', undefined)).devices).toHaveLength(1)
  })

  it('deletes the account with a fresh code, and leaves nothing to sign in with', async () => {
    const frame = testFrame()
    await frame.signIn()
    const { address } = await frame.ask('GET_USER', undefined)
    expect(await frame.ask('REQUEST_CODE', { purpose: 'delete' })).toEqual({ needsCode: true })
    await frame.ask('DELETE_ACCOUNT', { otp: '123456' })
    expect(await frame.ask('IS_CONNECTED', undefined)).toEqual({ isConnected: false })
    await frame.signIn()
    expect((await frame.ask('GET_USER', undefined)).address).not.toBe(address)
  })
})

describe('the table', () => {
  it('answers every name, whatever state the wallet is in', async () => {
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
      RPC_ABORT: { id: 'nobody' },
      APPROVE: { id: 'x', digest: 'y' },
      REJECT: { id: 'x' },
      SOCIAL_CODE: { otp: '1' },
      REVOKE_DEVICE: { id: 'x' },
      GET_WINDOW_URI: { purpose: 'keep' },
      AWAIT_WINDOW: { purpose: 'unlock' },
      REQUEST_CODE: { purpose: 'delete' },
      DELETE_ACCOUNT: { otp: '1' },
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

  it('keeps the modal waiting for nobody: a gateway that never answers ends in a timeout', async () => {
    const frame = testFrame()
    frame.gateway.interrupt('email', () => new Promise(() => {}))
    const reply = frame.ask('CONNECT_EMAIL', { email: 'alice@example.com' })
    const failed = expect(reply).rejects.toMatchObject({ code: 'TIMEOUT' })
    await frame.called('email')
    frame.advance(limits.walletFrameRequestTimeout)
    await failed
  })
})
