import { type ErrorCode, limits } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { afterEach, describe, expect, it } from 'vitest'
import { waits, walletOrigin } from '../connectors/embedded/wallet-frame/testing/test-frame'
import { type EmbeddedPage, embeddedPage, walletState } from '../testing/embedded-page'
import { metaMask } from '../testing/test-page'
import { devicePollIntervalMs } from './sign-in-email'
import { popupGraceMs, popupPollIntervalMs } from './sign-in-social'

let page: EmbeddedPage
afterEach(() => page.close())

const socialUri = `${walletOrigin}/auth/social/start?flow=abc`

async function begun(options?: Parameters<typeof embeddedPage>[0]): Promise<EmbeddedPage> {
  page = await embeddedPage(options)
  page.actions.signInWithEmail(' ada@example.com ')
  await page.loaded()
  return page
}

/** After all posted messages have arrived; the frame answers each beat of the heart. */
async function pass(milliseconds: number): Promise<void> {
  await page.peer.heard()
  for (let left = milliseconds; left > 0; left -= 1_000) {
    page.clock.advance(Math.min(left, 1_000))
    await page.peer.heard()
    await page.page.request('ping')
  }
  await page.peer.heard()
}

function connected() {
  const { snapshot } = page
  return page.page.until(() => snapshot().connections.eip155?.status === 'connected' && snapshot().signIn === null)
}

function errorIs(code: string) {
  return page.page.until(() => page.snapshot().signIn?.error?.code === code)
}

/** The gateway refuses the session after the code. */
async function refusedWith(code: ErrorCode): Promise<void> {
  await begun()
  await page.step('code')
  page.peer.handlers.IS_CONNECTED = () => {
    throw new Failure(code)
  }
  await page.acceptCode()
  await errorIs(code)
}

describe('signing in by email', () => {
  it('1. sends no email to an invalid address', async () => {
    page = await embeddedPage()
    page.actions.signInWithEmail('ada@')
    await errorIs('INVALID_EMAIL')
    expect(page.peer.frames).toEqual([])
    expect(page.snapshot().signIn).toMatchObject({ kind: 'email', step: 'sending', email: 'ada@' })
  })

  it('1. sends one email per 30 s, and shows the wait, rounded up, even after a reload (spec §3, §5, §9)', async () => {
    await begun()
    await page.step('code')
    expect(page.peer.payload('CONNECT_EMAIL')).toEqual({ email: 'ada@example.com' })
    expect(page.snapshot().signIn).toMatchObject({ resendAt: page.clock.now() + limits.emailLoginCooldownMs })
    await pass(10_500)
    page.actions.resendEmail()
    await errorIs('EMAIL_COOLDOWN')
    expect(page.snapshot().signIn).toMatchObject({
      step: 'code',
      error: { message: 'Please try again after 20 seconds' },
    })
    const { kept } = page
    page.close()
    page = await embeddedPage({ frameStorage: () => kept })
    page.peer.handlers.GET_EMAIL_SIGN_IN = () => ({ email: 'ada@example.com', step: 'code' })
    page.actions.signInWithEmail('other@example.com')
    await page.loaded()
    await errorIs('EMAIL_COOLDOWN')
    expect(page.peer.count('CONNECT_EMAIL')).toBe(0)
  })

  it('1. sends another email after the cooldown', async () => {
    await begun()
    await page.step('code')
    await pass(limits.emailLoginCooldownMs)
    page.actions.resendEmail()
    await page.peer.until(() => page.peer.count('CONNECT_EMAIL') === 2)
    expect(page.snapshot().signIn).toMatchObject({ step: 'code', error: null })
  })

  it('1. sends one email at a time, however often the user presses', async () => {
    await begun()
    await page.step('code')
    await pass(limits.emailLoginCooldownMs)
    page.actions.resendEmail()
    page.actions.resendEmail()
    await page.peer.until(() => page.peer.count('CONNECT_EMAIL') === 2)
    await page.page.until(() => {
      const { signIn } = page.snapshot()
      return signIn?.kind === 'email' && signIn.resendAt > page.clock.now()
    })
    await pass(0)
    expect(page.peer.count('CONNECT_EMAIL')).toBe(2)
    expect(page.snapshot().signIn).toMatchObject({ step: 'code', error: null })
  })

  it('1. a resent email that arrives after the code was accepted does not step back', async () => {
    await begun()
    await page.step('code')
    await pass(limits.emailLoginCooldownMs)
    page.peer.handlers.CONNECT_EMAIL = () => waits
    page.peer.handlers.IS_CONNECTED = () => waits
    page.actions.resendEmail()
    await page.peer.until(() => page.peer.count('CONNECT_EMAIL') === 2)
    await page.acceptCode()
    await page.step('opening')
    page.peer.answer('CONNECT_EMAIL', { action: 'VERIFY_OTP' })
    await pass(0)
    expect(page.snapshot().signIn).toMatchObject({ step: 'opening', error: null })
    await page.peer.until(() => page.peer.count('IS_CONNECTED') === 1)
    page.peer.answer('IS_CONNECTED', { isConnected: true })
    await connected()
  })

  it('2. in an unknown browser, the user follows the link first, then types the code', async () => {
    const wallet = walletState()
    wallet.state.action = 'VERIFY_DEVICE'
    await begun({ wallet })
    await page.step('device')
    await page.peer.until(() => page.peer.count('CONNECT_DEVICE') === 1)
    await pass(12_000)
    page.peer.answer('CONNECT_DEVICE', undefined)
    await page.step('code')
    expect(page.snapshot().signIn).toMatchObject({ resendAt: page.clock.now() + limits.emailLoginCooldownMs })
    await page.acceptCode()
    await page.page.until(() => page.snapshot().connections.eip155?.status === 'connected')
  })

  it('2. a live session needs neither link nor code', async () => {
    const wallet = walletState()
    wallet.state.action = 'CONNECT'
    wallet.state.isSignedIn = true
    await begun({ wallet })
    await page.page.until(() => page.snapshot().connections.eip155?.status === 'connected')
    expect(page.peer.names()).not.toContain('CONNECT_OTP')
    page.actions.disconnect()
    await page.page.until(() => page.snapshot().connections.eip155?.status === 'disconnected')
    page.actions.signInWithEmail('ada@example.com')
    await page.peer.until(() => page.peer.count('CONNECT_EMAIL') === 2)
  })

  it('3. waits for the link again after each timeout, without showing an error', async () => {
    const wallet = walletState()
    wallet.state.action = 'VERIFY_DEVICE'
    await begun({ wallet })
    for (let round = 1; round <= 3; round++) {
      await page.peer.until(() => page.peer.count('CONNECT_DEVICE') === round)
      await pass(limits.walletFrameRequestTimeout)
    }
    await page.peer.until(() => page.peer.count('CONNECT_DEVICE') === 4)
    expect(page.snapshot()).toMatchObject({ alert: null, signIn: { step: 'device', error: null } })
    page.actions.cancelSignIn()
    expect(page.snapshot().signIn).toBeNull()
    await page.peer.until(() => page.peer.count('RPC_ABORT') === 4)
    await pass(limits.walletFrameRequestTimeout)
    expect(page.peer.count('CONNECT_DEVICE')).toBe(4)
  })

  it('3. keeps waiting for the link when another email could not be sent', async () => {
    const wallet = walletState()
    wallet.state.action = 'VERIFY_DEVICE'
    await begun({ wallet })
    await page.peer.until(() => page.peer.count('CONNECT_DEVICE') === 1)
    page.clock.advance(limits.emailLoginCooldownMs)
    await page.peer.until(() => page.peer.count('CONNECT_DEVICE') === 2)
    page.peer.handlers.CONNECT_EMAIL = () => {
      throw new Failure('MAIL_FAILED')
    }
    page.actions.resendEmail()
    await errorIs('MAIL_FAILED')
    page.peer.answer('CONNECT_DEVICE', undefined)
    await page.step('code')
  })

  it('3. reports an unreachable service, and keeps waiting for the link', async () => {
    const wallet = walletState()
    wallet.state.action = 'VERIFY_DEVICE'
    wallet.handlers.CONNECT_DEVICE = () => {
      throw new Failure('WALLET_SERVICE_UNREACHABLE')
    }
    await begun({ wallet })
    await errorIs('WALLET_SERVICE_UNREACHABLE')
    expect(page.snapshot().signIn).toMatchObject({ step: 'device' })
    page.peer.handlers.CONNECT_DEVICE = () => undefined
    await pass(devicePollIntervalMs)
    await page.step('code')
    expect(page.snapshot().signIn).toMatchObject({ error: null })
    expect(page.peer.count('CONNECT_EMAIL')).toBe(1)
  })

  it('4. the frame takes the code: no message of the modal has one', async () => {
    await begun()
    await page.step('code')
    await page.peer.until(() => page.peer.count('CONNECT_OTP') === 1)
    const id = page.snapshot().codeEntry?.id ?? ''
    page.peer.say({ name: 'SCREEN_HEIGHT', id: 'another', height: 7 })
    page.peer.say({ name: 'SCREEN_HEIGHT', id, height: 140 })
    await page.page.until(() => page.snapshot().codeEntry?.height === 140)
    expect(page.peer.payload('CONNECT_OTP')).toBeUndefined()
    await page.acceptCode()
    await connected()
    expect(page.snapshot().codeEntry).toBeNull()
  })

  it('4. a failure that no other code fixes keeps the step, and a retry asks the frame again, once', async () => {
    await begun()
    await page.step('code')
    await page.peer.until(() => page.peer.count('CONNECT_OTP') === 1)
    page.peer.refuse('CONNECT_OTP', new Failure('SOMETHING_WENT_WRONG'))
    await errorIs('SOMETHING_WENT_WRONG')
    expect(page.snapshot()).toMatchObject({ signIn: { step: 'code' }, codeEntry: null })
    page.actions.retrySignIn()
    page.actions.retrySignIn()
    await page.peer.until(() => page.peer.count('CONNECT_OTP') === 2)
    await page.peer.heard()
    expect(page.peer.count('CONNECT_OTP')).toBe(2)
    expect(page.peer.count('CONNECT_EMAIL')).toBe(1)
  })

  it.each(['CONNECT_EMAIL', 'CONNECT_DEVICE', 'CONNECT_OTP', 'GET_USER'] as const)(
    '5. a frame that ends during %s shows an error at that step, and a retry works',
    async (name) => {
      const wallet = walletState()
      if (name === 'CONNECT_DEVICE') wallet.state.action = 'VERIFY_DEVICE'
      wallet.handlers[name] = () => waits
      await begun({ wallet })
      if (name === 'CONNECT_OTP' || name === 'GET_USER') await page.step('code')
      if (name === 'GET_USER') await page.acceptCode()
      await page.peer.until(() => page.peer.count(name) === 1)
      page.peer.current()?.port?.close()
      const isAskedAgain = name === 'CONNECT_DEVICE' || name === 'CONNECT_OTP'
      if (isAskedAgain) {
        await page.loaded(2)
        await page.peer.until(() => page.peer.count(name) === 2)
        expect(page.snapshot().signIn?.error).toBeNull()
        page.peer.current()?.port?.close()
      }
      await errorIs('LINK_CLOSED')
      const frames = page.peer.frames.length
      const next = walletState()
      next.state.isSignedIn = true
      Object.assign(page.peer.handlers, next.handlers)
      await pass(limits.emailLoginCooldownMs)
      page.actions.retrySignIn()
      await page.peer.until(() => page.peer.frames.length === frames + 1)
      await page.loaded(frames + 1)
      if (name === 'GET_USER') await page.page.until(() => page.snapshot().connections.eip155?.status === 'connected')
      else if (isAskedAgain) await page.peer.until(() => page.peer.count(name) === 3)
      else await page.peer.until(() => page.peer.count('CONNECT_EMAIL') === 2)
    },
  )

  it('5. a timeout shows an alert and keeps the step (spec §8)', async () => {
    const wallet = walletState()
    wallet.handlers.CONNECT_EMAIL = () => waits
    await begun({ wallet })
    await page.peer.until(() => page.peer.count('CONNECT_EMAIL') === 1)
    await page.peer.heard()
    await pass(limits.walletFrameRequestTimeout)
    await errorIs('IFRAME_REQUEST_TIMEOUT')
    expect(page.snapshot()).toMatchObject({
      alert: { title: 'Embedded Wallet Request Timed Out' },
      signIn: { step: 'sending' },
    })
  })

  it('the user may take any time for the code', async () => {
    await begun()
    await page.step('code')
    await page.peer.until(() => page.peer.count('CONNECT_OTP') === 1)
    await pass(10 * limits.walletFrameRequestTimeout)
    await page.acceptCode()
    await connected()
  })

  it('5. a frame that does not load shows ‘Unable to load email login dependency’, and an alert (spec §8)', async () => {
    page = await embeddedPage()
    page.actions.signInWithEmail('ada@example.com')
    await page.peer.until(() => page.peer.frames.length === 1)
    page.peer.current()?.port?.close()
    page.close()
    page = await embeddedPage({ walletFrameDom: silentDom })
    page.actions.signInWithEmail('ada@example.com')
    await page.step('sending')
    await page.peer.heard()
    await pass(limits.iframeReadyTimeout)
    await errorIs('IFRAME_LOAD_FAILED')
    expect(page.snapshot().signIn?.error?.message).toBe('Unable to load email login dependency')
    expect(page.snapshot().alert?.title).toBe('Network Error - Could not load embedded wallet')
  })

  it.each([
    ['ORIGIN_NOT_ALLOWED', 'http://demo.localhost:4500 is not on the allowlist'],
    ['INVALID_PROJECT_ID', 'The project id demo isn’t valid'],
  ] as const)('a gateway that refuses with %s opens Invalid App Configuration (spec §6, §8)', async (code, text) => {
    await refusedWith(code)
    expect(page.snapshot().alert).toMatchObject({
      title: 'Invalid App Configuration',
      text: expect.stringContaining(text),
    })
  })

  it('an invalid session shows ‘Session Expired’ (spec §8)', async () => {
    await refusedWith('SESSION_EXPIRED')
    expect(page.snapshot().alert?.title).toBe('Session Expired')
  })

  it('a wrong clock of the device is one sentence, under the code', async () => {
    await refusedWith('DEVICE_CLOCK_WRONG')
    expect(page.snapshot().signIn?.error?.message).toContain('Your device’s clock is wrong.')
    expect(page.snapshot().alert).toBeNull()
  })

  async function reloaded(waiting: { email: string; step: 'device' | 'code' } | null): Promise<void> {
    const { kept } = page
    page.close()
    page = await embeddedPage({ frameStorage: () => kept })
    page.peer.handlers.GET_EMAIL_SIGN_IN = () => waiting
  }

  function open(view: 'Connect' | 'Networks' = 'Connect'): void {
    page.page.request('open', { view }).catch(() => {})
  }

  it.each(['code', 'device'] as const)('6. continues at its %s after a reload, without another email', async (step) => {
    await begun()
    await page.step('code')
    const { resendAt } = page.snapshot().signIn as { resendAt: number }
    await reloaded({ email: 'ada@example.com', step })
    open()
    await page.loaded()
    await page.step(step)
    expect(page.snapshot().signIn).toMatchObject({ email: 'ada@example.com', resendAt, error: null })
    await page.peer.until(() => page.peer.count(step === 'code' ? 'CONNECT_OTP' : 'CONNECT_DEVICE') === 1)
    expect(page.peer.count('CONNECT_EMAIL')).toBe(0)
    if (step === 'device') return
    await page.acceptCode()
    await connected()
  })

  it('6. asks the wallet’s frame for nothing where no email was sent, or long ago, or another view was asked for', async () => {
    page = await embeddedPage()
    open()
    await page.page.until(() => page.snapshot().open)
    await pass(0)
    expect(page.peer.frames).toEqual([])
    page.close()

    await begun()
    await page.step('code')
    await reloaded({ email: 'ada@example.com', step: 'code' })
    open('Networks')
    await page.page.until(() => page.snapshot().open)
    expect(page.peer.frames).toEqual([])
    page.actions.close()
    page.clock.advance(limits.emailFlowLifetimeMs)
    open()
    await page.page.until(() => page.snapshot().open)
    expect(page.peer.frames).toEqual([])
  })

  it('6. does not continue what the user left, what is over, and what another way to sign in replaced', async () => {
    await begun()
    await page.step('code')
    page.actions.cancelSignIn()
    await reloaded({ email: 'ada@example.com', step: 'code' })
    open()
    await page.page.until(() => page.snapshot().open)
    expect(page.peer.frames).toEqual([])

    page.actions.signInWithEmail('ada@example.com')
    await page.loaded()
    await page.step('code')
    page.actions.signInWithFarcaster()
    await reloaded(null)
    open()
    await page.page.until(() => page.snapshot().open)
    expect(page.peer.frames).toEqual([])
  })

  it('6. a sign-in that the frame has lost leaves the list of wallets', async () => {
    await begun()
    await page.step('code')
    await reloaded(null)
    open()
    await page.loaded()
    await page.peer.until(() => page.peer.count('GET_EMAIL_SIGN_IN') === 1)
    await pass(0)
    expect(page.snapshot()).toMatchObject({ signIn: null, open: true })
  })

  it('6. a frame that could not be asked is asked again at the next opening', async () => {
    await begun()
    await page.step('code')
    await reloaded(null)
    page.peer.handlers.GET_EMAIL_SIGN_IN = () => {
      throw new Failure('INTERNAL')
    }
    open()
    await page.loaded()
    await page.peer.until(() => page.peer.count('GET_EMAIL_SIGN_IN') === 1)
    await pass(0)
    page.actions.close()
    page.peer.handlers.GET_EMAIL_SIGN_IN = () => ({ email: 'ada@example.com', step: 'code' })
    open()
    await page.step('code')
    expect(page.peer.count('CONNECT_EMAIL')).toBe(0)
  })

  it('6. does not continue once the user has chosen a wallet meanwhile', async () => {
    await begun()
    await page.step('code')
    const { kept } = page
    page.close()
    page = await embeddedPage({ frameStorage: () => kept })
    page.peer.handlers.GET_EMAIL_SIGN_IN = () => waits
    page.page.emit('pageWallets', { pageWallets: [metaMask] })
    page.page.setWallet(() => new Promise(() => {}))
    open()
    await page.loaded()
    await page.peer.until(() => page.peer.count('GET_EMAIL_SIGN_IN') === 1)
    const row = page.snapshot().wallets.find(({ name }) => name === 'MetaMask') ?? expect.unreachable()
    page.actions.connect(row)
    await page.page.until(() => page.snapshot().connectAttempt !== null)
    page.peer.answer('GET_EMAIL_SIGN_IN', { email: 'ada@example.com', step: 'code' })
    await pass(0)
    expect(page.snapshot()).toMatchObject({ signIn: null, connectAttempt: {} })
  })

  it('6. the same address continues where its email may not be sent again yet', async () => {
    await begun()
    await page.step('code')
    page.actions.cancelSignIn()
    page.peer.handlers.GET_EMAIL_SIGN_IN = () => ({ email: 'ada@example.com', step: 'code' })
    page.actions.signInWithEmail('ada@example.com')
    await page.step('code')
    expect(page.peer.count('CONNECT_EMAIL')).toBe(1)
    await page.acceptCode()
    await connected()
  })

  it('closing the modal ends it, and a later result changes nothing', async () => {
    await begun()
    await page.step('code')
    page.page.emit('dismiss')
    page.page.request('open', {}).catch(() => {})
    await page.page.until(() => page.snapshot().open)
    page.actions.close()
    expect(page.snapshot().signIn).toBeNull()
    await page.page.until(() => page.snapshot().codeEntry === null)
    await page.peer.until(() => page.peer.count('RPC_ABORT') > 0)
    page.peer.answer('CONNECT_OTP', undefined)
    await page.peer.heard()
    expect(page.peer.names()).not.toContain('IS_CONNECTED')
  })
})

const silentDom = {
  add: () => ({ contentWindow: () => null, place() {}, focus() {}, remove() {} }),
  listen: () => () => {},
}

describe('social sign-in', () => {
  async function withGoogle(options?: Parameters<typeof embeddedPage>[0]): Promise<void> {
    page = await embeddedPage(options)
    page.peer.handlers.GET_SOCIAL_REDIRECT_URI = () => ({ uri: socialUri })
    page.actions.signInWithSocial('google')
    // Browsers allow a window only inside the click.
    if (!options?.blocksPopups) expect(page.popups[0]?.visited).toEqual([`${walletOrigin}/auth/social/opening`])
    await page.loaded()
    await page.peer.until(() => page.peer.count('CONNECT_SOCIAL') === 1)
  }

  function arrive(): void {
    page.wallet.state.isSignedIn = true
    page.wallet.state.changes = { provider: 'google', userName: 'Ada' }
    page.peer.answer('CONNECT_SOCIAL', page.wallet.user())
  }

  it('1. navigates the window to the wallet’s own page, and connects the result (spec §3, §7)', async () => {
    await withGoogle()
    expect(page.popups[0]?.visited.at(-1)).toBe(socialUri)
    expect(page.snapshot().signIn).toMatchObject({ kind: 'social', provider: 'google', step: 'window' })
    arrive()
    await page.page.until(() => page.snapshot().connections.solana?.status === 'connected')
    expect(page.popups[0]?.closed).toBe(true)
    expect(page.snapshot().connections.eip155).toMatchObject({
      connector: { id: 'auth', type: 'AUTH', name: 'Google' },
    })
    const keys = () => [...Array(page.kept.length).keys()].map((at) => page.kept.key(at) ?? '')
    const value = (name: string) => page.kept.getItem(keys().find((key) => key.endsWith(`/${name}`)) ?? '')
    expect([value('connectedSocial'), value('socialUsername')]).toEqual(['"google"', '"Ada"'])
    await expect.poll(() => value('smartAccountNetworks')).not.toBeNull()

    const { kept, wallet } = page
    page.close()
    page = await embeddedPage({ frameStorage: () => kept, wallet })
    expect(page.snapshot().returningUser).toEqual({ provider: 'google', userName: 'Ada', smartAccountNetworks: [1] })
    await page.loaded()
    await page.page.until(() => page.snapshot().embedded?.userName === 'Ada')
    expect(page.snapshot().returningUser).toBeNull()
  })

  it('1. refuses to navigate to another origin', async () => {
    page = await embeddedPage()
    page.peer.handlers.GET_SOCIAL_REDIRECT_URI = () => ({ uri: 'https://evil.example/auth' })
    page.actions.signInWithSocial('google')
    await page.loaded()
    await errorIs('PROVIDER_FAILED')
    expect(page.popups[0]).toMatchObject({ visited: [`${walletOrigin}/auth/social/opening`], closed: true })
  })

  it('2. opens a tab instead of a blocked window, with digits to enter', async () => {
    await withGoogle({ blocksPopups: true })
    expect(page.opened).toEqual([{ url: socialUri, target: 'tab' }])
    expect(page.snapshot().signIn).toMatchObject({ step: 'code', error: null })
    await page.peer.until(() => page.peer.count('SOCIAL_CODE') === 1)
    expect(page.peer.payload('SOCIAL_CODE')).toBeUndefined()
    page.peer.answer('SOCIAL_CODE', undefined)
    arrive()
    await page.page.until(() => page.snapshot().connections.eip155?.status === 'connected')
  })

  it('3. waits as long as the user takes', async () => {
    await withGoogle()
    await pass(limits.walletFrameRequestTimeout)
    await page.peer.until(() => page.peer.count('CONNECT_SOCIAL') === 2)
    expect(page.snapshot()).toMatchObject({ alert: null, signIn: { step: 'window', error: null } })
    arrive()
    await page.page.until(() => page.snapshot().connections.eip155?.status === 'connected')
  })

  it('4. reports a closed window after a grace period; its result still counts', async () => {
    await withGoogle()
    page.popups[0]?.close()
    await pass(popupGraceMs)
    expect(page.snapshot().signIn).toMatchObject({ step: 'window', error: null })
    await pass(popupPollIntervalMs)
    expect(page.snapshot().signIn).toMatchObject({ step: 'code', error: { code: 'WINDOW_CLOSED' } })
    page.peer.say({ name: 'SOCIAL_CODE_WANTED' })
    await page.page.until(() => page.snapshot().signIn?.error === null)
    arrive()
    await page.page.until(() => page.snapshot().connections.eip155?.status === 'connected')
  })

  it('4. a retry opens another window inside its click, and drops the first attempt', async () => {
    await withGoogle()
    page.popups[0]?.close()
    await pass(popupGraceMs + popupPollIntervalMs)
    page.actions.retrySignIn()
    expect(page.popups).toHaveLength(2)
    await page.peer.until(() => page.peer.count('CONNECT_SOCIAL') === 2)
    await page.step('window')
    // The result of the first window, and its digits.
    expect(page.peer.count('RPC_ABORT')).toBe(2)
    expect(page.popups[1]?.visited.at(-1)).toBe(socialUri)
  })

  // The frame aborts a sign-in if the user signs out.
  it.each(['CONSENT_DENIED', 'STATE_MISMATCH', 'PROVIDER_FAILED', 'ABORTED'] as const)('reports %s', async (code) => {
    await withGoogle()
    page.peer.refuse('CONNECT_SOCIAL', new Failure(code))
    await errorIs(code)
    expect(page.popups[0]?.closed).toBe(true)
  })

  it('5. a cancel closes the window and aborts the frame’s request', async () => {
    await withGoogle()
    page.actions.cancelSignIn()
    expect(page.popups[0]?.closed).toBe(true)
    expect(page.snapshot().signIn).toBeNull()
    await page.peer.until(() => page.peer.count('RPC_ABORT') === 1)
  })

  it('reports a frame that ends while the window is open, and a retry works', async () => {
    await withGoogle()
    page.peer.current()?.port?.close()
    await errorIs('LINK_CLOSED')
    page.actions.retrySignIn()
    await page.loaded(2)
    await page.peer.until(() => page.peer.count('CONNECT_SOCIAL') === 2)
  })
})

describe('Farcaster sign-in', () => {
  it('shows the code, and connects once the user approves in the app', async () => {
    page = await embeddedPage()
    page.peer.handlers.GET_FARCASTER_URI = () => ({ url: 'https://farcaster.example/siwf?x=1' })
    page.actions.signInWithFarcaster()
    await page.loaded()
    await page.step('waiting')
    expect(page.snapshot().signIn).toMatchObject({ kind: 'farcaster', url: 'https://farcaster.example/siwf?x=1' })
    await page.peer.until(() => page.peer.count('CONNECT_FARCASTER') === 1)
    page.wallet.state.isSignedIn = true
    page.wallet.state.changes = { provider: 'farcaster', email: null, userName: 'ada' }
    page.peer.answer('CONNECT_FARCASTER', { userName: 'ada' })
    await connected()
    expect(page.snapshot()).toMatchObject({ signIn: null, embedded: { provider: 'farcaster', userName: 'ada' } })
  })
})

describe('the end of a sign-in', () => {
  it.each([
    { made: true, open: true, view: 'WalletReady' },
    { made: undefined, open: false, view: 'Connect' },
  ] as const)('tells of a wallet that was made for it: $made', async ({ made, open, view }) => {
    await begun({ wallet: walletState(made && { isNew: made }) })
    await page.step('code')
    await page.acceptCode()
    await connected()
    expect(page.snapshot()).toMatchObject({ open, opening: { view } })
  })
})

describe('a wallet that is not made yet', () => {
  const missing = async () => {
    const wallet = walletState({ recoveryWanted: 'any', address: '' })
    await begun({ wallet })
    await page.step('code')
    await page.acceptCode()
    await page.page.until(() => page.snapshot().embedded?.recoveryWanted === 'any')
    expect(page.snapshot()).toMatchObject({ signIn: { step: 'opening' }, connections: {} })
    return wallet
  }

  it('waits at opening, is made by one request, and continues', async () => {
    const wallet = await missing()
    page.peer.handlers.CREATE_WALLET = (payload) => {
      expect(payload).toEqual({ recovery: 'gateway' })
      wallet.state.changes = {}
      return undefined
    }
    page.actions.createWallet()
    await connected()
    expect(page.snapshot()).toMatchObject({ signIn: null, embedded: { recoveryWanted: null } })
  })

  it('asks again after a failure', async () => {
    await missing()
    page.peer.handlers.CREATE_WALLET = () => {
      throw new Failure('WALLET_SERVICE_UNREACHABLE')
    }
    page.actions.createWallet()
    await errorIs('WALLET_SERVICE_UNREACHABLE')
    expect(page.snapshot().embedded?.recoveryWanted).toBe('any')
  })

  it('is looked for again when its window was closed', async () => {
    const wallet = await missing()
    page.peer.handlers.GET_WINDOW_URI = () => ({ uri: `${walletOrigin}/window?purpose=create` })
    page.peer.handlers.AWAIT_WINDOW = () => {
      wallet.state.changes = {}
      throw new Failure('WINDOW_CLOSED')
    }
    page.actions.openWalletWindow('create')
    await connected()
  })
})

describe('a wallet that ended on another device', () => {
  it('waits at opening until the user pressed in the wallet’s frame, and continues', async () => {
    const wallet = walletState({ ended: 'deleted', address: '' })
    await begun({ wallet })
    await page.step('code')
    await page.acceptCode()
    await page.page.until(() => page.snapshot().embedded?.ended === 'deleted')
    expect(page.snapshot()).toMatchObject({ signIn: { step: 'opening' }, connections: {} })
    page.peer.handlers.FORGET_ENDED_WALLET = () => {
      wallet.state.changes = {}
      return undefined
    }
    await page.actions.forgetEndedWallet(new AbortController().signal)
    await connected()
    expect(page.snapshot()).toMatchObject({ signIn: null, embedded: { ended: null } })
  })

  it('still waits if the user keeps its share', async () => {
    await begun({ wallet: walletState({ ended: 'replaced', address: '' }) })
    await page.step('code')
    await page.acceptCode()
    await page.page.until(() => page.snapshot().embedded?.ended === 'replaced')
    page.peer.handlers.FORGET_ENDED_WALLET = () => {
      throw new Failure('USER_REJECTED')
    }
    await expect(page.actions.forgetEndedWallet(new AbortController().signal)).rejects.toMatchObject({
      code: 'USER_REJECTED',
    })
    expect(page.snapshot()).toMatchObject({ signIn: { step: 'opening' }, embedded: { ended: 'replaced' } })
  })
})

describe('a locked wallet', () => {
  it('waits at opening, is unlocked in the wallet’s own window, and continues', async () => {
    const wallet = walletState({ locked: 'passkey' })
    await begun({ wallet })
    await page.step('code')
    await page.acceptCode()
    await page.page.until(() => page.snapshot().embedded?.locked === 'passkey')
    expect(page.snapshot()).toMatchObject({ signIn: { step: 'opening' }, connections: {} })
    page.peer.handlers.GET_WINDOW_URI = () => ({ uri: `${walletOrigin}/window?purpose=unlock` })
    page.actions.openWalletWindow('unlock')
    await page.peer.until(() => page.peer.count('AWAIT_WINDOW') === 1)
    expect(page.popups[0]?.visited.at(-1)).toBe(`${walletOrigin}/window?purpose=unlock`)
    wallet.state.changes = {}
    page.peer.answer('AWAIT_WINDOW', undefined)
    await connected()
    expect(page.snapshot()).toMatchObject({ signIn: null, embedded: { locked: null } })
  })

  it('reports that the window was closed or blocked', async () => {
    await begun({ wallet: walletState({ locked: 'passphrase' }) })
    await page.step('code')
    await page.acceptCode()
    await page.page.until(() => page.snapshot().embedded?.locked === 'passphrase')
    page.peer.handlers.GET_WINDOW_URI = () => ({ uri: `${walletOrigin}/window?purpose=unlock` })
    page.peer.handlers.AWAIT_WINDOW = () => {
      throw new Failure('WINDOW_CLOSED')
    }
    page.actions.openWalletWindow('unlock')
    await errorIs('WINDOW_CLOSED')
  })

  const open = () => void page.page.request('open', { view: 'Connect' }).catch(() => {})
  async function reloaded(wallet: ReturnType<typeof walletState>): Promise<void> {
    const { kept } = page
    page.close()
    page = await embeddedPage({ frameStorage: () => kept, wallet })
    page.peer.handlers.GET_EMAIL_SIGN_IN = () => null
  }

  it.each([
    { provider: 'email', step: 'opening', email: 'ada@example.com' },
    { provider: 'google', step: 'opening' },
    { provider: 'farcaster', step: 'opening' },
  ] as const)('after a reload, is still to be unlocked: by $provider', async ({ provider, ...shown }) => {
    const wallet = walletState({ locked: 'passphrase', provider })
    await begun({ wallet })
    await page.step('code')
    await page.acceptCode()
    await page.page.until(() => page.snapshot().embedded?.locked === 'passphrase')
    await reloaded(wallet)
    open()
    await page.loaded()
    await page.page.until(() => page.snapshot().embedded?.locked === 'passphrase')
    expect(page.snapshot()).toMatchObject({ signIn: { ...shown, error: null }, connections: {} })
    expect(page.peer.count('CONNECT_EMAIL')).toBe(0)
    wallet.state.changes = { provider }
    page.actions.retrySignIn()
    await connected()
    await reloaded(wallet)
    open()
    await page.page.until(() => page.snapshot().open)
    expect(page.peer.count('GET_EMAIL_SIGN_IN')).toBe(0)
  })

  it('after a reload, is not asked for where the user had left it, or where the session is over', async () => {
    const wallet = walletState({ locked: 'passphrase' })
    await begun({ wallet })
    await page.step('code')
    await page.acceptCode()
    await page.page.until(() => page.snapshot().embedded?.locked === 'passphrase')
    await reloaded(wallet)
    wallet.state.isSignedIn = false
    open()
    await page.loaded()
    await page.peer.until(() => page.peer.count('IS_CONNECTED') === 1)
    await pass(0)
    expect(page.snapshot()).toMatchObject({ signIn: null, open: true })

    await begun({ wallet })
    await page.step('code')
    await page.acceptCode()
    await page.page.until(() => page.snapshot().embedded?.locked === 'passphrase')
    page.actions.cancelSignIn()
    await reloaded(wallet)
    open()
    await page.page.until(() => page.snapshot().open)
    await pass(0)
    expect(page.peer.frames).toEqual([])
  })
})
