import { HostState, JsonRpcRequest, limits, linkError, type WalletEntry } from '@postern/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { successHoldMs } from '../connections/connect/connect-attempt'
import { announcementWaitMs } from '../connections/sessions/find-wallet'
import type { WalletRow } from '../snapshot/contract'
import {
  account,
  init,
  memoryStorage,
  metaMask,
  origin,
  otherAccount,
  project,
  readyPage,
  type TestPage,
  testPage,
  wallet,
} from '../testing/test-page'

let page: TestPage

async function ready(options?: Parameters<typeof readyPage>[0]): Promise<TestPage> {
  page = await readyPage(options)
  return page
}

function snapshot() {
  return page.host.store.getState()
}

function row(name = 'MetaMask'): WalletRow {
  const found = snapshot().wallets.find((candidate) => candidate.name === name)
  if (found === undefined) throw new Error(`No row ${name}`)
  return found
}

function connection() {
  return snapshot().connections.eip155
}

async function connected(options?: Parameters<typeof readyPage>[0]): Promise<TestPage> {
  await ready(options)
  const answer = page.request('connect', {})
  await page.until(() => snapshot().open)
  page.host.actions.connect(row())
  await answer
  return page
}

async function askingAnother() {
  const second = { ...metaMask, id: 'w2', name: 'Other', rdns: 'com.other' }
  await connected({ init: { pageWallets: [metaMask, second] } })
  const granting = wallet({ accounts: [otherAccount] })
  let grant: () => void = () => {}
  const granted = new Promise<void>((resolve) => {
    grant = resolve
  })
  page.setWallet(async (request) => {
    await granted
    return granting(request)
  })
  page.host.actions.connect(row('Other'))
  return { second, grant: () => grant() }
}

function attemptIs(kind: string) {
  return page.until(() => snapshot().connectAttempt?.status.kind === kind)
}

afterEach(() => page.close())

describe('createHost', () => {
  it('responds to init with its state, and shows the page’s wallets at once', async () => {
    page = testPage()
    page.hello()
    const state = await page.request('init', init())
    expect(state).toMatchObject({ open: false, activeNetworkId: 'eip155:1', connections: {} })
    expect(snapshot()).toMatchObject({ ready: true, wallets: [{ id: 'io.metamask', group: 'injected' }] })
  })

  it('shows the page no endpoints for wallets, which older SDKs do not know', async () => {
    page = testPage()
    page.hello()
    const own = {
      id: 'eip155:987654',
      name: 'Own',
      nativeCurrency: { name: 'Own', symbol: 'OWN', decimals: 18 },
    } as const
    const rpcUrls = ['https://rpc.example/key']
    const networks = [{ ...own, rpcUrls, publicRpcUrls: ['https://rpc.example/public'] }]
    const {
      networks: [shown],
    } = HostState.parse(await page.request('init', init({ networks })))
    expect(shown).toMatchObject({ rpcUrls })
    expect(shown).not.toHaveProperty('publicRpcUrls')
  })

  it('returns one promise for the feature host, so that a view suspends only once', async () => {
    page = testPage()
    await expect(page.host.money()).rejects.toMatchObject({ code: 'LINK_CLOSED' })
    page.hello()
    await page.request('init', init())
    expect(page.host.money()).toBe(page.host.money())
    expect(await page.host.money()).toBe(await page.host.money())
  })

  it('reports that it is not embedded when opened directly', async () => {
    page = testPage({ isTopLevel: true })
    page.hello()
    expect(snapshot().topLevel).toBe(true)
    expect(page.frame.listenerCount()).toBe(0)
  })

  it('shows an alert and accepts no page without a project', () => {
    page = testPage({ project: null })
    page.hello()
    expect(snapshot().alert).toMatchObject({ code: 'PROJECT_ID_NOT_CONFIGURED', title: 'Project ID Not Configured' })
    expect(page.frame.posted).toEqual([])
  })

  it('rejects a page that names another project', async () => {
    page = testPage()
    page.hello()
    await expect(page.request('init', init({ projectId: 'other' }))).rejects.toMatchObject({
      code: 'INVALID_PROJECT_ID',
    })
    await expect(page.request('ping', {})).rejects.toMatchObject({ code: 'CLIENTS_NOT_SET' })
  })

  it('rejects a page of unknown networks, and names the first', async () => {
    page = testPage()
    page.hello()
    await expect(page.request('init', init({ networks: ['atlantis', 'lemuria'] }))).rejects.toMatchObject({
      code: 'SWITCH_NETWORK_NOT_FOUND',
      message: 'The network atlantis isn’t configured. Add it to networks.',
    })
  })

  it('skips an unknown network, and reports it (spec §8)', async () => {
    await ready({ init: { networks: ['base', 'atlantis'] } })
    expect(snapshot().networks.map(({ name }) => name)).toEqual(['Base'])
    expect(snapshot().alert).toMatchObject({ title: 'Network Not Found', text: expect.stringContaining('atlantis') })
  })
})

describe('connect', () => {
  it('opens Connect, asks the chosen wallet, and resolves with the account', async () => {
    await ready({ answerWallet: wallet({ accounts: [account.toLowerCase()], chainId: '0x2105' }) })
    const answer = page.request('connect', {})
    await page.until(() => snapshot().open && snapshot().opening.view === 'Connect')
    page.host.actions.connect(row())
    await expect(answer).resolves.toMatchObject({
      status: 'connected',
      accounts: [{ namespace: 'eip155', address: account, type: 'eoa' }],
      networkId: 'eip155:8453',
      connector: { pageWallet: 'w1', name: 'MetaMask' },
    })
    expect(page.states.at(-1)).toMatchObject({ activeNetworkId: 'eip155:8453', open: true })
  })

  it('keeps open a modal that the page reopened while the success was shown', async () => {
    await connected()
    await attemptIs('connected')
    await page.request('open', { view: 'Account' })
    page.clock.advance(successHoldMs)
    expect(snapshot()).toMatchObject({ open: true, opening: { view: 'Account' }, connectAttempt: null })
  })

  it('closes the modal after the success was shown', async () => {
    await connected()
    await attemptIs('connected')
    expect(snapshot().open).toBe(true)
    page.clock.advance(successHoldMs)
    expect(snapshot().open).toBe(false)
  })

  it('rejects with USER_REJECTED when the user closes the modal (spec §8)', async () => {
    await ready()
    const answer = page.request('connect', {})
    await page.until(() => snapshot().open)
    page.emit('dismiss')
    await expect(answer).rejects.toMatchObject({ code: 'USER_REJECTED', rpc: 4001 })
    expect(snapshot().open).toBe(false)
  })

  it('resolves at once when already connected', async () => {
    await connected()
    page.host.actions.close()
    await expect(page.request('connect', {})).resolves.toMatchObject({ status: 'connected' })
    expect(snapshot().open).toBe(false)
  })

  it('closes the modal when the page cancels', async () => {
    await ready()
    const { id } = page.send('connect', {})
    await page.until(() => snapshot().open)
    page.post({ v: 1, id, kind: 'cancel' })
    await page.until(() => !snapshot().open)
  })

  it('shows a declined request, and allows a retry after a second', async () => {
    let asked = 0
    await ready({
      answerWallet: ({ method }) => {
        if (method === 'eth_requestAccounts') asked += 1
        throw linkError('USER_REJECTED')
      },
    })
    page.host.actions.connect(row())
    await attemptIs('declined')
    expect(connection()).toEqual({ status: 'disconnected' })
    page.host.actions.retryConnect()
    expect(snapshot().connectAttempt?.status.kind).toBe('declined')
    page.clock.advance(limits.connectRetryDelay)
    page.host.actions.retryConnect()
    expect(snapshot().connectAttempt?.status.kind).toBe('waiting')
    await attemptIs('declined')
    expect(asked).toBe(2)
  })

  it('waits for a wallet that already shows a request, and connects once the user approves there', async () => {
    const granting = wallet()
    await ready({
      answerWallet: (request) => {
        if (request.method === 'eth_requestAccounts') throw linkError('REQUEST_PENDING')
        return granting(request)
      },
    })
    page.host.actions.connect(row())
    await attemptIs('pendingInWallet')
    page.emit('walletEvent', { wallet: 'w1', event: 'accountsChanged', data: [account] })
    await attemptIs('connected')
    expect(connection()).toMatchObject({ status: 'connected' })
  })

  it('does the same for a locked wallet, which returns no account', async () => {
    await ready({ answerWallet: wallet({ accounts: [] }) })
    page.host.actions.connect(row())
    await attemptIs('pendingInWallet')
  })

  it('fails when the wallet disappears from the page', async () => {
    await ready({ answerWallet: () => new Promise(() => {}) })
    page.host.actions.connect(row())
    page.emit('pageWallets', { pageWallets: [] })
    await attemptIs('failed')
    await page.until(() => connection()?.status === 'disconnected')
  })

  it('shows where to get a wallet that is not in the page', async () => {
    const rabby: WalletEntry = { id: 'd1', name: 'Rabby', chains: ['eip155:1'] }
    await ready({ project: project({ wallets: [rabby], walletCount: 1 }) })
    page.host.actions.connect(row('Rabby'))
    await attemptIs('notInstalled')
    expect(snapshot().connectAttempt).toMatchObject({ via: 'page' })
  })

  it('rejects a wallet that returns no valid address', async () => {
    await ready({ answerWallet: wallet({ accounts: ['0xnot-an-address'] }) })
    page.host.actions.connect(row())
    await attemptIs('failed')
    expect(connection()).toEqual({ status: 'disconnected' })
  })

  it('keeps the first connection when an attempt with another wallet is declined', async () => {
    await connected({ init: { pageWallets: [metaMask, { ...metaMask, id: 'w2', name: 'Other', rdns: 'com.other' }] } })
    page.setWallet(() => {
      throw linkError('USER_REJECTED')
    })
    page.host.actions.connect(row('Other'))
    await attemptIs('declined')
    expect(connection()).toMatchObject({ status: 'connected', connector: { name: 'MetaMask' } })
  })

  it('continues the running attempt when the connected wallet disappears', async () => {
    const { second, grant } = await askingAnother()
    page.emit('pageWallets', { pageWallets: [second] })
    await page.until(() => connection()?.status === 'connecting')
    grant()
    await page.until(() => connection()?.status === 'connected')
    expect(connection()).toMatchObject({ connector: { name: 'Other' }, accounts: [{ address: otherAccount }] })
  })

  it('continues the running attempt when another tab disconnects the connected wallet', async () => {
    const { grant } = await askingAnother()
    await attemptIs('waiting')
    await page.request('peerChanged', { stored: {} })
    expect(connection()?.status).toBe('connecting')
    grant()
    await attemptIs('connected')
    expect(connection()).toMatchObject({ connector: { name: 'Other' }, accounts: [{ address: otherAccount }] })
  })

  it('stays open for the second of two requests when the page cancels the first', async () => {
    await ready()
    const first = page.send('connect', {})
    const second = page.request('connect', {})
    await page.until(() => snapshot().open)
    await page.request('ping')
    page.post({ v: 1, id: first.id, kind: 'cancel' })
    await page.request('ping')
    expect(snapshot().open).toBe(true)
    page.host.actions.connect(row())
    expect(await second).toMatchObject({ status: 'connected' })
  })

  it('does not interrupt a user who is choosing when the page asks again', async () => {
    await ready()
    const first = page.request('connect', {})
    await page.until(() => snapshot().open)
    const { key } = snapshot().opening
    const second = page.request('connect', { namespace: 'eip155' })
    await page.request('ping')
    expect(snapshot().opening.key).toBe(key)
    page.host.actions.connect(row())
    expect(await Promise.all([first, second])).toMatchObject([{ status: 'connected' }, { status: 'connected' }])
  })

  it('opens UnsupportedChain after connecting on a network that the dapp does not support (spec §2, §4)', async () => {
    await connected({ answerWallet: wallet({ chainId: '0x539' }) })
    expect(connection()).toMatchObject({ networkId: 'eip155:1337', unsupported: true })
    await attemptIs('connected')
    page.clock.advance(successHoldMs)
    expect(snapshot()).toMatchObject({ open: true, opening: { view: 'UnsupportedChain' } })
  })
})

describe('changes made in the wallet', () => {
  it('updates the account', async () => {
    await connected()
    page.emit('walletEvent', { wallet: 'w1', event: 'accountsChanged', data: [otherAccount.toLowerCase(), account] })
    await page.until(
      () => page.states.at(-1)?.connections.eip155?.status === 'connected' && 'accounts' in (connection() ?? {}),
    )
    await page.until(() => {
      const now = connection()
      return now?.status === 'connected' && now.accounts[0]?.address === otherAccount
    })
  })

  it('updates the network', async () => {
    await connected()
    page.emit('walletEvent', { wallet: 'w1', event: 'chainChanged', data: '0x2105' })
    await page.until(() => snapshot().activeNetworkId === 'eip155:8453')
  })

  it('opens UnsupportedChain on an unsupported network, and closes it on return', async () => {
    await connected()
    page.host.actions.close()
    page.emit('walletEvent', { wallet: 'w1', event: 'chainChanged', data: '0x539' })
    await page.until(() => snapshot().open && snapshot().opening.view === 'UnsupportedChain')
    page.emit('walletEvent', { wallet: 'w1', event: 'chainChanged', data: '0x1' })
    await page.until(() => !snapshot().open)
    expect(connection()).not.toHaveProperty('unsupported')
  })

  it('ends and deletes the session with its last account', async () => {
    await connected()
    expect([...page.kept.keys()]).toContain('demo/session.eip155')
    page.emit('walletEvent', { wallet: 'w1', event: 'accountsChanged', data: [] })
    await page.until(() => connection()?.status === 'disconnected' && !page.kept.has('demo/session.eip155'))
  })

  it('stores a connection before the page learns of it, so that a reload restores it', async () => {
    const told = () => page.states.at(-1)?.connections.eip155?.status
    page = await readyPage()
    const answered = page.request('connect', {})
    const [row] = await page.until(() => snapshot().wallets.length > 0 && snapshot().wallets)
    if (row !== undefined) page.host.actions.connect(row, 'eip155')
    await page.until(() => told() === 'connected')
    expect(page.kept.has('demo/session.eip155')).toBe(true)
    await answered
    void page.request('disconnect', {})
    await page.until(() => told() === 'disconnected')
    expect(page.kept.has('demo/session.eip155')).toBe(false)
  })

  it('keeps the session after a disconnect event only while accounts are still granted', async () => {
    await connected()
    page.emit('walletEvent', { wallet: 'w1', event: 'disconnect', data: { code: 1013 } })
    await page.until(() => connection()?.status === 'reconnecting')
    await page.until(() => connection()?.status === 'connected')
    page.setWallet(wallet({ accounts: [] }))
    page.emit('walletEvent', { wallet: 'w1', event: 'disconnect' })
    await page.until(() => connection()?.status === 'disconnected')
  })

  it('ignores events of other wallets, and malformed ones', async () => {
    await connected()
    const before = page.states.length
    page.emit('walletEvent', { wallet: 'w2', event: 'accountsChanged', data: [] })
    page.emit('walletEvent', { wallet: 'w1', event: 'chainChanged', data: 'mainnet' })
    page.emit('walletEvent', { wallet: 'w1', event: 'accountsChanged', data: { length: 0 } })
    page.emit('walletEvent', { wallet: 'w1', event: 'selfDestruct', data: [] })
    await page.request('ping')
    expect(page.states).toHaveLength(before)
  })

  it('reconnects a wallet that disappears and returns, and gives up after a timeout (spec §4)', async () => {
    await connected()
    page.emit('pageWallets', { pageWallets: [] })
    await page.until(() => connection()?.status === 'reconnecting')
    page.emit('pageWallets', { pageWallets: [{ ...metaMask, id: 'w9' }] })
    await page.until(() => connection()?.status === 'connected')
    expect(connection()).toMatchObject({ connector: { pageWallet: 'w9' } })
    page.emit('pageWallets', { pageWallets: [] })
    await page.until(() => connection()?.status === 'reconnecting')
    page.clock.advance(announcementWaitMs)
    await page.until(() => connection()?.status === 'disconnected')
  })
})

describe('a returning user', () => {
  async function leave(): Promise<Record<string, string>> {
    await connected()
    await page.until(() => page.kept.has('demo/session.eip155'))
    const stored = Object.fromEntries(page.kept)
    page.close()
    return stored
  }

  it('is connecting with a known account until the wallet confirms, without a prompt (spec §4)', async () => {
    const stored = await leave()
    const granting = wallet()
    page = testPage({ answerWallet: granting })
    page.hello()
    const state = await page.request('init', init({ stored, pageWallets: [{ ...metaMask, id: 'w7' }] }))
    expect(state).toMatchObject({ connections: { eip155: { status: 'connecting', accounts: [{ address: account }] } } })
    await page.until(() => connection()?.status === 'connected')
    expect(connection()).toMatchObject({ connector: { pageWallet: 'w7' } })
    expect(granting.asked).toEqual(['eth_accounts', 'eth_chainId'])
    expect(page.events).not.toContain('sessionChanged')
  })

  it('has the account that the user put first, until the wallet says another', async () => {
    const first = () => {
      const now = connection()
      return now?.status === 'connected' ? now.accounts[0]?.address : undefined
    }
    await connected({ answerWallet: wallet({ accounts: [account, otherAccount] }) })
    page.host.actions.chooseAccount('0x0000000000000000000000000000000000000000')
    expect(first()).toBe(account)
    page.host.actions.chooseAccount(otherAccount)
    expect(first()).toBe(otherAccount)
    await page.until(() => page.kept.get('demo/session.eip155')?.includes('chosen') === true)
    const told = page.kept.get('demo/session.eip155') ?? ''
    const back = JSON.stringify({
      ...JSON.parse(told),
      accounts: JSON.parse(told).accounts.toReversed(),
      chosen: undefined,
    })
    await page.request('peerChanged', { stored: { 'demo/session.eip155': back } })
    expect(first(), 'as another tab says').toBe(account)
    page.host.actions.chooseAccount(otherAccount)
    await page.until(() => page.kept.get('demo/session.eip155')?.includes('chosen') === true)
    const stored = Object.fromEntries(page.kept)
    page.close()

    await ready({ answerWallet: wallet({ accounts: [account, otherAccount] }), init: { stored } })
    await page.until(() => first() === otherAccount)
    page.close()

    // Meanwhile, the user chose a third account in the wallet.
    const third = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
    await ready({ answerWallet: wallet({ accounts: [third, account, otherAccount] }), init: { stored } })
    await page.until(() => first() === third)
    page.host.actions.chooseAccount(account)
    expect(first()).toBe(account)
    page.emit('walletEvent', { wallet: 'w1', event: 'accountsChanged', data: [third, account] })
    await page.until(() => first() === third)
  })

  it('is disconnected in this tab only if the wallet grants nothing, and connects once it grants again', async () => {
    const stored = await leave()
    await ready({ answerWallet: wallet({ accounts: [] }), init: { stored } })
    await page.until(() => page.states.at(-1)?.connections.eip155?.status === 'disconnected')
    await page.request('ping')
    expect(page.events).not.toContain('sessionChanged')
    page.setWallet(wallet())
    page.emit('walletEvent', { wallet: 'w2', event: 'accountsChanged', data: [account] })
    page.emit('walletEvent', { wallet: 'w1', event: 'accountsChanged', data: [] })
    await page.request('ping')
    expect(connection()).toEqual({ status: 'disconnected' })
    page.emit('walletEvent', { wallet: 'w1', event: 'accountsChanged', data: [account] })
    await page.until(() => connection()?.status === 'connected')
  })

  it('is not reconnected by the wallet after the user disconnected', async () => {
    await connected()
    await page.request('disconnect', {})
    page.emit('walletEvent', { wallet: 'w1', event: 'accountsChanged', data: [account] })
    await page.request('ping')
    expect(connection()).toEqual({ status: 'disconnected' })
  })

  it('reconnects when the wallet announces itself late (spec §4)', async () => {
    const stored = await leave()
    await ready({ init: { stored, pageWallets: [] } })
    expect(connection()?.status).toBe('connecting')
    page.emit('pageWallets', { pageWallets: [metaMask] })
    await page.until(() => connection()?.status === 'connected')
  })

  it('is disconnected after the timeout, and connects if the wallet comes later', async () => {
    const stored = await leave()
    await ready({ init: { stored, pageWallets: [] } })
    page.clock.advance(announcementWaitMs)
    await page.until(() => connection()?.status === 'disconnected')
    page.emit('pageWallets', { pageWallets: [metaMask] })
    await page.until(() => connection()?.status === 'connected')
  })

  describe('if two wallets of the page announce its id', () => {
    const impostor = { ...metaMask, id: 'w9' }

    it.each([
      ['the impostor first', [impostor, metaMask]],
      ['the genuine wallet first', [metaMask, impostor]],
    ])('is not restored, and both are in Connect: %s', async (_order, pageWallets) => {
      const stored = await leave()
      const answerWallet = wallet()
      await ready({ answerWallet, init: { stored, pageWallets } })
      const sent = page.request('rpc', {
        namespace: 'eip155',
        method: 'eth_sendTransaction',
        params: [{ to: account }],
      })
      await page.request('ping')
      page.clock.advance(announcementWaitMs)
      await expect(sent).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
      expect(connection()).toEqual({ status: 'disconnected' })
      expect(answerWallet.asked).toEqual([])
      expect(snapshot().wallets.map(({ connectors }) => connectors[0]?.connectorId)).toEqual(
        pageWallets.map(({ id }) => id),
      )
      page.host.actions.connect(row())
      await page.until(() => connection()?.status === 'connected')
      page.emit('pageWallets', { pageWallets: [...pageWallets].reverse() })
      await page.request('ping')
      expect(connection()?.status).toBe('connected')
    })

    it('is lost if the other announces itself after it was restored', async () => {
      const stored = await leave()
      await ready({ init: { stored, pageWallets: [impostor] } })
      await page.until(() => connection()?.status === 'connected')
      page.emit('pageWallets', { pageWallets: [impostor, metaMask] })
      await page.until(() => connection()?.status === 'reconnecting')
      const signed = page.request('rpc', { namespace: 'eip155', method: 'personal_sign', params: ['0x68', account] })
      await page.request('ping')
      page.clock.advance(announcementWaitMs)
      await expect(signed).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
      expect(connection()).toEqual({ status: 'disconnected' })
    })

    it('is not asked for by name without a choice', async () => {
      await ready({ init: { pageWallets: [impostor, metaMask] } })
      const answer = page.request('connect', { wallet: metaMask.rdns })
      await page.until(() => snapshot().open)
      expect(snapshot()).toMatchObject({ opening: { view: 'Connect' }, connectAttempt: null })
      page.host.actions.close()
      await expect(answer).rejects.toMatchObject({ code: 'USER_REJECTED' })
    })
  })

  it('holds back requests to the wallet until it is restored', async () => {
    const stored = await leave()
    await ready({ init: { stored, pageWallets: [] } })
    const signed = page.request('rpc', { namespace: 'eip155', method: 'personal_sign', params: ['0x68', account] })
    page.emit('pageWallets', { pageWallets: [metaMask] })
    expect(await signed).toBe('0xsigned')
  })

  it('rejects them once it cannot be restored', async () => {
    const stored = await leave()
    await ready({ init: { stored, pageWallets: [] } })
    const signed = page.request('rpc', { namespace: 'eip155', method: 'personal_sign', params: ['0x68', account] })
    await page.request('ping')
    page.clock.advance(announcementWaitMs)
    await expect(signed).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('sees Connect close when the awaited session is restored', async () => {
    const stored = await leave()
    await ready({ init: { stored, pageWallets: [] } })
    const answers = [page.request('connect', {}), page.request('connect', { namespace: 'eip155' })]
    await page.until(() => snapshot().open)
    await page.request('ping')
    page.emit('pageWallets', { pageWallets: [metaMask] })
    expect(await Promise.all(answers)).toMatchObject([{ status: 'connected' }, { status: 'connected' }])
    expect(snapshot().open).toBe(false)
  })

  it('stays in a view opened in the meantime', async () => {
    const stored = await leave()
    await ready({ init: { stored, pageWallets: [] } })
    const answer = page.request('connect', {})
    await page.until(() => snapshot().open)
    await page.request('open', { view: 'Networks' })
    page.emit('pageWallets', { pageWallets: [metaMask] })
    await answer
    expect(snapshot()).toMatchObject({ open: true, opening: { view: 'Networks' } })
  })

  it('is not connected from a tampered stored value', async () => {
    const stored = await leave()
    await ready({ init: { stored: { ...stored, 'demo/session.eip155': '{"stableId":"io.metamask","accounts":[]}' } } })
    expect(connection()).toBeUndefined()
  })

  it('stores the session in the frame if the browser allows it, and then not in the page', async () => {
    const storage = memoryStorage()
    await connected({ frameStorage: () => storage })
    expect(storage.getItem(`@postern/demo/${origin}/session.eip155`)).toContain(account)
    expect(page.kept.size).toBe(0)
    page.close()
    await ready({ frameStorage: () => storage })
    await page.until(() => connection()?.status === 'connected')
  })
})

describe('straight to one way', () => {
  it('asks the wallet that the dapp names, by rdns, without a choice', async () => {
    await ready()
    const answer = page.request('connect', { wallet: metaMask.rdns })
    await page.until(() => snapshot().connectAttempt !== null)
    expect(snapshot()).toMatchObject({ open: true, opening: { view: 'ConnectingExternal' } })
    expect(await answer).toMatchObject({ status: 'connected', connector: { name: 'MetaMask' } })
  })

  it('lets the user choose if there is no such wallet, and says so in the console', async () => {
    await ready()
    const answer = page.request('connect', { wallet: 'com.none' })
    await expect
      .poll(() => page.warnings)
      .toEqual(['Postern found no wallet "com.none", or several, so the user chooses.'])
    expect(snapshot()).toMatchObject({ open: true, opening: { view: 'Connect' }, connectAttempt: null })
    page.host.actions.close()
    await expect(answer).rejects.toMatchObject({ code: 'USER_REJECTED' })
  })

  it('shows everything if the gateway does not offer the social account or email', async () => {
    await ready()
    for (const way of [{ social: 'google' }, { email: 'a@b.example' }] as const) {
      const answer = page.request('connect', way)
      await page.until(() => snapshot().open)
      expect(snapshot().wantedMethod).toBeNull()
      page.host.actions.close()
      await expect(answer).rejects.toMatchObject({ code: 'USER_REJECTED' })
    }
  })

  it('opens the account of a namespace, or its wallets', async () => {
    await connected({ init: { networks: ['ethereum', 'solana'] } })
    page.host.actions.close()
    await page.request('open', { namespace: 'eip155' })
    expect(snapshot().opening.view).toBe('Account')
    page.host.actions.close()
    await page.request('open', { namespace: 'solana' })
    expect(snapshot()).toMatchObject({ opening: { view: 'Connect' }, wantedNamespace: 'solana' })
  })
})

describe('setOptions', () => {
  it('replaces what is named: the language, the dapp and its features', async () => {
    await ready({ project: project({ features: { swaps: true } }), init: { features: { send: false } } })
    await page.request('setOptions', {
      locale: 'de',
      metadata: { name: 'Renamed' },
      features: { receive: false, swaps: false },
    })
    expect(snapshot()).toMatchObject({
      locale: 'de',
      metadata: { name: 'Renamed' },
      // The project's own settings win.
      features: { send: false, receive: false, history: true, swaps: true },
    })
  })
})

describe('the dapp’s own pictures', () => {
  const picture = 'data:image/png;base64,AA=='

  it('come with the options, change with setOptions, and go with null', async () => {
    await ready({ init: { logo: picture, disclaimer: 'Ours' } })
    expect(snapshot().brand).toMatchObject({ logo: picture, disclaimer: 'Ours' })
    await page.request('setOptions', { avatar: picture })
    expect(snapshot().brand).toMatchObject({ logo: picture, disclaimer: 'Ours', avatar: picture })
    await page.request('setOptions', { avatar: null })
    expect(snapshot().brand).toMatchObject({ logo: picture, avatar: null })
  })

  it('cause no request: anything but a data URI is refused', async () => {
    await ready()
    await expect(page.request('setOptions', { avatar: 'https://tracker.example/1.png' })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    })
    expect(snapshot().brand.avatar).toBeUndefined()
  })
})

describe('autoReconnect: false', () => {
  it('leaves an earlier connection stored, but does not restore it until the user connects', async () => {
    await connected()
    await page.until(() => page.kept.has('demo/session.eip155'))
    const stored = Object.fromEntries(page.kept)
    page.close()
    await ready({ init: { stored, autoReconnect: false } })
    page.emit('pageWallets', { pageWallets: [metaMask] })
    await page.request('ping')
    expect(connection()?.status ?? 'disconnected').toBe('disconnected')
    const answer = page.request('connect', {})
    await page.until(() => snapshot().open)
    page.host.actions.connect(row())
    expect(await answer).toMatchObject({ status: 'connected' })
  })
})

describe('disconnect', () => {
  it('ends the session everywhere: here, in the wallet, in storage and in other tabs', async () => {
    const granting = wallet()
    await connected({ answerWallet: granting })
    await page.request('disconnect', {})
    expect(connection()).toEqual({ status: 'disconnected' })
    expect(granting.asked).toContain('wallet_revokePermissions')
    await page.until(() => !page.kept.has('demo/session.eip155'))
    expect(page.events.filter((event) => event === 'sessionChanged')).toHaveLength(2)
    // Other tabs read what this page has stored, so they come last.
    expect(page.events.slice(-3)).toEqual(['state', 'walletInfo', 'sessionChanged'])
  })

  it('follows another tab without asking the wallet', async () => {
    const granting = wallet()
    await connected({ answerWallet: granting })
    await page.request('peerChanged', { stored: {} })
    expect(connection()).toEqual({ status: 'disconnected' })
    expect(granting.asked).not.toContain('wallet_revokePermissions')
    expect(page.events.filter((event) => event === 'sessionChanged')).toHaveLength(1)
  })

  it('connects when another tab connects', async () => {
    await connected()
    await page.until(() => page.kept.has('demo/session.eip155'))
    const stored = Object.fromEntries(page.kept)
    page.close()
    await ready()
    await page.request('peerChanged', { stored })
    await page.until(() => connection()?.status === 'connected')
  })

  it('keeps a session that another tab connected in its place', async () => {
    const storage = memoryStorage()
    await connected({ frameStorage: () => storage })
    const key = `@postern/demo/${origin}/session.eip155`
    const elsewhere = (storage.getItem(key) ?? '').replace('io.metamask', 'com.other')
    expect(elsewhere).toContain('com.other')
    storage.setItem(key, elsewhere)
    const told = page.events.filter((event) => event === 'sessionChanged').length
    page.emit('walletEvent', { wallet: 'w1', event: 'accountsChanged', data: [] })
    await page.until(() => connection()?.status === 'disconnected')
    await page.request('ping')
    expect(storage.getItem(key)).toBe(elsewhere)
    expect(page.events.filter((event) => event === 'sessionChanged')).toHaveLength(told)
  })

  it('follows changes that another tab makes in the shared frame storage', async () => {
    const storage = memoryStorage()
    await connected({ frameStorage: () => storage })
    const key = `@postern/demo/${origin}/session.eip155`
    storage.removeItem(key)
    page.frame.storageEvent(key)
    expect(connection()).toEqual({ status: 'disconnected' })
  })
})

describe('switchNetwork', () => {
  it('sets and stores the active network while disconnected, also by alias (spec §3)', async () => {
    await ready()
    await page.request('switchNetwork', { network: 'base' })
    expect(snapshot().activeNetworkId).toBe('eip155:8453')
    await page.until(() => page.kept.get('demo/activeNetwork') === '"eip155:8453"')
    const stored = Object.fromEntries(page.kept)
    page.close()
    await ready({ init: { stored } })
    expect(snapshot().activeNetworkId).toBe('eip155:8453')
  })

  it('asks the connected wallet', async () => {
    const granting = wallet()
    await connected({ answerWallet: granting })
    await page.request('switchNetwork', { network: 'eip155:8453' })
    expect(connection()).toMatchObject({ networkId: 'eip155:8453' })
    expect(granting.asked).toContain('wallet_switchEthereumChain')
  })

  it('adds the chain if the wallet does not have it', async () => {
    const granting = wallet({ knows: ['0x1'] })
    await connected({ answerWallet: granting })
    await page.request('switchNetwork', { network: 'base' })
    expect(granting.asked.slice(2)).toEqual([
      'wallet_switchEthereumChain',
      'wallet_addEthereumChain',
      'eth_chainId',
      'wallet_switchEthereumChain',
      'eth_chainId',
    ])
    expect(snapshot().activeNetworkId).toBe('eip155:8453')
  })

  it('rejects with SWITCH_NETWORK_NOT_FOUND for a network that is not configured', async () => {
    await ready()
    await expect(page.request('switchNetwork', { network: 'polygon' })).rejects.toMatchObject({
      code: 'SWITCH_NETWORK_NOT_FOUND',
      rpc: 4902,
      message: 'The network polygon isn’t configured. Add it to networks.',
      data: { network: 'polygon' },
    })
    expect(snapshot().alert).toBeNull()
  })

  it('shows Network Not Found with the name in an open modal (spec §8)', async () => {
    await ready()
    await page.request('open', {})
    await expect(page.request('switchNetwork', { network: 'polygon' })).rejects.toThrow()
    expect(snapshot().alert).toMatchObject({ title: 'Network Not Found', text: expect.stringContaining('polygon') })
  })

  it('shows the outcome', async () => {
    await connected()
    page.setWallet(({ method }) => {
      throw linkError(method === 'wallet_switchEthereumChain' ? 'CHAIN_NOT_ADDED' : 'UNSUPPORTED_METHOD')
    })
    await expect(page.host.actions.switchNetwork('eip155:8453')).rejects.toMatchObject({ code: 'CHAIN_NOT_SUPPORTED' })
    expect(snapshot().switchAttempt).toEqual({
      networkId: 'eip155:8453',
      status: { kind: 'failed', code: 'CHAIN_NOT_SUPPORTED', message: 'Chain is not supported' },
    })
    expect(snapshot().activeNetworkId).toBe('eip155:1')
  })
})

describe('rpc', () => {
  const rpcFetch = (results: Record<string, unknown>): typeof fetch => {
    return async (_url, request) => {
      const { id, method } = JsonRpcRequest.parse(JSON.parse(String(request?.body)))
      return Response.json({ jsonrpc: '2.0', id, result: results[method] })
    }
  }
  const ask = (method: string, more: object = {}) => page.request('rpc', { namespace: 'eip155', method, ...more })

  it('reads from the requested network’s chain, else from the active one’s (spec §7)', async () => {
    const urls: string[] = []
    const answer = rpcFetch({ eth_blockNumber: '0x10' })
    await ready({
      fetch: (url, request) => {
        urls.push(String(url))
        return answer(url, request)
      },
    })
    expect(await ask('eth_blockNumber')).toBe('0x10')
    expect(await ask('eth_blockNumber', { networkId: 'eip155:8453' })).toBe('0x10')
    expect(urls.map((url) => new URL(url).searchParams.get('chainId'))).toEqual(['eip155:1', 'eip155:8453'])
    expect(new URL(urls[0] ?? '').pathname).toBe('/v1/')
  })

  it('answers methods that need no endpoint', async () => {
    await ready()
    expect(await ask('eth_accounts')).toEqual([])
    expect(await ask('eth_chainId')).toBe('0x1')
  })

  it.each([
    ['eth_sign', 'RPC_NOT_ALLOWED'],
    ['debug_traceCall', 'METHOD_NOT_FOUND'],
    ['anvil_setBalance', 'METHOD_NOT_FOUND'],
    ['constructor', 'METHOD_NOT_FOUND'],
    ['personal_sign', 'UNAUTHORIZED'],
    ['eth_sendTransaction', 'UNAUTHORIZED'],
  ])('rejects %s while disconnected: %s', async (method, code) => {
    await ready()
    await expect(ask(method)).rejects.toMatchObject({ code })
  })

  it('rejects a network that is not configured (spec §8)', async () => {
    await ready()
    await expect(ask('eth_blockNumber', { networkId: 'eip155:10' })).rejects.toMatchObject({
      code: 'NETWORK_NOT_FOUND',
    })
    await expect(ask('getBlockHeight', { namespace: 'solana' })).rejects.toMatchObject({ code: 'NO_ACTIVE_NETWORK' })
  })

  it('offers views no wallet while disconnected (spec §8)', async () => {
    await ready()
    const money = await page.host.money()
    await expect(money.request('eip155', 'personal_sign', ['0x68', account])).rejects.toMatchObject({
      code: 'NO_CONNECTION_CLIENT',
    })
  })

  it('sends methods that need approval to the connected wallet', async () => {
    await connected()
    expect(await ask('personal_sign', { params: ['0x68', account] })).toBe('0xsigned')
  })

  it('rejects a request meant for another network than the wallet is on', async () => {
    await connected()
    const params = ['0x68', account]
    expect(await ask('personal_sign', { params, networkId: 'eip155:1' })).toBe('0xsigned')
    await expect(ask('personal_sign', { params, networkId: 'eip155:8453' })).rejects.toMatchObject({
      code: 'CHAIN_DISCONNECTED',
    })
  })

  it('shows the native balance, truncated to three decimals, and caches it for 30 s (spec §9)', async () => {
    let asked = 0
    const answer = rpcFetch({ eth_getBalance: '0x1bc16d674ec7ffff' })
    await connected({
      fetch: (url, request) => {
        asked += 1
        return answer(url, request)
      },
    })
    const balance = { kind: 'ready', formatted: '1.999', symbol: 'ETH' }
    await page.until(() => snapshot().nativeBalance.kind === 'ready')
    expect(snapshot().nativeBalance).toEqual(balance)
    page.emit('walletEvent', { wallet: 'w1', event: 'chainChanged', data: '0x2105' })
    await page.until(() => asked === 2 && snapshot().nativeBalance.kind === 'ready')
    page.emit('walletEvent', { wallet: 'w1', event: 'chainChanged', data: '0x1' })
    await page.until(() => snapshot().activeNetworkId === 'eip155:1')
    expect(snapshot().nativeBalance).toEqual(balance)
    expect(asked).toBe(2)
    page.host.actions.close()
    page.clock.advance(limits.nativeBalanceCache)
    await page.request('open', {})
    await page.until(() => asked === 3)
    page.host.actions.refreshBalance()
    expect(snapshot().nativeBalance).toEqual(balance)
    await page.until(() => asked === 4)
  })

  it('shows 0.00 without a request on test and unconfigured networks (spec §9)', async () => {
    await connected({ init: { networks: ['sepolia'] }, answerWallet: wallet({ chainId: '0xaa36a7' }) })
    expect(snapshot().nativeBalance).toMatchObject({ kind: 'ready', formatted: '0.00', symbol: 'ETH' })
    page.emit('walletEvent', { wallet: 'w1', event: 'chainChanged', data: '0x539' })
    await page.until(() => snapshot().activeNetworkId === 'eip155:1337')
    expect(snapshot().nativeBalance).toEqual({ kind: 'ready', formatted: '0.00', symbol: '' })
  })

  it('reports a balance that failed to load', async () => {
    await connected()
    await page.until(() => snapshot().nativeBalance.kind === 'failed')
  })

  it('diagnoses problems, one line per check', async () => {
    await ready({ fetch: rpcFetch({ eth_chainId: '0x1' }) })
    expect(await page.request('diagnose')).toEqual([
      { check: 'Storage of the frame', ok: false, detail: expect.stringContaining('the page keeps') },
      { check: 'Gateway', ok: false, detail: expect.any(String) },
      { check: 'Network Ethereum', ok: true, detail: expect.any(String) },
    ])
  })
})

describe('the wallet list', () => {
  it('fetches wallets that the dapp features and the page lacks, once', async () => {
    const urls: URL[] = []
    const featured = { id: 'id-z', name: 'Zerion', rdns: 'io.zerion', chains: ['eip155:1'] }
    await ready({
      fetch: async (url) => {
        urls.push(new URL(String(url)))
        return Response.json({ data: [featured], count: 1 })
      },
      init: { featuredWallets: ['io.zerion'] },
    })
    await page.until(() => snapshot().wallets.some(({ group, name }) => group === 'featured' && name === 'Zerion'))
    expect(urls.map(({ pathname, searchParams }) => `${pathname} ${searchParams.get('include')}`)).toEqual([
      '/getWallets io.zerion',
    ])
  })

  it('finds wallets by their explorer ids, of the page too', async () => {
    const [zerion, first, other] = ['1'.repeat(64), '2'.repeat(64), '3'.repeat(64)]
    const include = [zerion, first, other]
    const entries = [
      { id: 'id-z', name: 'Zerion', rdns: 'io.zerion', chains: ['eip155:1'], explorer_ids: ['4'.repeat(64), zerion] },
      { id: 'id-m', name: 'MetaMask', rdns: 'io.metamask', chains: ['eip155:1'], explorer_ids: [first] },
    ]
    let asked: URL | undefined
    await ready({
      fetch: async (url) => {
        asked = new URL(String(url))
        return Response.json({ data: entries, count: 2 })
      },
      init: {
        pageWallets: [metaMask, { ...metaMask, id: 'w2', name: 'Other', rdns: 'com.other' }],
        includeWallets: include,
        featuredWallets: [zerion],
      },
    })
    await page.until(() => snapshot().wallets.length === 2)
    expect(snapshot().wallets.map(({ group, name }) => `${group}:${name}`)).toEqual([
      'injected:MetaMask',
      'featured:Zerion',
    ])
    expect(asked?.searchParams.get('include')?.split(',').sort()).toEqual(include)
    expect(snapshot().directoryCount, 'of All wallets: no wallet has the third id').toBe(2)
    expect(page.warnings).toEqual([])
  })

  it('hides a wallet of the page by its explorer id', async () => {
    const excluded = '5'.repeat(64)
    const entry = { id: 'id-o', name: 'Other', rdns: 'com.other', chains: ['eip155:1'], explorer_ids: [excluded] }
    await ready({
      fetch: async () => Response.json({ data: [entry], count: 1 }),
      init: {
        pageWallets: [metaMask, { ...metaMask, id: 'w2', name: 'Other', rdns: 'com.other' }],
        excludeWallets: [excluded],
      },
    })
    await page.until(() => snapshot().wallets.length === 1)
    expect(snapshot().wallets.map(({ name }) => name)).toEqual(['MetaMask'])
  })

  it('warns of an include list that matches no wallet, and shows every wallet until one of the list comes', async () => {
    let count = 0
    const urls: URL[] = []
    await ready({
      fetch: async (url) => {
        urls.push(new URL(String(url)))
        return Response.json({ data: [], count })
      },
      init: { pageWallets: [metaMask], includeWallets: ['com.none', 'com.later'] },
    })
    await page.until(() => snapshot().wallets.some(({ name }) => name === 'MetaMask'))
    count = 7
    expect(await page.host.directory.wallets({})).toEqual({ wallets: [], count: 7 })
    expect(urls.map(({ searchParams }) => searchParams.get('include'))).toEqual(['com.none,com.later', null])
    expect(snapshot().directoryCount, 'of All wallets').toBe(0)

    page.emit('pageWallets', {
      pageWallets: [metaMask, { ...metaMask, id: 'w2', name: 'Later', rdns: 'com.later' }],
    })
    await page.until(() => snapshot().wallets.some(({ name }) => name === 'Later'))
    expect(snapshot().wallets.map(({ name }) => name)).toEqual(['Later'])
    expect(page.warnings).toEqual(['`includeWallets` names no known wallet: all are shown.'])
  })

  it('keeps an include list while the directory does not answer', async () => {
    await ready({
      fetch: async () => Response.json({}, { status: 500 }),
      init: { pageWallets: [metaMask], includeWallets: ['com.none'] },
    })
    await expect(page.host.directory.wallets({})).rejects.toThrow()
    expect(snapshot().wallets).toEqual([])
    expect(page.warnings).toEqual([])
  })

  it('shows a recent wallet first', async () => {
    await connected({ init: { pageWallets: [{ ...metaMask, id: 'w0', name: 'Other', rdns: 'com.other' }, metaMask] } })
    expect(snapshot().wallets.map(({ group, name }) => `${group}:${name}`)).toEqual([
      'recent:MetaMask',
      'injected:Other',
    ])
  })

  it('gives AllWallets the directory with the dapp’s filters', async () => {
    let asked: URL | undefined
    await ready({
      fetch: async (url) => {
        asked = new URL(String(url))
        return Response.json({ data: [], count: 7 })
      },
      init: { excludeWallets: ['id-x'] },
    })
    expect(await page.host.directory.wallets({ page: 2 })).toEqual({ wallets: [], count: 7 })
    expect(asked?.searchParams.get('exclude')).toBe('id-x')
    expect(asked?.searchParams.get('chains')).toBe('eip155:1,eip155:8453')
  })
})

describe('open and close', () => {
  it('shows Account when connected, Connect when not, or the requested view', async () => {
    await ready()
    await page.request('open', {})
    expect(snapshot().opening.view).toBe('Connect')
    await page.request('close')
    await page.request('open', { view: 'Networks' })
    expect(snapshot().opening.view).toBe('Networks')
    await page.request('close')
    page.close()
    await connected()
    await page.request('open', {})
    expect(snapshot().opening.view).toBe('Account')
  })

  it('publishes each change once, with an increasing sequence number', async () => {
    await connected()
    page.host.actions.close()
    await page.request('ping')
    const numbers = page.states.map(({ seq }) => seq)
    expect(numbers).toEqual([...new Set(numbers)].sort((left, right) => left - right))
    expect(page.states.at(-1)?.open).toBe(false)
  })

  it('follows the theme and the page’s color scheme', async () => {
    await ready({ init: { colorScheme: 'dark' } })
    expect(snapshot().themeMode).toBe('dark')
    await page.request('setTheme', { theme: { mode: 'light', accent: '#f0f' }, colorScheme: 'dark' })
    expect(snapshot()).toMatchObject({ themeMode: 'light', theme: { accent: '#f0f' } })
    expect(page.states.at(-1)?.themeMode).toBe('light')
  })

  it('has the project’s look where the dapp’s theme says nothing', async () => {
    const look = { accent: '#3344ff', radius: 0.5 }
    await ready({ project: project({ look }), init: { theme: { radius: 2 } } })
    expect(snapshot().theme).toEqual({ accent: '#3344ff', radius: 2 })
    await page.request('setTheme', { theme: { mode: 'dark' }, colorScheme: 'light' })
    expect(snapshot().theme).toEqual({ ...look, mode: 'dark' })
  })
})

describe('after the end', () => {
  it('leaves no listener or timer, and settles pending requests', async () => {
    await ready({ answerWallet: () => new Promise(() => {}) })
    page.host.actions.connect(row())
    page.stop()
    expect(page.frame.listenerCount()).toBe(0)
    expect(page.clock.pending()).toBe(0)
    expect(snapshot().open).toBe(false)
  })
})
