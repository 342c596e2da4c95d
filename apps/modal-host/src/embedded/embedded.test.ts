import { defaultFeatures, type ErrorCode, limits } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { afterEach, describe, expect, it } from 'vitest'
import { signInMethodsOf } from '../connections/wallets/wallet-list'
import { waits, walletOrigin } from '../connectors/embedded/wallet-frame/testing/test-frame'
import {
  bitcoin,
  bitcoinAddress,
  type EmbeddedPage,
  embeddedPage,
  eoa,
  smartAccount,
  solanaAddress,
  walletState,
} from '../testing/embedded-page'
import { metaMask, wallet as pageWallet } from '../testing/test-page'

let page: EmbeddedPage
afterEach(() => page.close())

async function signedIn(options?: Parameters<typeof embeddedPage>[0]): Promise<EmbeddedPage> {
  page = await embeddedPage(options)
  await page.signIn()
  return page
}

function connection(namespace: 'eip155' | 'solana' | 'bip122') {
  return page.snapshot().connections[namespace]
}

function activeAddress(): string | undefined {
  const held = connection('eip155')
  return held?.status === 'connected' ? held.accounts[0]?.address : undefined
}

function choose(name: string): void {
  const row = page.snapshot().wallets.find((one) => one.name === name)
  if (row === undefined) throw new Error('No row')
  page.actions.connect(row)
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Failure ? thrown.code : thrown
}

function disconnected(namespace: 'eip155' | 'solana' | 'bip122') {
  return page.page.until(() => connection(namespace)?.status === 'disconnected')
}

function stored(name: string): string | null {
  const keys = [...Array(page.kept.length).keys()].map((at) => page.kept.key(at) ?? '')
  return page.kept.getItem(keys.find((key) => key.endsWith(`/${name}`)) ?? '')
}

describe('sign-in methods of the embedded wallet', () => {
  it.each([
    ['come after the wallets of the page', metaMask, ['wallet', 'email', 'social']],
    [
      'come before the wallets of the dapp',
      { ...metaMask, type: 'EXTERNAL' as const, key: 'external:own' },
      ['email', 'social', 'wallet'],
    ],
  ])('%s', async (_what, inPage, methods) => {
    page = await embeddedPage({ init: { pageWallets: [inPage] } })
    expect(page.snapshot().connectMethods).toEqual(methods)
  })

  it('are those supported by the gateway and enabled by the project', async () => {
    page = await embeddedPage()
    const wallet = {
      origin: walletOrigin,
      email: true,
      socials: ['google' as const, 'x' as const],
      farcaster: true,
      smartAccountChainIds: [],
    }
    const features = defaultFeatures
    expect(signInMethodsOf({ wallet, features })).toEqual({ email: true, socials: ['google', 'x'], farcaster: true })
    expect(signInMethodsOf({ wallet, features: { ...features, email: false, socials: ['x'] } })).toEqual({
      email: false,
      socials: ['x'],
      farcaster: true,
    })
    expect(signInMethodsOf({ wallet, features: { ...features, socials: [] } })).toEqual({
      email: true,
      socials: [],
      farcaster: false,
    })
    expect(signInMethodsOf({ wallet: null, features })).toEqual({ email: false, socials: [], farcaster: false })
  })

  it('come before the wallets, unless the page has a wallet', async () => {
    page = await embeddedPage()
    expect(page.snapshot().connectMethods).toEqual(['email', 'social', 'wallet'])
    page.page.emit('pageWallets', { pageWallets: [metaMask] })
    await page.page.until(() => page.snapshot().connectMethods[0] === 'wallet')
    expect(page.snapshot().connectMethods).toEqual(['wallet', 'email', 'social'])
  })

  it('load no wallet code before one is used (spec §1)', async () => {
    page = await embeddedPage()
    await page.page.request('open', {})
    await page.peer.heard()
    expect(page.peer.frames).toEqual([])
  })

  it.each([
    ['it is cancelled', () => page.actions.cancelSignIn()],
    ['the modal is closed', () => page.actions.close()],
    ['a wallet is chosen', () => choose('MetaMask')],
  ])('start nothing if %s before their code loads', async (_, leave) => {
    page = await embeddedPage({ init: { pageWallets: [metaMask] }, answerWallet: () => new Promise(() => {}) })
    await page.page.request('open', {})
    page.actions.signInWithSocial('google')
    leave()
    page.actions.refreshWallet()
    await page.loaded()
    await page.peer.until(() => page.peer.count('GET_SECURITY') === 1)
    expect(page.peer.names()).not.toContain('GET_SOCIAL_REDIRECT_URI')
    expect(page.snapshot().signIn).toBeNull()
    expect(page.popups[0]?.closed).toBe(true)
    expect(page.opened).toEqual([])
  })

  it('are empty if the project has no embedded wallet, and the action shows an alert', async () => {
    page = await embeddedPage({ projectChanges: { wallet: null } })
    expect(page.snapshot().connectMethods).toEqual(['wallet'])
    page.actions.signInWithEmail('ada@example.com')
    await page.page.until(() => page.snapshot().alert?.code === 'IFRAME_LOAD_FAILED')
  })
})

describe('the embedded wallet', () => {
  it('connects all of the dapp’s namespaces at once, and resolves the page’s request', async () => {
    page = await embeddedPage()
    const answer = page.page.request('connect', {})
    await page.page.until(() => page.snapshot().open)
    await page.signIn()
    expect(await answer).toMatchObject({ status: 'connected', connector: { id: 'auth', type: 'AUTH', name: 'Email' } })
    expect(connection('eip155')).toMatchObject({
      status: 'connected',
      networkId: 'eip155:1',
      accounts: [
        { address: smartAccount, type: 'smartAccount' },
        { address: eoa, type: 'eoa' },
      ],
    })
    expect(connection('solana')).toMatchObject({ accounts: [{ address: solanaAddress, type: 'eoa' }] })
    expect(connection('bip122')).toMatchObject({
      networkId: bitcoin,
      accounts: [{ address: bitcoinAddress, type: 'payment', publicKey: `02${'ab'.repeat(32)}` }],
    })
    expect(page.snapshot()).toMatchObject({
      open: false,
      activeNetworkId: 'eip155:1',
      embedded: { email: 'ada@example.com', preferred: 'smartAccount', storage: 'frame', locked: null },
    })
    expect(page.peer.names().slice(0, 2)).toEqual(['SYNC_DAPP_DATA', 'SYNC_THEME'])
    expect(page.peer.asked[0]?.payload).toMatchObject({
      projectId: 'demo',
      metadata: { url: 'http://demo.localhost:4500' },
    })
  })

  it.each([
    { dapp: undefined, project: undefined, isOn: false },
    { dapp: true, project: undefined, isOn: true },
    { dapp: true, project: false, isOn: false },
    { dapp: false, project: true, isOn: true },
  ])('receives whether smart sessions are on: %o (spec §1, §7)', async ({ dapp, project, isOn }) => {
    page = await embeddedPage({
      init: { features: { smartSessions: dapp } },
      projectChanges: { features: { smartSessions: project } },
    })
    await page.signIn()
    expect(page.peer.asked[0]).toMatchObject({
      name: 'SYNC_DAPP_DATA',
      payload: { smartSessions: isOn, showsUnprepared: true },
    })
  })

  it('has its logger on, at the level of spec §9', async () => {
    page = await embeddedPage()
    await page.signIn()
    expect(page.peer.frames.map(({ src }) => new URL(src).searchParams.get('enableLogger'))).toEqual(['true'])
  })

  it('gives the dapp an identity token for the connected namespaces, and no token before a connection', async () => {
    page = await embeddedPage()
    page.peer.handlers.GET_IDENTITY_TOKEN = () => ({ token: 'a.b.c' })
    await expect(page.page.request('getIdentityToken', null)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await page.signIn()
    expect(await page.page.request('getIdentityToken', null)).toBe('a.b.c')
    const asked = page.peer.asked.filter(({ name }) => name === 'GET_IDENTITY_TOKEN')
    expect(asked.map(({ payload }) => payload)).toEqual([{ namespaces: ['eip155', 'solana', 'bip122'] }])
  })

  it('opens for the question who signed in, closes after it, and gives the dapp the token', async () => {
    page = await embeddedPage()
    await page.signIn()
    page.peer.handlers.SHARE_USER = () => waits
    const { answered } = page.page.send('getIdentityToken', { user: true })
    await page.peer.until(() => page.peer.count('SHARE_USER') === 1)
    const { id = '', payload } = page.peer.asked.find(({ name }) => name === 'SHARE_USER') ?? {}
    expect(payload).toEqual({ namespaces: ['eip155', 'solana', 'bip122'] })
    const subject = { kind: 'user', provider: 'google', email: 'name@example.com' } as const
    const request = { id, method: 'getIdentityToken', networkId: 'eip155:1', digest: 'ab'.repeat(32), subject } as const
    page.peer.say({ name: 'APPROVAL_REQUEST', request: { ...request, origin: 'http://demo.localhost:4500' } })
    await page.page.until(() => page.snapshot().open)
    expect(page.snapshot().opening.view).toBe('ApproveTransaction')
    page.peer.say({ name: 'APPROVED', id })
    page.peer.answer('SHARE_USER', { token: 'a.b.c' }, id)
    expect(await answered).toBe('a.b.c')
    await page.page.until(() => !page.snapshot().open)
  })

  it('rejects the dapp’s question who signed in if no user is signed in, or if the user closes it', async () => {
    page = await embeddedPage()
    await expect(page.page.request('getIdentityToken', { user: true })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    await page.signIn()
    page.peer.handlers.SHARE_USER = () => waits
    const { answered } = page.page.send('getIdentityToken', { user: true })
    await page.peer.until(() => page.peer.count('SHARE_USER') === 1)
    const id = page.peer.asked.find(({ name }) => name === 'SHARE_USER')?.id ?? ''
    const subject = { kind: 'user', provider: 'x' } as const
    const request = { id, method: 'getIdentityToken', networkId: 'eip155:1', digest: 'ab'.repeat(32), subject } as const
    page.peer.say({ name: 'APPROVAL_REQUEST', request: { ...request, origin: 'http://demo.localhost:4500' } })
    await page.page.until(() => page.snapshot().open)
    const refused = expect(answered).rejects.toMatchObject({ code: 'USER_REJECTED' })
    await page.page.request('close', null)
    await refused
    expect(page.peer.asked.find(({ name }) => name === 'REJECT')?.payload).toEqual({ id })
  })

  it('connects only the wanted namespace, and keeps another wallet connected', async () => {
    page = await embeddedPage({ init: { pageWallets: [metaMask] }, answerWallet: pageWallet() })
    const [row] = page.snapshot().wallets
    if (row === undefined) throw new Error('No row')
    page.actions.connect(row)
    await page.page.until(() => connection('eip155')?.status === 'connected')
    page.actions.want('solana')
    page.actions.signInWithEmail('ada@example.com')
    await page.loaded()
    await page.step('code')
    await page.acceptCode()
    await page.page.until(() => connection('solana')?.status === 'connected')
    expect(connection('eip155')).toMatchObject({ connector: { name: 'MetaMask' } })
    expect(connection('bip122')).toBeUndefined()
  })

  it('stays open if the session ends with the page, so that the user reads it', async () => {
    page = await embeddedPage({ wallet: walletState({ storage: 'memory' }) })
    void page.page.request('connect', {})
    await page.page.until(() => page.snapshot().open)
    await page.signIn()
    expect(page.snapshot()).toMatchObject({ open: true, embedded: { storage: 'memory' } })
  })

  it('is restored after a reload, without a prompt (spec §4, §7)', async () => {
    await signedIn()
    const { kept, wallet } = page
    page.close()
    page = await embeddedPage({ frameStorage: () => kept, wallet })
    expect(connection('eip155')).toMatchObject({ status: 'connecting', accounts: [{ address: smartAccount }, {}] })
    await page.loaded()
    await page.page.until(() => connection('bip122')?.status === 'connected')
    expect(page.peer.names().filter((name) => name === 'GET_USER')).toHaveLength(1)
    expect(page.snapshot()).toMatchObject({ open: false, embedded: { email: 'ada@example.com' } })
  })

  it('is disconnected after a reload if the session ended or belongs to another user', async () => {
    await signedIn()
    const { kept, wallet } = page
    for (const end of [() => (wallet.state.isSignedIn = false), () => (wallet.state.changes = otherUser)]) {
      page.close()
      wallet.state.isSignedIn = true
      end()
      page = await embeddedPage({ frameStorage: () => kept, wallet })
      if (connection('eip155') === undefined) continue
      await page.loaded()
      for (const namespace of ['eip155', 'solana', 'bip122'] as const) await disconnected(namespace)
      expect(stored('session.eip155')).toBeNull()
    }
  })

  it('a late response does not restore a session that the user left, and the next sign-in asks again', async () => {
    await signedIn()
    const { kept, wallet } = page
    page.close()
    kept.removeItem(
      [...Array(kept.length).keys()].map((at) => kept.key(at) ?? '').find((key) => key.endsWith('/lastEmailLogin')) ??
        '',
    )
    page = await embeddedPage({ frameStorage: () => kept, wallet })
    const isConnected = page.peer.handlers.IS_CONNECTED
    page.peer.handlers.IS_CONNECTED = () => waits
    await page.loaded()
    await page.peer.until(() => page.peer.count('IS_CONNECTED') === 1)
    const late = page.peer.asked.findLast(({ name }) => name === 'IS_CONNECTED')?.id
    await page.actions.disconnect()
    if (isConnected !== undefined) page.peer.handlers.IS_CONNECTED = isConnected
    page.actions.signInWithEmail('ada@example.com')
    await page.step('code')
    page.peer.answer('IS_CONNECTED', { isConnected: true }, late)
    await page.peer.until(() => page.peer.count('GET_USER') === 1)
    await page.page.request('ping')
    expect(page.snapshot().embedded).toBeNull()
    await page.acceptCode()
    await page.page.until(() => connection('eip155')?.status === 'connected')
    expect(page.peer.count('IS_CONNECTED')).toBe(2)
  })

  it('stays on show and stored if it is unreachable after a reload', async () => {
    await signedIn()
    const { kept, wallet } = page
    page.close()
    page = await embeddedPage({ frameStorage: () => kept, wallet, walletFrameDom: deadDom })
    await page.page.until(() => connection('eip155')?.status === 'connecting')
    await page.peer.heard()
    page.clock.advance(limits.iframeReadyTimeout)
    await page.page.until(() => connection('eip155')?.status === 'reconnecting')
    expect(connection('eip155')).toMatchObject({ accounts: [{ address: smartAccount }, {}] })
    expect(stored('session.eip155')).not.toBeNull()
    expect(page.snapshot().alert).toBeNull()
  })

  describe('whose service fails while the page loads', () => {
    const namespaces = ['eip155', 'solana', 'bip122'] as const
    const statuses = () => new Set(namespaces.map((namespace) => connection(namespace)?.status))
    const are = (status: string) => page.page.until(() => statuses().size === 1 && statuses().has(status as never))

    /** A visit after a sign-in; `name` fails until the returned function is called. */
    async function reloaded(name: 'IS_CONNECTED' | 'GET_USER', code: ErrorCode = 'WALLET_SERVICE_UNREACHABLE') {
      await signedIn()
      const { kept, wallet } = page
      page.close()
      page = await embeddedPage({ frameStorage: () => kept, wallet })
      const answer = page.peer.handlers[name]
      page.peer.handlers[name] = () => {
        throw new Failure(code)
      }
      await page.loaded()
      await are('reconnecting')
      return () => {
        if (answer !== undefined) Object.assign(page.peer.handlers, { [name]: answer })
      }
    }

    it.each([
      ['IS_CONNECTED', 'WALLET_SERVICE_UNREACHABLE'],
      ['IS_CONNECTED', 'TIMEOUT'],
      ['IS_CONNECTED', 'TOO_MANY_ATTEMPTS'],
      ['IS_CONNECTED', 'SOMETHING_WENT_WRONG'],
      ['GET_USER', 'WALLET_SERVICE_UNREACHABLE'],
      ['GET_USER', 'SIGN_IN_AGAIN'],
      ['GET_USER', 'INTERNAL'],
    ] as const)('%s fails with %s: the account stays on show, and is connected a second later', async (name, code) => {
      const recover = await reloaded(name, code)
      expect(connection('eip155')).toMatchObject({ accounts: [{ address: smartAccount }, {}] })
      for (const namespace of namespaces) expect(stored(`session.${namespace}`)).not.toBeNull()
      recover()
      page.clock.advance(1_000)
      await are('connected')
    })

    it('is asked again after 1, 2, 4, 8, 16 and 30 s, once for all namespaces (spec §4)', async () => {
      await reloaded('IS_CONNECTED')
      for (const [at, seconds] of [1, 2, 4, 8, 16, 30, 30].entries()) {
        page.clock.advance(seconds * 1_000 - 1)
        await page.page.request('ping')
        expect(page.peer.count('IS_CONNECTED')).toBe(at + 1)
        page.clock.advance(1)
        await page.peer.until(() => page.peer.count('IS_CONNECTED') === at + 2)
        await page.page.request('ping')
      }
    })

    it('is asked again at once when the user returns to the page', async () => {
      const recover = await reloaded('IS_CONNECTED')
      recover()
      page.page.comeBack()
      await are('connected')
    })

    it('is asked again for a request, which goes on, or is rejected with 4900 while there is no answer', async () => {
      const recover = await reloaded('IS_CONNECTED')
      page.peer.handlers.RPC_REQUEST = () => '0xsigned'
      const sign = () =>
        page.page.request('rpc', { namespace: 'eip155', method: 'personal_sign', params: ['0x00', smartAccount] })
      await expect(sign()).rejects.toMatchObject({ code: 'DISCONNECTED', rpc: 4900 })
      expect(statuses()).toEqual(new Set(['reconnecting']))
      recover()
      expect(await sign()).toBe('0xsigned')
    })

    it('ends once the service says so, in every namespace', async () => {
      const recover = await reloaded('IS_CONNECTED')
      recover()
      page.wallet.state.isSignedIn = false
      page.clock.advance(1_000)
      await are('disconnected')
      for (const namespace of namespaces) expect(stored(`session.${namespace}`)).toBeNull()
    })

    it('is left by a disconnect, and not asked again', async () => {
      await reloaded('IS_CONNECTED')
      await page.page.request('disconnect', {})
      await are('disconnected')
      const before = page.peer.count('IS_CONNECTED')
      page.clock.advance(60_000)
      await page.page.request('ping')
      expect(page.peer.count('IS_CONNECTED')).toBe(before)
      expect(page.peer.count('SIGN_OUT')).toBe(1)
    })

    it('keeps the session of the others if one namespace is disconnected meanwhile', async () => {
      const recover = await reloaded('IS_CONNECTED')
      await page.page.request('disconnect', { namespace: 'solana' })
      recover()
      page.clock.advance(1_000)
      await page.page.until(() => connection('eip155')?.status === 'connected')
      expect(connection('solana')?.status).toBe('disconnected')
      expect(page.peer.count('SIGN_OUT')).toBe(0)
    })

    it('is restored after the user has cancelled another wallet', async () => {
      const recover = await reloaded('IS_CONNECTED')
      page.page.emit('pageWallets', { pageWallets: [metaMask] })
      await page.page.until(() => page.snapshot().wallets.length > 0)
      page.page.setWallet(() => new Promise(() => {}))
      choose('MetaMask')
      await page.page.until(() => connection('eip155')?.status === 'connecting')
      page.actions.cancelConnect()
      recover()
      page.clock.advance(1_000)
      await are('connected')
      expect(stored('session.eip155')).not.toBeNull()
    })
  })

  it('keeps the other namespaces when one disconnects; the last one signs out and clears the session’s data', async () => {
    await signedIn()
    await page.page.request('disconnect', { namespace: 'solana' })
    expect(connection('solana')).toEqual({ status: 'disconnected' })
    expect(page.peer.names()).not.toContain('SIGN_OUT')
    expect(connection('eip155')?.status).toBe('connected')
    await page.actions.disconnect()
    expect(page.peer.count('SIGN_OUT')).toBe(1)
    expect(page.snapshot()).toMatchObject({ embedded: null })
    expect(stored('connectedSocial')).toBeNull()
    expect(stored('lastEmailLogin')).not.toBeNull()
  })

  it('disconnects in the modal from all of its namespaces, and leaves other wallets connected', async () => {
    page = await embeddedPage({ init: { pageWallets: [metaMask] }, answerWallet: pageWallet() })
    await page.signIn()
    const row = page.snapshot().wallets.find(({ name }) => name === 'MetaMask')
    if (row === undefined) throw new Error('No row')
    page.actions.connect(row)
    await page.page.until(() => activeAddress() === eoa && page.snapshot().connectAttempt?.status.kind === 'connected')
    await page.actions.disconnect('solana')
    expect(page.peer.count('SIGN_OUT')).toBe(1)
    expect([connection('solana'), connection('bip122')]).toEqual([
      { status: 'disconnected' },
      { status: 'disconnected' },
    ])
    expect(connection('eip155')).toMatchObject({ status: 'connected', connector: { name: 'MetaMask' } })
  })

  it('a slow sign-out does not close an attempt started in the meantime', async () => {
    page = await embeddedPage({ init: { pageWallets: [metaMask] }, answerWallet: () => new Promise(() => {}) })
    await page.signIn()
    await page.page.request('open', {})
    page.peer.handlers.SIGN_OUT = () => waits
    const left = page.actions.disconnect()
    choose('MetaMask')
    await page.peer.until(() => page.peer.count('SIGN_OUT') === 1)
    page.peer.answer('SIGN_OUT', undefined)
    await left
    expect(page.snapshot()).toMatchObject({ open: true, connectAttempt: { status: { kind: 'waiting' } } })
  })

  it('disconnects when its session ends elsewhere', async () => {
    await signedIn()
    page.wallet.state.isSignedIn = false
    page.peer.say({ name: 'SESSION_ENDED' })
    for (const namespace of ['eip155', 'solana', 'bip122'] as const) await disconnected(namespace)
    expect(page.snapshot().embedded).toBeNull()
  })

  it('switches networks in its frame, and the accounts follow (spec §7)', async () => {
    await signedIn()
    await page.actions.switchNetwork('eip155:8453')
    expect(page.peer.payload('SWITCH_NETWORK')).toEqual({ chainId: 8453 })
    expect(connection('eip155')).toMatchObject({
      networkId: 'eip155:8453',
      accounts: [{ address: eoa, type: 'eoa' }],
    })
    expect(page.snapshot().embedded).toMatchObject({ preferred: 'eoa' })
  })

  it('restores the network when two concurrent switches fail', async () => {
    await signedIn({ init: { networks: ['ethereum', 'base', 'optimism', 'solana', 'bitcoin'] } })
    page.wallet.state.known = [1, 10, 8453]
    const seen = page.peer.count('GET_USER')
    page.peer.handlers.GET_USER = () => waits
    const [first, second] = [8453, 10].map((id) => page.actions.switchNetwork(`eip155:${id}`).catch(codeOf))
    await page.peer.until(() => page.peer.count('GET_USER') > seen)
    const third = page.actions.switchNetwork('eip155:8453').catch(codeOf)
    await page.peer.until(() => page.peer.count('GET_USER') > seen + 1)
    page.peer.refuse('GET_USER', new Failure('WALLET_SERVICE_UNREACHABLE'))
    expect(await Promise.all([first, second, third])).toEqual(['ABORTED', 'ABORTED', 'WALLET_SERVICE_UNREACHABLE'])
    page.peer.handlers.RPC_REQUEST = () => '0xsigned'
    await page.page.request('rpc', { namespace: 'eip155', method: 'personal_sign', params: [] })
    expect(page.peer.payload('RPC_REQUEST')).toMatchObject({ networkId: 'eip155:1' })
  })

  it('does not switch to a network that its gateway does not know', async () => {
    await signedIn()
    page.wallet.state.known = [1]
    await expect(page.actions.switchNetwork('eip155:8453')).rejects.toMatchObject({ code: 'CHAIN_NOT_SUPPORTED' })
    expect(connection('eip155')).toMatchObject({ networkId: 'eip155:1' })
  })

  it('connects on the first network that its gateway knows', async () => {
    const wallet = walletState()
    wallet.state.known = [8453]
    await signedIn({ wallet })
    expect(connection('eip155')).toMatchObject({ networkId: 'eip155:8453', accounts: [{ address: eoa }] })
  })

  it.each([
    ['smart', 'smartAccount'],
    ['eoa', 'eoa'],
    [undefined, undefined],
  ] as const)('is asked for the dapp’s default account at sign-in: %s', async (eip155, preferredAccountType) => {
    page = await embeddedPage({ init: { accounts: { eip155 } } })
    await page.signIn()
    const asked = page.peer.asked.find(({ name }) => name === 'GET_USER')
    expect(asked?.payload).toEqual({ chainId: 1, ...(preferredAccountType && { preferredAccountType }) })
  })

  it('lists the preferred account first (spec §6, §7)', async () => {
    await signedIn()
    page.actions.preferAccount('eoa')
    await page.page.until(() => page.snapshot().embedded?.preferred === 'eoa' && activeAddress() === eoa)
    expect(connection('eip155')).toMatchObject({ accounts: [{ address: eoa }, { address: smartAccount }] })
    expect(stored('preferredAccountTypes')).toBe('{"eip155":"eoa"}')
    const { kept, wallet } = page
    page.close()
    // Also over the dapp's default.
    page = await embeddedPage({ frameStorage: () => kept, wallet, init: { accounts: { eip155: 'smart' } } })
    await page.loaded()
    await page.page.until(() => connection('eip155')?.status === 'connected')
    expect(connection('eip155')).toMatchObject({ accounts: [{ address: eoa }, { address: smartAccount }] })
  })

  it('shows the last preferred account, even if an earlier response is late', async () => {
    await signedIn()
    const asked = page.peer.count('GET_USER')
    page.peer.handlers.GET_USER = () => waits
    page.actions.preferAccount('eoa')
    await page.peer.until(() => page.peer.count('GET_USER') === asked + 1)
    const early = { id: page.peer.asked.findLast(({ name }) => name === 'GET_USER')?.id, user: page.wallet.user() }
    page.actions.preferAccount('smartAccount')
    await page.peer.until(() => page.peer.count('GET_USER') === asked + 2)
    page.peer.answer('GET_USER', page.wallet.user())
    page.peer.answer('GET_USER', early.user, early.id)
    await page.peer.heard()
    await page.page.request('ping')
    expect(activeAddress()).toBe(smartAccount)
    expect(page.snapshot().embedded).toMatchObject({ preferred: 'smartAccount' })
  })

  it.each([
    ['another account', () => page.actions.preferAccount('eoa')],
    ['storage', () => page.actions.grantStorage()],
  ])('stays signed out if a request for %s was pending at sign-out', async (_, ask) => {
    await signedIn({ clickPowers: { requestStorageAccess: async () => null } })
    page.peer.handlers.USE_GRANTED_STORAGE = () => ({ storage: 'granted' })
    const asked = page.peer.count('GET_USER')
    page.peer.handlers.GET_USER = () => waits
    ask()
    await page.peer.until(() => page.peer.count('GET_USER') === asked + 1)
    const late = page.peer.asked.findLast(({ name }) => name === 'GET_USER')?.id
    await page.actions.disconnect()
    page.peer.answer('GET_USER', page.wallet.user(), late)
    await page.peer.heard()
    await page.page.request('ping')
    expect(page.snapshot().embedded).toBeNull()
  })

  it('recovers when its frame was lost', async () => {
    await signedIn()
    page.peer.current()?.port?.close()
    await page.peer.until(() => page.peer.frames.length === 2)
    await page.loaded(2)
    await page.peer.until(() => page.peer.count('GET_USER') === 2)
    expect(connection('eip155')?.status).toBe('connected')
  })

  it('signs out when another wallet replaces it in every namespace (spec §7)', async () => {
    page = await embeddedPage({ init: { networks: ['ethereum'], pageWallets: [metaMask] }, answerWallet: pageWallet() })
    await page.signIn()
    choose('MetaMask')
    await page.peer.until(() => page.peer.count('SIGN_OUT') === 1)
    expect(connection('eip155')).toMatchObject({ connector: { name: 'MetaMask' } })
  })

  it('another user’s sign-in replaces the previous one without a sign-out', async () => {
    await signedIn()
    page.wallet.state.changes = otherUser
    page.wallet.state.action = 'CONNECT'
    await page.peer.heard()
    page.clock.advance(limits.emailLoginCooldownMs)
    page.actions.signInWithEmail('bob@example.com')
    await page.page.until(() => page.snapshot().embedded?.email === 'bob@example.com' && !page.snapshot().signIn)
    expect(connection('eip155')).toMatchObject({ status: 'connected', accounts: [{ address: otherEoa }] })
    await page.peer.heard()
    expect(page.peer.names()).not.toContain('SIGN_OUT')
  })
})

const otherEoa = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const otherUser = {
  email: 'bob@example.com',
  address: otherEoa,
  accounts: [{ address: otherEoa, type: 'eoa' as const }],
  preferredAccountType: 'eoa' as const,
}
const deadDom = {
  add: () => ({ contentWindow: () => null, place() {}, focus() {}, remove() {} }),
  listen: () => () => {},
}

describe('dapp requests', () => {
  it('go to the frame with their network, with safe wallet and bundler methods, but without chain reads (spec §7)', async () => {
    await signedIn()
    page.peer.handlers.RPC_REQUEST = () => 'answered'
    for (const method of ['wallet_getCapabilities', 'eth_supportedEntryPoints', 'personal_sign']) {
      expect(await page.page.request('rpc', { namespace: 'eip155', method, params: [] })).toBe('answered')
      expect(page.peer.payload('RPC_REQUEST')).toEqual({ method, params: [], networkId: 'eip155:1' })
    }
    expect(await page.page.request('rpc', { namespace: 'eip155', method: 'eth_chainId' })).toBe('0x1')
    await expect(page.page.request('rpc', { namespace: 'eip155', method: 'eth_blockNumber' })).rejects.toBeDefined()
    expect(page.peer.count('RPC_REQUEST')).toBe(3)
  })

  it('are aborted in the frame when the dapp cancels them', async () => {
    await signedIn()
    page.peer.handlers.RPC_REQUEST = () => waits
    const { id } = page.page.send('rpc', { namespace: 'eip155', method: 'personal_sign', params: [] })
    await page.peer.until(() => page.peer.count('RPC_REQUEST') === 1)
    page.page.post({ v: 1, id, kind: 'cancel' })
    await page.peer.until(() => page.peer.count('RPC_ABORT') === 1)
    expect(page.peer.payload('RPC_ABORT')).toEqual({
      id: page.peer.asked.find(({ name }) => name === 'RPC_REQUEST')?.id,
    })
  })

  it('keep the chain’s error', async () => {
    await signedIn()
    page.peer.handlers.RPC_REQUEST = () => waits
    const answer = page.page.request('rpc', { namespace: 'eip155', method: 'wallet_sendCalls', params: [] })
    await page.peer.until(() => page.peer.count('RPC_REQUEST') === 1)
    page.peer.post({
      id: page.peer.asked.at(-1)?.id,
      type: '@w3m-frame/RPC_REQUEST_ERROR',
      payload: { message: 'No such capability', code: 'INVALID_PARAMS', rpc: 5700, data: '0x08c3' },
    })
    await expect(answer).rejects.toMatchObject({ message: 'No such capability', rpc: 5700, data: '0x08c3' })
  })

  it('open the modal when refused, show a message after 300 ms, and reject pending requests (spec §8, §9)', async () => {
    await signedIn()
    page.peer.handlers.RPC_REQUEST = () => waits
    const open = page.page.request('rpc', { namespace: 'eip155', method: 'personal_sign', params: [] })
    await page.peer.until(() => page.peer.count('RPC_REQUEST') === 1)
    const refused = page.page.request('rpc', { namespace: 'eip155', method: 'eth_sign', params: [] })
    await expect(refused).rejects.toMatchObject({
      code: 'RPC_NOT_ALLOWED',
      message: 'Requested RPC call is not allowed',
    })
    await expect(open).rejects.toMatchObject({ code: 'USER_REJECTED' })
    expect(page.snapshot()).toMatchObject({ open: true, snackbar: null })
    page.clock.advance(limits.refusedMethodMessageDelay - 1)
    expect(page.snapshot().snackbar).toBeNull()
    page.clock.advance(1)
    expect(page.snapshot().snackbar).toMatchObject({ tone: 'bad', text: 'Action not allowed' })
  })

  it('offer the standard account, and say why, when the smart account cannot create a contract', async () => {
    await signedIn()
    page.peer.handlers.RPC_REQUEST = () => waits
    const creation = page.page.request('rpc', { namespace: 'eip155', method: 'eth_sendTransaction', params: [{}] })
    await page.peer.until(() => page.peer.count('RPC_REQUEST') === 1)
    page.peer.refuse('RPC_REQUEST', new Failure('CONTRACT_NEEDS_STANDARD_ACCOUNT'))
    await expect(creation).rejects.toMatchObject({ code: 'CONTRACT_NEEDS_STANDARD_ACCOUNT', rpc: -32602 })
    expect(page.snapshot()).toMatchObject({ open: true, opening: { view: 'AccountTypes' }, snackbar: null })
    page.clock.advance(limits.refusedMethodMessageDelay)
    expect(page.snapshot().snackbar).toMatchObject({ tone: 'bad', text: expect.stringContaining('standard account') })
  })

  it('open nothing and reject nothing when no wallet must have the method', async () => {
    await signedIn()
    page.peer.handlers.RPC_REQUEST = () => waits
    const open = page.page.request('rpc', { namespace: 'eip155', method: 'personal_sign', params: [] })
    await page.peer.until(() => page.peer.count('RPC_REQUEST') === 1)
    const before = page.snapshot().open
    // viem tries it after any refusal of eth_sendTransaction, and reports the first error only on -32601.
    const tried = page.page.request('rpc', { namespace: 'eip155', method: 'wallet_sendTransaction', params: [] })
    await expect(tried).rejects.toMatchObject({ code: 'METHOD_NOT_FOUND' })
    expect(page.snapshot().open).toBe(before)
    let isSettled = false
    open.then(
      () => (isSettled = true),
      () => (isSettled = true),
    )
    await Promise.resolve()
    expect(isSettled).toBe(false)
    page.peer.handlers.RPC_REQUEST = () => undefined
  })

  it('do the same when the frame refuses them', async () => {
    await signedIn()
    page.peer.handlers.RPC_REQUEST = () => {
      throw new Failure('RPC_NOT_ALLOWED')
    }
    await expect(
      page.page.request('rpc', { namespace: 'eip155', method: 'personal_sign', params: [] }),
    ).rejects.toMatchObject({ code: 'RPC_NOT_ALLOWED' })
    expect(page.snapshot().open).toBe(true)
  })

  it('all settle when the frame ends', async () => {
    await signedIn()
    page.peer.handlers.RPC_REQUEST = () => waits
    const answers = ['personal_sign', 'eth_sendTransaction', 'wallet_getCapabilities'].map((method) =>
      page.page.request('rpc', { namespace: 'eip155', method, params: [] }),
    )
    await page.peer.until(() => page.peer.count('RPC_REQUEST') === 3)
    page.peer.current()?.port?.close()
    for (const answer of answers) await expect(answer).rejects.toMatchObject({ code: 'LINK_CLOSED' })
  })
})

describe('the embedded wallet’s user', () => {
  it('lists recovery and devices, and removes a device', async () => {
    await signedIn()
    const device = { id: 'd1', name: 'Chrome on Linux', createdAt: 1, usedAt: 2, isThis: true }
    const other = { ...device, id: 'd2', isThis: false }
    let devices = [device, other]
    page.peer.handlers.GET_SECURITY = () => ({ storage: 'frame', recovery: 'gateway', devices })
    page.peer.handlers.REVOKE_DEVICE = () => {
      devices = [device]
      return undefined
    }
    page.actions.refreshWallet()
    await page.page.until(() => page.snapshot().embedded?.security?.devices.length === 2)
    await page.actions.revokeDevice('d2', new AbortController().signal)
    expect(page.peer.payload('REVOKE_DEVICE')).toEqual({ id: 'd2' })
    expect(page.snapshot().embedded?.security).toEqual({
      recovery: 'gateway',
      devices: [device],
      recoveries: [],
      isExposed: false,
      previous: null,
    })
    page.peer.handlers.REVOKE_DEVICE = () => {
      throw new Failure('LAST_DEVICE')
    }
    await expect(page.actions.revokeDevice('d1', new AbortController().signal)).rejects.toMatchObject({
      code: 'LAST_DEVICE',
    })
  })

  it('reads whether its first operation deployed the smart account, until it did (spec §7)', async () => {
    await signedIn({ wallet: walletState({ smartAccountDeployed: false }) })
    page.peer.handlers.GET_SECURITY = () => ({ storage: 'frame', recovery: 'gateway', devices: [] })
    let answers = [null, false, true]
    page.peer.handlers.INIT_SMART_ACCOUNT = () => {
      const [isDeployed = null] = answers
      answers = answers.slice(1)
      if (isDeployed === null) throw new Failure('WALLET_SERVICE_UNREACHABLE')
      return { address: activeAddress() ?? '', isDeployed }
    }
    for (const isDeployed of [false, false, true]) {
      page.actions.refreshWallet()
      await page.peer.heard()
      await page.page.until(() => page.snapshot().embedded?.smartAccountDeployed === isDeployed)
      expect(page.snapshot()).toMatchObject({ alert: null, snackbar: null })
    }
    page.actions.refreshWallet()
    await page.peer.heard()
    expect(page.peer.count('INIT_SMART_ACCOUNT')).toBe(3)
  })

  it('reports unread security facts while the user is signed in, and not after a sign-out', async () => {
    await signedIn({ wallet: walletState({ smartAccountDeployed: true }) })
    // The last answer of the sign-in: a frame that is silent while it is pending counts as lost.
    await expect.poll(() => stored('smartAccountNetworks')).not.toBeNull()
    page.peer.handlers.GET_SECURITY = () => waits
    const asked = async (times: number) => {
      page.actions.refreshWallet()
      await page.peer.until(() => page.peer.count('GET_SECURITY') === times)
    }
    await asked(1)
    page.clock.advance(limits.walletFrameRequestTimeout)
    await expect.poll(() => page.snapshot().alert?.code).toBe('IFRAME_REQUEST_TIMEOUT')
    page.actions.dismissAlert()
    await asked(2)
    await page.actions.disconnect()
    page.clock.advance(limits.walletFrameRequestTimeout)
    await page.peer.heard()
    expect(page.snapshot().alert).toBeNull()
  })

  describe('a frame that did not respond in time', () => {
    async function timedOut(changes: Parameters<typeof walletState>[0] = {}): Promise<void> {
      await signedIn({ wallet: walletState({ smartAccountDeployed: true, ...changes }) })
      await expect.poll(() => stored('smartAccountNetworks')).not.toBeNull()
      page.peer.handlers.GET_SECURITY = () => waits
      page.actions.refreshWallet()
      await page.peer.until(() => page.peer.count('GET_SECURITY') === 1)
      page.clock.advance(limits.walletFrameRequestTimeout)
      await expect.poll(() => page.snapshot().alert?.code).toBe('IFRAME_REQUEST_TIMEOUT')
      expect(page.peer.count('RELOAD')).toBe(0)
      page.actions.dismissAlert()
    }

    it('reloads, once the user has read of it (spec §7)', async () => {
      await timedOut()
      await page.peer.until(() => page.peer.count('RELOAD') === 1)
    })

    it('does not reload if that would lose a wallet in memory', async () => {
      await timedOut({ storage: 'memory' })
      await page.peer.heard()
      expect(page.peer.count('RELOAD')).toBe(0)
    })
  })

  it('remembers on this device that a new wallet was put off; a sign-out does not forget it', async () => {
    await signedIn()
    expect(page.snapshot().embedded?.isMovePutOff).toBe(false)
    page.actions.putOffMove()
    await page.page.until(() => page.snapshot().embedded?.isMovePutOff === true)
    const { kept, wallet } = page
    page.close()
    page = await embeddedPage({ frameStorage: () => kept, wallet })
    await page.loaded()
    await page.page.until(() => page.snapshot().embedded?.isMovePutOff === true)
    await page.actions.disconnect()
    expect(page.snapshot()).toMatchObject({ embedded: null })
    expect(stored('moveOfferPutOff')).toBe('true')
  })

  it('deletes the account once the wallet’s frame did, and is signed out everywhere', async () => {
    await signedIn()
    page.peer.handlers.DELETE_ACCOUNT = () => {
      page.wallet.state.isSignedIn = false
      return undefined
    }
    await page.actions.deleteAccount(new AbortController().signal)
    expect(page.peer.payload('DELETE_ACCOUNT')).toBeUndefined()
    for (const namespace of ['eip155', 'solana', 'bip122'] as const) await disconnected(namespace)
    expect(page.snapshot()).toMatchObject({ embedded: null, open: false })
  })

  it('ignores a late email change response of an ended session', async () => {
    await signedIn()
    page.peer.handlers.UPDATE_EMAIL = () => waits
    page.actions.changeEmail('countess@example.com')
    await page.peer.until(() => page.peer.count('UPDATE_EMAIL') === 1)
    page.wallet.state.isSignedIn = false
    page.peer.say({ name: 'SESSION_ENDED' })
    await disconnected('eip155')
    page.peer.answer('UPDATE_EMAIL', { action: 'VERIFY_SECONDARY_OTP' })
    await page.peer.heard()
    await page.page.request('ping')
    expect(page.snapshot().emailChange).toBeNull()
  })

  it('changes the email address with two codes (spec §7)', async () => {
    await signedIn()
    page.peer.handlers.UPDATE_EMAIL = () => ({ action: 'VERIFY_PRIMARY_OTP' })
    page.peer.handlers.UPDATE_EMAIL_PRIMARY_OTP = () => {
      throw new Failure('SIGN_IN_AGAIN')
    }
    page.peer.handlers.UPDATE_EMAIL_SECONDARY_OTP = () => waits
    page.actions.changeEmail('new@example.com')
    await page.page.until(() => page.snapshot().emailChange?.error?.code === 'SIGN_IN_AGAIN')
    expect(page.snapshot()).toMatchObject({ emailChange: { step: 'primary' }, codeEntry: null })
    page.peer.handlers.UPDATE_EMAIL_PRIMARY_OTP = () => waits
    page.actions.retryEmailChange()
    await page.peer.until(() => page.peer.count('UPDATE_EMAIL_PRIMARY_OTP') === 2)
    page.peer.answer('UPDATE_EMAIL_PRIMARY_OTP', undefined)
    await page.page.until(() => page.snapshot().emailChange?.step === 'secondary')
    await page.peer.until(() => page.peer.count('UPDATE_EMAIL_SECONDARY_OTP') === 1)
    page.peer.answer('UPDATE_EMAIL_SECONDARY_OTP', { newEmail: 'new@example.com' })
    await page.page.until(() => page.snapshot().embedded?.email === 'new@example.com')
    expect(page.snapshot().emailChange).toBeNull()
  })

  it('grants storage inside the click, and reports the new storage level', async () => {
    let asked = 0
    page = await embeddedPage({
      wallet: walletState({ storage: 'memory' }),
      clickPowers: {
        requestStorageAccess: async () => {
          asked += 1
        },
      },
    })
    await page.signIn()
    page.peer.handlers.USE_GRANTED_STORAGE = () => {
      page.wallet.state.changes = { storage: 'granted' }
      return { storage: 'granted' }
    }
    page.actions.grantStorage()
    expect(asked).toBe(1)
    await page.page.until(() => page.snapshot().embedded?.storage === 'granted')
  })

  it('reports that the browser denied storage, or allowed it without storing anything', async () => {
    let refuses = true
    page = await embeddedPage({
      wallet: walletState({ storage: 'memory' }),
      clickPowers: {
        requestStorageAccess: async () => {
          if (refuses) throw new DOMException('denied', 'NotAllowedError')
        },
      },
    })
    await page.signIn()
    const isSaid = () => page.snapshot().snackbar?.text === 'Your browser blocks storage here'
    page.actions.grantStorage()
    await page.page.until(isSaid)
    expect(page.peer.count('USE_GRANTED_STORAGE')).toBe(0)
    const { key } = page.snapshot().snackbar ?? {}
    refuses = false
    page.peer.handlers.USE_GRANTED_STORAGE = () => ({ storage: 'memory' })
    page.actions.grantStorage()
    await page.page.until(() => isSaid() && page.snapshot().snackbar?.key !== key)
    expect(page.snapshot().embedded?.storage).toBe('memory')
  })

  it('remembers that its window stores the wallet, and connects the user that the window restores', async () => {
    await signedIn({ wallet: walletState({ storage: 'memory' }) })
    page.peer.handlers.GET_WINDOW_URI = () => ({ uri: `${walletOrigin}/window` })
    page.peer.handlers.GET_SECURITY = () => ({ storage: 'window', recovery: 'gateway', devices: [] })
    page.peer.handlers.AWAIT_WINDOW = () => undefined
    page.actions.openWalletWindow('keep')
    await page.page.until(() => page.snapshot().walletKept && page.snapshot().embedded?.storage === 'window')
    expect(stored('walletKept')).toBe('true')

    const kept = page.kept
    page.close()
    page = await embeddedPage({ frameStorage: () => kept })
    await page.loaded()
    await disconnected('eip155')
    expect(page.snapshot()).toMatchObject({ walletKept: true, embedded: null })
    page.peer.handlers.GET_WINDOW_URI = () => ({ uri: `${walletOrigin}/window` })
    page.peer.handlers.AWAIT_WINDOW = () => {
      page.wallet.state.isSignedIn = true
      return undefined
    }
    page.actions.openWalletWindow('keep')
    await page.page.until(() => connection('eip155')?.status === 'connected')
    expect(connection('solana')?.status).toBe('connected')

    await page.page.request('disconnect', {})
    await page.page.until(() => !page.snapshot().walletKept)
    expect(stored('walletKept')).toBeNull()
  })

  it('navigates the wallet’s window only to the wallet’s origin', async () => {
    await signedIn()
    page.peer.handlers.GET_WINDOW_URI = () => ({ uri: 'https://evil.example/window' })
    page.actions.openWalletWindow('export')
    await page.page.until(() => page.snapshot().snackbar?.tone === 'bad')
    expect(page.popups[0]).toMatchObject({ visited: [`${walletOrigin}/auth/social/opening`], closed: true })
  })

  it('reports that the browser blocked the window', async () => {
    await signedIn({ blocksPopups: true })
    page.actions.openWalletWindow('export')
    await page.page.until(() => page.snapshot().snackbar?.text === 'The browser blocked the new tab')
  })
})
