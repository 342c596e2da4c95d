import { JsonRpcRequest, limits, type WalletEntry } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { afterEach, describe, expect, it } from 'vitest'
import type { MultiConnector } from '../../connectors/connector'
import type { WalletConnectOptions } from '../../connectors/walletconnect/options'
import type { WalletRow } from '../../snapshot/contract'
import { remoteAccounts, testMulti } from '../../testing/test-multi'
import { origin, project, readyPage, type TestPage } from '../../testing/test-page'
import { successHoldMs } from './connect-attempt'

const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const bitcoin = 'bip122:000000000019d6689c085ae165831e93'
const relay = { relayUrl: 'ws://127.0.0.1:8550', projectId: 'relay-project' }
const fox: WalletEntry = {
  id: 'fox',
  name: 'Fox',
  chains: ['eip155:1', solana],
  mobile_link: 'fox:',
  desktop_link: 'https://desktop.fox.example',
  webapp_link: 'https://app.fox.example/connect',
}
const uri = 'wc:abc@2?relay-protocol=irn&symKey=00'

let page: TestPage
let multi = testMulti()

const snapshot = () => page.host.store.getState()
const attempt = () => snapshot().connectAttempt
const row = (id: string): WalletRow => {
  const found = snapshot().wallets.find((candidate) => candidate.id === id)
  if (found === undefined) throw new Error(`No row ${id}`)
  return found
}
const attemptIs = (kind: string) => page.until(() => attempt()?.status.kind === kind)
const statuses = () =>
  Object.fromEntries(Object.entries(snapshot().connections).map(([name, one]) => [name, one?.status]))

async function ready(options: Parameters<typeof readyPage>[0] & { held?: ReturnType<typeof testMulti>['held'] } = {}) {
  multi = testMulti(options.held)
  page = await readyPage({
    project: project({ walletConnect: relay, wallets: [fox], walletCount: 1 }),
    createWalletConnect: multi.create,
    ...options,
    init: { networks: ['ethereum', solana, bitcoin], pageWallets: [], ...options.init },
  })
}

async function eventually<T>(condition: () => T | undefined | false): Promise<T> {
  for (;;) {
    const value = condition()
    if (value !== undefined && value !== false) return value
    await page.request('ping')
  }
}

async function asked() {
  return eventually(() => multi.asked.at(-1))
}

async function connected(...namespaces: ('eip155' | 'solana' | 'bip122')[]) {
  await ready()
  page.host.actions.connect(row('walletConnect'))
  await attemptIs('waiting')
  const one = await asked()
  one.approve('t1', ...(namespaces.length > 0 ? namespaces : (['eip155', 'solana', 'bip122'] as const)))
  await attemptIs('connected')
}

afterEach(() => page.close())

describe('connecting by WalletConnect', () => {
  it('tells the session holder how the page signs in', async () => {
    await ready({ init: { signIn: 'siwx' } })
    page.host.actions.connect(row('walletConnect'))
    await asked()
    expect(multi.options()?.page?.init.signIn).toBe('siwx')
  })

  it('shows a pairing being prepared, then its code, and connects every granted namespace', async () => {
    await ready()
    const answer = page.request('connect', {})
    await page.until(() => snapshot().open)
    page.host.actions.connect(row('walletConnect'))
    await attemptIs('waiting')
    expect(attempt()).toMatchObject({ via: 'walletConnect', pairing: { kind: 'preparing' } })
    const one = await asked()
    expect(one.namespaces).toEqual(['eip155', 'solana', 'bip122'])
    one.pairing(uri)
    expect(attempt()?.pairing).toEqual({ kind: 'ready', uri, expiresAt: 240_000 })
    one.approve('t1', 'solana', 'eip155')
    await expect(answer).resolves.toMatchObject({ status: 'connected', connector: { type: 'WALLET_CONNECT' } })
    expect(statuses()).toEqual({ eip155: 'connected', solana: 'connected' })
    // Stays active, though the wallet listed Solana first.
    expect(snapshot().activeNetworkId).toBe('eip155:1')
    await attemptIs('connected')
    page.clock.advance(successHoldMs)
    expect(snapshot().open).toBe(false)
  })

  it('identifies the dapp to the wallet by its browser-reported origin, and passes what it needs', async () => {
    await ready({ init: { metadata: { name: 'Dapp', url: 'https://another.example' } } })
    page.host.actions.connect(row('walletConnect'))
    await asked()
    expect(multi.options()?.metadata).toEqual({ name: 'Dapp', description: '', url: origin, icons: [] })
    expect(multi.options()?.relay).toEqual(relay)
    expect(multi.options()?.preferredNetwork('solana')).toBe(solana)
    expect(multi.options()?.preferredNetwork('bip122')).toBe(bitcoin)
  })

  it('requests only the wanted namespace, and makes it active', async () => {
    await ready()
    const answer = page.request('connect', { namespace: 'solana' })
    await page.until(() => snapshot().wantedNamespace === 'solana')
    page.host.actions.connect(row('walletConnect'))
    const one = await asked()
    expect(one.namespaces).toEqual(['solana'])
    one.approve('t1', 'solana')
    await expect(answer).resolves.toMatchObject({ accounts: [{ address: remoteAccounts.solana }] })
    expect(snapshot().activeNetworkId).toBe(solana)
    page.host.actions.close()
    expect(snapshot().wantedNamespace).toBeNull()
  })

  it.each([
    ['USER_REJECTED', { kind: 'declined' }],
    ['TIMEOUT', { kind: 'expired' }],
    ['LINK_CLOSED', { kind: 'failed', code: 'LINK_CLOSED' }],
  ] as const)('shows an attempt that ends with %s, and allows a retry after a second', async (code, status) => {
    await ready()
    page.host.actions.connect(row('walletConnect'))
    const one = await asked()
    one.reject(new Failure(code))
    await attemptIs(status.kind)
    expect(attempt()?.status).toMatchObject(status)
    expect(attempt()).not.toHaveProperty('pairing')
    page.host.actions.retryConnect()
    expect(attempt()?.status.kind).toBe(status.kind)
    page.clock.advance(limits.connectRetryDelay)
    page.host.actions.retryConnect()
    await attemptIs('waiting')
    await eventually(() => multi.asked.length === 2)
  })

  it('opens Invalid App Configuration if the relay refuses the project (spec §8)', async () => {
    await ready()
    page.host.actions.connect(row('walletConnect'))
    const { reject } = await asked()
    reject(new Failure('INVALID_PROJECT_ID'))
    await attemptIs('failed')
    expect(snapshot().alert).toMatchObject({ code: 'INVALID_PROJECT_ID', title: 'Invalid App Configuration' })
  })

  it('reports code that failed to load', async () => {
    await ready({ createWalletConnect: () => Promise.reject(new Error('offline')) })
    page.host.actions.connect(row('walletConnect'))
    await attemptIs('failed')
  })

  it('is not offered without a relay, or if the dapp disables it', async () => {
    await ready({ project: project({ wallets: [fox], walletCount: 1 }) })
    expect(snapshot().wallets).toMatchObject([{ id: 'fox' }])
    expect(row('fox')).not.toHaveProperty('walletConnect')
    page.host.actions.connect(row('fox'))
    await attemptIs('notInstalled')
    page.host.actions.preparePairing()
    page.close()
    await ready({ init: { walletConnect: false } })
    expect(snapshot().wallets).toMatchObject([{ id: 'fox' }])
  })

  it('leaves nothing behind when the user cancels', async () => {
    await ready()
    page.host.actions.connect(row('walletConnect'))
    const one = await asked()
    page.host.actions.cancelConnect()
    expect(one.signal.aborted).toBe(true)
    expect(attempt()).toBeNull()
    one.pairing(uri)
    expect(attempt()).toBeNull()
  })

  it('prepares a pairing ahead of time', async () => {
    await ready()
    page.host.actions.preparePairing()
    await page.request('ping')
    expect(multi.prepared()).toBe(1)
  })

  it('shows the relay’s state', async () => {
    await ready()
    page.host.actions.preparePairing()
    await page.request('ping')
    multi.setRelay('lost')
    expect(snapshot().relay).toBe('lost')
    page.stop()
    expect(multi.ended()).toBe(1)
    expect(multi.relayListeners()).toBe(0)
  })

  it('opens the QR code view by name, and Connect if it is not offered', async () => {
    await ready()
    await page.request('open', { view: 'ConnectingWalletConnectBasic' })
    expect(snapshot().opening.view).toBe('ConnectingWalletConnectBasic')
    await asked()
    page.close()
    await ready({ init: { walletConnect: false } })
    await page.request('open', { view: 'ConnectingWalletConnectBasic' })
    expect(snapshot().opening.view).toBe('Connect')
  })
})

describe('a wallet’s links', () => {
  const encoded = encodeURIComponent(uri)

  it.each([
    ['mobile', `fox://wc?uri=${encoded}`, 'app'],
    ['desktop', `https://desktop.fox.example/wc?uri=${encoded}`, 'tab'],
    ['webapp', `https://app.fox.example/connect/wc?uri=${encoded}`, 'tab'],
  ] as const)('%s is opened by the page, with the pairing in it', async (kind, url, target) => {
    await ready()
    page.host.actions.connect(row('fox'))
    const one = await asked()
    one.pairing(uri)
    page.host.actions.openWalletLink(kind)
    await page.until(() => page.opened.length > 0)
    expect(page.opened).toEqual([{ url, target }])
  })

  it('opens once per click, when the pairing is ready', async () => {
    await ready()
    page.host.actions.connect(row('fox'))
    const one = await asked()
    page.host.actions.openWalletLink('mobile')
    expect(page.opened).toEqual([])
    one.pairing(uri)
    one.pairing(uri)
    await page.until(() => page.opened.length > 0)
    await page.request('ping')
    expect(page.opened).toHaveLength(1)
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'intent://x',
    'https://user@fox.example',
    'http://fox.example',
    '',
  ])('is not opened if it is %j', async (mobile_link) => {
    await ready({ project: project({ walletConnect: relay, wallets: [{ ...fox, mobile_link }], walletCount: 1 }) })
    page.host.actions.connect(row('fox'))
    const one = await asked()
    one.pairing(uri)
    page.host.actions.openWalletLink('mobile')
    await page.request('ping')
    expect(page.opened).toEqual([])
  })

  it('expires the attempt if the wallet let its pairing lapse', async () => {
    await ready()
    page.host.actions.connect(row('fox'))
    const one = await asked()
    one.pairing(uri)
    page.host.actions.openWalletLink('mobile')
    one.pairing('wc:next@2')
    expect(attempt()?.status.kind).toBe('expired')
    expect(one.signal.aborted).toBe(true)
  })

  it('reopens the wallet to sign if it was opened to connect, on a phone only', async () => {
    await ready({ isMobile: true })
    page.host.actions.connect(row('fox'))
    const one = await asked()
    one.pairing(uri)
    page.host.actions.openWalletLink('mobile')
    one.approve('t1', 'eip155')
    await attemptIs('connected')
    expect(await page.request('rpc', { namespace: 'eip155', method: 'personal_sign', params: [] })).toBe('answered')
    expect(page.opened.map(({ url }) => url)).toEqual([`fox://wc?uri=${encoded}`, 'fox://'])
  })
})

describe('sessions of a remote wallet', () => {
  it('are restored after a reload, without a click or the page’s wallets', async () => {
    await connected()
    await page.until(() => page.kept.has('demo/session.bip122'))
    const [stored, { held }] = [Object.fromEntries(page.kept), multi]
    page.close()
    await ready({ held, init: { stored } })
    await page.until(() => snapshot().connections.bip122?.status === 'connected')
    expect(statuses()).toEqual({ eip155: 'connected', solana: 'connected', bip122: 'connected' })
    expect(multi.asked).toEqual([])
  })

  it('are deleted once ended, and not looked up again', async () => {
    await connected('eip155')
    await page.until(() => page.kept.has('demo/session.eip155'))
    const stored = Object.fromEntries(page.kept)
    page.close()
    await ready({ held: new Map(), init: { stored } })
    await page.until(() => snapshot().connections.eip155?.status === 'disconnected')
    // Other tabs find nothing either.
    await page.until(() => page.events.includes('sessionChanged'))
  })

  describe('whose wallet reports a change between its answer and its listener', () => {
    /** `change` happens once, after the answer of the wallet. */
    const eventful = (change: () => void) => async (options: WalletConnectOptions) => {
      let isDue = true
      const then = <T>(answer: T): T => {
        if (isDue) change()
        isDue = false
        return answer
      }
      const made = await multi.create(options)
      const connect: MultiConnector['connect'] = async (asked) => then(await made.connect(asked))
      const restore: MultiConnector['restore'] = (...asked) => {
        const connector = made.restore(...asked)
        return { ...connector, reconnect: async (signal) => then(await connector.reconnect(signal)) }
      }
      return { ...made, connect, restore }
    }
    const other = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
    const changes = {
      'its end'() {
        multi.held.clear()
        multi.emit('t1', 'eip155', { kind: 'disconnected' })
      },
      'its accounts': () =>
        multi.emit('t1', 'eip155', {
          kind: 'accounts',
          accounts: [{ namespace: 'eip155', address: other, type: 'eoa' }],
        }),
      'its network': () => multi.emit('t1', 'eip155', { kind: 'network', networkId: 'eip155:8453' }),
    }
    const outcomes = {
      'its end': { status: 'disconnected' },
      'its accounts': { status: 'connected', accounts: [{ address: other }] },
      'its network': { status: 'connected', networkId: 'eip155:8453' },
    }
    const names = ['its end', 'its accounts', 'its network'] as const
    const init = { networks: ['ethereum', 'base'] }

    it.each(names)('follow %s after a reload', async (name) => {
      await connected('eip155')
      await page.until(() => page.kept.has('demo/session.eip155'))
      const [stored, { held }] = [Object.fromEntries(page.kept), multi]
      page.close()
      await ready({ held, init: { ...init, stored }, createWalletConnect: eventful(changes[name]) })
      await expect.poll(() => snapshot().connections.eip155).toMatchObject(outcomes[name])
      if (name === 'its end') await page.until(() => !page.kept.has('demo/session.eip155'))
    })

    it.each(names)('follow %s while they connect', async (name) => {
      await ready({ init, createWalletConnect: eventful(changes[name]) })
      page.host.actions.connect(row('walletConnect'))
      await attemptIs('waiting')
      const one = await asked()
      one.approve('t1', 'eip155')
      await attemptIs('connected')
      await expect.poll(() => snapshot().connections.eip155).toMatchObject(outcomes[name])
    })
  })

  it('stay on show if their code fails to load, which loads again after a second', async () => {
    await connected('eip155')
    await page.until(() => page.kept.has('demo/session.eip155'))
    const stored = Object.fromEntries(page.kept)
    page.close()
    let isOffline = true
    const load = async (options: WalletConnectOptions) => {
      if (isOffline) throw new Error('offline')
      return multi.create(options)
    }
    await ready({ init: { stored }, createWalletConnect: load, held: multi.held })
    await page.until(() => snapshot().connections.eip155?.status === 'reconnecting')
    expect(snapshot().connections.eip155).toMatchObject({ accounts: [{ address: remoteAccounts.eip155 }] })
    isOffline = false
    page.clock.advance(1_000)
    await page.until(() => snapshot().connections.eip155?.status === 'connected')
    expect(page.events).not.toContain('sessionChanged')
  })

  it('end one by one: disconnecting a namespace keeps the others and activates another', async () => {
    await connected()
    await page.request('disconnect', { namespace: 'eip155' })
    expect(statuses()).toEqual({ eip155: 'disconnected', solana: 'connected', bip122: 'connected' })
    expect(snapshot().activeNetworkId).toBe(solana)
    expect(multi.ends).toEqual(['end walletconnect:t1 eip155'])
    await page.request('disconnect', {})
    expect(statuses()).toEqual({ eip155: 'disconnected', solana: 'disconnected', bip122: 'disconnected' })
  })

  it('also end at the wallet if they end before they were restored', async () => {
    await connected('eip155')
    await page.until(() => page.kept.has('demo/session.eip155'))
    const [stored, { held }] = [Object.fromEntries(page.kept), multi]
    page.close()
    await ready({ held, init: { stored } })
    await page.request('disconnect', {})
    await eventually(() => multi.ends.length > 0)
    expect(statuses()).toEqual({ eip155: 'disconnected' })
  })

  it('end completely when the wallet ends them', async () => {
    await connected('eip155', 'solana')
    multi.held.clear()
    multi.emit('t1', 'eip155', { kind: 'disconnected' })
    multi.emit('t1', 'solana', { kind: 'disconnected' })
    await page.until(() => snapshot().connections.solana?.status === 'disconnected')
    await page.until(() => !page.kept.has('demo/session.solana') && !page.kept.has('demo/session.eip155'))
  })

  it('follow the wallet’s change of account and network', async () => {
    await connected('eip155')
    const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
    multi.emit('t1', 'eip155', { kind: 'accounts', accounts: [{ namespace: 'eip155', address, type: 'eoa' }] })
    expect(snapshot().connections.eip155).toMatchObject({ accounts: [{ address }] })
    multi.emit('t1', 'eip155', { kind: 'network', networkId: 'eip155:10' })
    expect(snapshot().connections.eip155).toMatchObject({ networkId: 'eip155:10', unsupported: true })
    expect(snapshot()).toMatchObject({ open: true, opening: { view: 'UnsupportedChain' } })
  })

  it('are ended at their wallet when another session replaces them', async () => {
    await connected('eip155')
    page.host.actions.connect({
      id: 'walletConnect',
      name: 'W',
      group: 'walletConnect',
      connectors: [],
      walletConnect: true,
    })
    await eventually(() => multi.asked.length === 2)
    multi.asked[1]?.approve('t2', 'eip155')
    await attemptIs('connected')
    expect(multi.ends).toEqual(['end walletconnect:t1 eip155'])
    expect(snapshot().connections.eip155).toMatchObject({ connector: { id: 'walletconnect:t2' } })
  })

  it('are offered once: the row is hidden while one is connected', async () => {
    await connected('eip155')
    expect(snapshot().wallets.map(({ id }) => id)).toEqual(['fox'])
    page.host.actions.want('solana')
    expect(snapshot().wallets.map(({ id }) => id)).toEqual(['walletConnect', 'fox'])
    page.host.actions.want(null)
    await page.request('disconnect', {})
    expect(snapshot().wallets.map(({ id }) => id)).toContain('walletConnect')
  })
})

describe('requests of a remote session', () => {
  const rpc = (namespace: string, method: string, more: object = {}) =>
    page.request('rpc', { namespace, method, ...more })

  it('go to the wallet only if the chain cannot answer them', async () => {
    const reads: string[] = []
    // Concurrent reads come in one request.
    const answer = (call: unknown) => {
      const { id, method } = JsonRpcRequest.parse(call)
      reads.push(method)
      return { jsonrpc: '2.0', id, result: '0x10' }
    }
    multi = testMulti()
    page = await readyPage({
      project: project({ walletConnect: relay }),
      createWalletConnect: multi.create,
      fetch: async (_url, request) => {
        const body: unknown = JSON.parse(String(request?.body))
        return Response.json(Array.isArray(body) ? body.map(answer) : answer(body))
      },
      init: { networks: ['ethereum', solana], pageWallets: [] },
    })
    page.host.actions.connect(row('walletConnect'))
    const one = await asked()
    one.approve('t1', 'eip155', 'solana')
    await attemptIs('connected')
    expect(await rpc('eip155', 'eth_blockNumber')).toBe('0x10')
    expect(await rpc('eip155', 'eth_accounts')).toEqual([remoteAccounts.eip155])
    expect(await rpc('solana', 'solana_getAccounts')).toEqual([{ pubkey: remoteAccounts.solana }])
    expect(multi.requests).toEqual([])
    expect(await rpc('eip155', 'wallet_getCapabilities')).toBe('answered')
    expect(await rpc('solana', 'solana_signMessage', { params: { message: '3yZe7d' } })).toBe('answered')
    expect(multi.requests).toEqual([
      { namespace: 'eip155', method: 'wallet_getCapabilities' },
      { namespace: 'solana', method: 'solana_signMessage' },
    ])
    expect(reads).toContain('eth_blockNumber')
  })

  it.each([
    ['eip155', 'solana_signMessage', 'UNSUPPORTED_METHOD'],
    ['solana', 'personal_sign', 'UNSUPPORTED_METHOD'],
    ['bip122', 'solana_signTransaction', 'UNSUPPORTED_METHOD'],
    ['solana', 'wallet_getCapabilities', 'UNSUPPORTED_METHOD'],
    ['solana', 'requestAirdrop', 'METHOD_NOT_FOUND'],
    ['bip122', 'bip122_requestAccounts', 'METHOD_NOT_FOUND'],
  ])('for %s never reach a wallet with %s', async (namespace, method, code) => {
    await connected()
    await expect(rpc(namespace, method)).rejects.toMatchObject({ code })
    expect(multi.requests).toEqual([])
  })
})
