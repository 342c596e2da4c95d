import { JsonRpcRequest, limits, linkError, type WalletEntry } from '@postern/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { successHold } from '../connections/connect-attempt'
import { announcementWait } from '../connections/sessions'
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

/** Connected, and at another wallet, whose owner says yes when the test does. */
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
  it('answers init with its state, and shows the wallets of the page at once', async () => {
    page = testPage()
    page.hello()
    const state = await page.request('init', init())
    expect(state).toMatchObject({ open: false, activeNetworkId: 'eip155:1', connections: {} })
    expect(snapshot()).toMatchObject({ ready: true, wallets: [{ id: 'io.metamask', group: 'injected' }] })
  })

  it('keeps one promise of what features stand on, so that a view which waits for it does so once', async () => {
    page = testPage()
    await expect(page.host.money()).rejects.toMatchObject({ code: 'LINK_CLOSED' })
    page.hello()
    await page.request('init', init())
    expect(page.host.money()).toBe(page.host.money())
    expect(await page.host.money()).toBe(await page.host.money())
  })

  it('says on the page that nobody embeds it when it is opened by itself', async () => {
    page = testPage({ isTopLevel: true })
    page.hello()
    expect(snapshot().topLevel).toBe(true)
    expect(page.frame.listenerCount()).toBe(0)
  })

  it('shows an alert, and takes nobody in, when the page carries no project', () => {
    page = testPage({ project: null })
    page.hello()
    expect(snapshot().alert).toMatchObject({ code: 'PROJECT_ID_NOT_CONFIGURED', title: 'Project ID Not Configured' })
    expect(page.frame.posted).toEqual([])
  })

  it('refuses a page that names another project', async () => {
    page = testPage()
    page.hello()
    await expect(page.request('init', init({ projectId: 'other' }))).rejects.toMatchObject({
      code: 'INVALID_PROJECT_ID',
    })
    await expect(page.request('ping', {})).rejects.toMatchObject({ code: 'CLIENTS_NOT_SET' })
  })

  it('goes on without a network that nobody knows, and says so', async () => {
    await ready({ init: { networks: ['base', 'atlantis'] } })
    expect(snapshot().networks.map(({ name }) => name)).toEqual(['Base'])
    expect(snapshot().alert).toMatchObject({ title: 'Network Not Found', text: expect.stringContaining('atlantis') })
  })
})

describe('connect', () => {
  it('opens Connect, asks the wallet chosen there, and settles with the account', async () => {
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

  it('leaves a modal alone that the page opened anew while the success was seen', async () => {
    await connected()
    await attemptIs('connected')
    await page.request('open', { view: 'Account' })
    page.clock.advance(successHold)
    expect(snapshot()).toMatchObject({ open: true, opening: { view: 'Account' }, connectAttempt: null })
  })

  it('closes the modal once the success was seen', async () => {
    await connected()
    await attemptIs('connected')
    expect(snapshot().open).toBe(true)
    page.clock.advance(successHold)
    expect(snapshot().open).toBe(false)
  })

  it('is USER_REJECTED when the visitor closes the modal', async () => {
    await ready()
    const answer = page.request('connect', {})
    await page.until(() => snapshot().open)
    page.emit('dismiss')
    await expect(answer).rejects.toMatchObject({ code: 'USER_REJECTED', rpc: 4001 })
    expect(snapshot().open).toBe(false)
  })

  it('is answered at once when connected already', async () => {
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

  it('shows a refusal, and asks again only after a second', async () => {
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

  it('waits for a wallet that already shows a request, and connects when the visitor answered there', async () => {
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

  it('treats a locked wallet, which answers with no account, alike', async () => {
    await ready({ answerWallet: wallet({ accounts: [] }) })
    page.host.actions.connect(row())
    await attemptIs('pendingInWallet')
  })

  it('fails when the wallet vanishes from the page', async () => {
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

  it('ignores a wallet whose answer is no address', async () => {
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

  it('goes on with the wallet that is being asked when the connected one vanishes', async () => {
    const { second, grant } = await askingAnother()
    page.emit('pageWallets', { pageWallets: [second] })
    await page.until(() => connection()?.status === 'connecting')
    grant()
    await page.until(() => connection()?.status === 'connected')
    expect(connection()).toMatchObject({ connector: { name: 'Other' }, accounts: [{ address: otherAccount }] })
  })

  it('goes on with the wallet that is being asked when another tab ends the connected one', async () => {
    const { grant } = await askingAnother()
    await attemptIs('waiting')
    await page.request('peerChanged', { stored: {} })
    expect(connection()?.status).toBe('connecting')
    grant()
    await attemptIs('connected')
    expect(connection()).toMatchObject({ connector: { name: 'Other' }, accounts: [{ address: otherAccount }] })
  })

  it('stays open for whoever waits still when one of two questions of the page is called off', async () => {
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

  it('leaves a visitor who is choosing where they are when the page asks again', async () => {
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

  it('opens UnsupportedChain after connecting on a network that the dapp does not know', async () => {
    await connected({ answerWallet: wallet({ chainId: '0x539' }) })
    expect(connection()).toMatchObject({ networkId: 'eip155:1337', unsupported: true })
    await attemptIs('connected')
    page.clock.advance(successHold)
    expect(snapshot()).toMatchObject({ open: true, opening: { view: 'UnsupportedChain' } })
  })
})

describe('a wallet that changes by itself', () => {
  it('changes the account', async () => {
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

  it('changes the network', async () => {
    await connected()
    page.emit('walletEvent', { wallet: 'w1', event: 'chainChanged', data: '0x2105' })
    await page.until(() => snapshot().activeNetworkId === 'eip155:8453')
  })

  it('opens UnsupportedChain when it goes where the dapp is not, and closes it when it comes back', async () => {
    await connected()
    page.host.actions.close()
    page.emit('walletEvent', { wallet: 'w1', event: 'chainChanged', data: '0x539' })
    await page.until(() => snapshot().open && snapshot().opening.view === 'UnsupportedChain')
    page.emit('walletEvent', { wallet: 'w1', event: 'chainChanged', data: '0x1' })
    await page.until(() => !snapshot().open)
    expect(connection()).not.toHaveProperty('unsupported')
  })

  it('ends the session with its last account, and forgets it', async () => {
    await connected()
    expect([...page.kept.keys()]).toContain('demo/session.eip155')
    page.emit('walletEvent', { wallet: 'w1', event: 'accountsChanged', data: [] })
    await page.until(() => connection()?.status === 'disconnected' && !page.kept.has('demo/session.eip155'))
  })

  it('has written down what a page is told of a connection, so that a reload at that moment finds it', async () => {
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

  it('keeps the session over a disconnect event while the accounts are still granted, and ends it when they are not', async () => {
    await connected()
    page.emit('walletEvent', { wallet: 'w1', event: 'disconnect', data: { code: 1013 } })
    await page.until(() => connection()?.status === 'reconnecting')
    await page.until(() => connection()?.status === 'connected')
    page.setWallet(wallet({ accounts: [] }))
    page.emit('walletEvent', { wallet: 'w1', event: 'disconnect' })
    await page.until(() => connection()?.status === 'disconnected')
  })

  it('ignores events of other wallets, and nonsense', async () => {
    await connected()
    const before = page.states.length
    page.emit('walletEvent', { wallet: 'w2', event: 'accountsChanged', data: [] })
    page.emit('walletEvent', { wallet: 'w1', event: 'chainChanged', data: 'mainnet' })
    page.emit('walletEvent', { wallet: 'w1', event: 'accountsChanged', data: { length: 0 } })
    page.emit('walletEvent', { wallet: 'w1', event: 'selfDestruct', data: [] })
    await page.request('ping')
    expect(page.states).toHaveLength(before)
  })

  it('is looked for when it vanishes, found when it comes back, and given up after a while', async () => {
    await connected()
    page.emit('pageWallets', { pageWallets: [] })
    await page.until(() => connection()?.status === 'reconnecting')
    page.emit('pageWallets', { pageWallets: [{ ...metaMask, id: 'w9' }] })
    await page.until(() => connection()?.status === 'connected')
    expect(connection()).toMatchObject({ connector: { pageWallet: 'w9' } })
    page.emit('pageWallets', { pageWallets: [] })
    await page.until(() => connection()?.status === 'reconnecting')
    page.clock.advance(announcementWait)
    await page.until(() => connection()?.status === 'disconnected')
  })
})

describe('a returning visitor', () => {
  async function leave(): Promise<Record<string, string>> {
    await connected()
    await page.until(() => page.kept.has('demo/session.eip155'))
    const stored = Object.fromEntries(page.kept)
    page.close()
    return stored
  }

  it('is connecting with a known account until the wallet confirms, and is asked nothing', async () => {
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

  it('is disconnected when the wallet grants nothing, tells no other tab so, and is connected once it grants again', async () => {
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

  it('is not connected again by its wallet after the visitor disconnected', async () => {
    await connected()
    await page.request('disconnect', {})
    page.emit('walletEvent', { wallet: 'w1', event: 'accountsChanged', data: [account] })
    await page.request('ping')
    expect(connection()).toEqual({ status: 'disconnected' })
  })

  it('is found again when the wallet announces itself late', async () => {
    const stored = await leave()
    await ready({ init: { stored, pageWallets: [] } })
    expect(connection()?.status).toBe('connecting')
    page.emit('pageWallets', { pageWallets: [metaMask] })
    await page.until(() => connection()?.status === 'connected')
  })

  it('is disconnected when the wallet stays away, and connected after all when it comes', async () => {
    const stored = await leave()
    await ready({ init: { stored, pageWallets: [] } })
    page.clock.advance(announcementWait)
    await page.until(() => connection()?.status === 'disconnected')
    page.emit('pageWallets', { pageWallets: [metaMask] })
    await page.until(() => connection()?.status === 'connected')
  })

  it('sees Connect close when the session is found that connect was waiting for', async () => {
    const stored = await leave()
    await ready({ init: { stored, pageWallets: [] } })
    const answers = [page.request('connect', {}), page.request('connect', { namespace: 'eip155' })]
    await page.until(() => snapshot().open)
    await page.request('ping')
    page.emit('pageWallets', { pageWallets: [metaMask] })
    expect(await Promise.all(answers)).toMatchObject([{ status: 'connected' }, { status: 'connected' }])
    expect(snapshot().open).toBe(false)
  })

  it('stays in the view that was opened since', async () => {
    const stored = await leave()
    await ready({ init: { stored, pageWallets: [] } })
    const answer = page.request('connect', {})
    await page.until(() => snapshot().open)
    await page.request('open', { view: 'Networks' })
    page.emit('pageWallets', { pageWallets: [metaMask] })
    await answer
    expect(snapshot()).toMatchObject({ open: true, opening: { view: 'Networks' } })
  })

  it('is not connected by a stored value that was tampered with', async () => {
    const stored = await leave()
    await ready({ init: { stored: { ...stored, 'demo/session.eip155': '{"stableId":"io.metamask","accounts":[]}' } } })
    expect(connection()).toBeUndefined()
  })

  it('keeps the session in the frame where the browser lets it, and then bothers the page with nothing', async () => {
    const storage = memoryStorage()
    await connected({ frameStorage: () => storage })
    expect(storage.getItem(`@postern/demo/${origin}/session.eip155`)).toContain(account)
    expect(page.kept.size).toBe(0)
    page.close()
    await ready({ frameStorage: () => storage })
    await page.until(() => connection()?.status === 'connected')
  })
})

describe('disconnect', () => {
  it('ends the session everywhere: here, in the wallet, in storage and for other tabs', async () => {
    const granting = wallet()
    await connected({ answerWallet: granting })
    await page.request('disconnect', {})
    expect(connection()).toEqual({ status: 'disconnected' })
    expect(granting.asked).toContain('wallet_revokePermissions')
    await page.until(() => !page.kept.has('demo/session.eip155'))
    expect(page.events.filter((event) => event === 'sessionChanged')).toHaveLength(2)
    // Other tabs are told only once this page knows: they read what it has written down.
    expect(page.events.slice(-2)).toEqual(['state', 'sessionChanged'])
  })

  it('follows another tab without asking the wallet', async () => {
    const granting = wallet()
    await connected({ answerWallet: granting })
    await page.request('peerChanged', { stored: {} })
    expect(connection()).toEqual({ status: 'disconnected' })
    expect(granting.asked).not.toContain('wallet_revokePermissions')
    expect(page.events.filter((event) => event === 'sessionChanged')).toHaveLength(1)
  })

  it('connects with another tab', async () => {
    await connected()
    await page.until(() => page.kept.has('demo/session.eip155'))
    const stored = Object.fromEntries(page.kept)
    page.close()
    await ready()
    await page.request('peerChanged', { stored })
    await page.until(() => connection()?.status === 'connected')
  })

  it('ends without a word about what another tab connected in its place', async () => {
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

  it('follows what another tab wrote into the storage that their frames share', async () => {
    const storage = memoryStorage()
    await connected({ frameStorage: () => storage })
    const key = `@postern/demo/${origin}/session.eip155`
    storage.removeItem(key)
    page.frame.storageEvent(key)
    expect(connection()).toEqual({ status: 'disconnected' })
  })
})

describe('switchNetwork', () => {
  it('sets the active network while nobody is connected, by alias too, and keeps it', async () => {
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

  it('adds the chain where the wallet lacks it', async () => {
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

  it('is SWITCH_NETWORK_NOT_FOUND for a network that is not configured', async () => {
    await ready()
    await expect(page.request('switchNetwork', { network: 'polygon' })).rejects.toMatchObject({
      code: 'SWITCH_NETWORK_NOT_FOUND',
    })
  })

  it('shows what became of it', async () => {
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

  it('reads the chain of the network asked for, else of the active one', async () => {
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

  it('answers what needs no endpoint', async () => {
    await ready()
    expect(await ask('eth_accounts')).toEqual([])
    expect(await ask('eth_chainId')).toBe('0x1')
  })

  it.each([
    ['eth_sign', 'RPC_NOT_ALLOWED'],
    ['debug_traceCall', 'RPC_NOT_ALLOWED'],
    ['anvil_setBalance', 'RPC_NOT_ALLOWED'],
    ['constructor', 'RPC_NOT_ALLOWED'],
    ['personal_sign', 'UNAUTHORIZED'],
    ['eth_sendTransaction', 'UNAUTHORIZED'],
  ])('says to %s, while nobody is connected, %s', async (method, code) => {
    await ready()
    await expect(ask(method)).rejects.toMatchObject({ code })
  })

  it('refuses a network that is not configured', async () => {
    await ready()
    await expect(ask('eth_blockNumber', { networkId: 'eip155:10' })).rejects.toMatchObject({
      code: 'NETWORK_NOT_FOUND',
    })
    await expect(ask('getBlockHeight', { namespace: 'solana' })).rejects.toMatchObject({ code: 'NO_ACTIVE_NETWORK' })
  })

  it('knows no wallet that a view could ask while nobody is connected', async () => {
    await ready()
    const money = await page.host.money()
    await expect(money.request('eip155', 'personal_sign', ['0x68', account])).rejects.toMatchObject({
      code: 'NO_CONNECTION_CLIENT',
    })
  })

  it('gives what needs approval to the connected wallet', async () => {
    await connected()
    expect(await ask('personal_sign', { params: ['0x68', account] })).toBe('0xsigned')
  })

  it('gives the wallet nothing that was meant for another network than it is on', async () => {
    await connected()
    const params = ['0x68', account]
    expect(await ask('personal_sign', { params, networkId: 'eip155:1' })).toBe('0xsigned')
    await expect(ask('personal_sign', { params, networkId: 'eip155:8453' })).rejects.toMatchObject({
      code: 'CHAIN_DISCONNECTED',
    })
  })

  it('shows the native balance, cut to three decimals, and keeps it for half a minute', async () => {
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

  it('shows 0.00 on a test network and on one that is not configured, and asks nobody', async () => {
    await connected({ init: { networks: ['sepolia'] }, answerWallet: wallet({ chainId: '0xaa36a7' }) })
    expect(snapshot().nativeBalance).toMatchObject({ kind: 'ready', formatted: '0.00', symbol: 'ETH' })
    page.emit('walletEvent', { wallet: 'w1', event: 'chainChanged', data: '0x539' })
    await page.until(() => snapshot().activeNetworkId === 'eip155:1337')
    expect(snapshot().nativeBalance).toEqual({ kind: 'ready', formatted: '0.00', symbol: '' })
  })

  it('says that a balance could not be had', async () => {
    await connected()
    await page.until(() => snapshot().nativeBalance.kind === 'failed')
  })

  it('finds what is wrong, one line a check', async () => {
    await ready({ fetch: rpcFetch({ eth_chainId: '0x1' }) })
    expect(await page.request('diagnose')).toEqual([
      { check: 'Storage of the frame', ok: false, detail: expect.stringContaining('the page keeps') },
      { check: 'Gateway', ok: false, detail: expect.any(String) },
      { check: 'Network Ethereum', ok: true, detail: expect.any(String) },
    ])
  })
})

describe('the wallet list', () => {
  it('asks the directory once for wallets that the dapp features and the page lacks', async () => {
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

  it('shows a wallet of the past first', async () => {
    await connected({ init: { pageWallets: [{ ...metaMask, id: 'w0', name: 'Other', rdns: 'com.other' }, metaMask] } })
    expect(snapshot().wallets.map(({ group, name }) => `${group}:${name}`)).toEqual([
      'recent:MetaMask',
      'injected:Other',
    ])
  })

  it('gives AllWallets the directory, limited as the dapp asked', async () => {
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
  it('shows Account when connected, Connect when not, and what was asked for by name', async () => {
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

  it('publishes each change once, with a growing number', async () => {
    await connected()
    page.host.actions.close()
    await page.request('ping')
    const numbers = page.states.map(({ seq }) => seq)
    expect(numbers).toEqual([...new Set(numbers)].sort((left, right) => left - right))
    expect(page.states.at(-1)?.open).toBe(false)
  })

  it('follows the theme and the page scheme', async () => {
    await ready({ init: { colorScheme: 'dark' } })
    expect(snapshot().themeMode).toBe('dark')
    await page.request('setTheme', { theme: { mode: 'light', accent: '#f0f' }, colorScheme: 'dark' })
    expect(snapshot()).toMatchObject({ themeMode: 'light', theme: { accent: '#f0f' } })
    expect(page.states.at(-1)?.themeMode).toBe('light')
  })
})

describe('after the end', () => {
  it('leaves no listener and no timer, and settles what was open', async () => {
    await ready({ answerWallet: () => new Promise(() => {}) })
    page.host.actions.connect(row())
    page.stop()
    expect(page.frame.listenerCount()).toBe(0)
    expect(page.clock.pending()).toBe(0)
    expect(snapshot().open).toBe(false)
  })
})
