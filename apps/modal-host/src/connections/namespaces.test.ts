import type { PageParams, PageWallet, WalletEntry } from '@postern/protocol'
import { afterEach, describe, expect, it } from 'vitest'
import { account, init, metaMask, project, readyPage, type TestPage, testPage, wallet } from '../testing/test-page'

const mainnet = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const devnet = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
const bitcoin = 'bip122:000000000019d6689c085ae165831e93'
const solanaAddress = '4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA'
const payment = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

const foxEvm: PageWallet = { ...metaMask, id: 'fox-evm', name: 'Fox', rdns: 'com.fox' }
const foxSolana: PageWallet = {
  id: 'fox-sol',
  namespace: 'solana',
  type: 'ANNOUNCED',
  name: 'Fox',
  key: 'standard:Fox',
}
const unisat: PageWallet = {
  id: 'unisat',
  namespace: 'bip122',
  type: 'INJECTED',
  name: 'UniSat',
  key: 'injected:unisat',
}

let page: TestPage
const snapshot = () => page.host.store.getState()
const row = (name: string) => {
  const found = snapshot().wallets.find((candidate) => candidate.name === name)
  if (found === undefined) throw new Error(`No row ${name}`)
  return found
}
const attemptIs = (kind: string) => page.until(() => snapshot().connectAttempt?.status.kind === kind)
const statusOf = (namespace: 'eip155' | 'solana' | 'bip122') => snapshot().connections[namespace]?.status

function everyWallet() {
  const evm = wallet()
  const asked: string[] = []
  return Object.assign(
    (request: PageParams<'walletRequest'>) => {
      asked.push(`${request.wallet} ${request.method}`)
      if (request.wallet === 'fox-sol') return [{ pubkey: solanaAddress }]
      if (request.wallet === 'unisat')
        return request.method === 'bip122_getNetwork' ? bitcoin : [{ address: payment, purpose: 'payment' }]
      return evm(request)
    },
    { asked },
  )
}

async function ready(options: Parameters<typeof readyPage>[0] = {}) {
  page = await readyPage({
    answerWallet: everyWallet(),
    ...options,
    init: {
      networks: ['ethereum', mainnet, devnet, bitcoin],
      pageWallets: [foxEvm, foxSolana, unisat],
      ...options.init,
    },
  })
}

async function connect(name: string, namespace?: 'eip155' | 'solana' | 'bip122') {
  page.host.actions.connect(row(name), namespace)
  await attemptIs('connected')
  page.host.actions.cancelConnect()
}

async function allConnected(options: Parameters<typeof ready>[0] = {}) {
  await ready(options)
  await connect('Fox', 'eip155')
  await connect('Fox', 'solana')
  await connect('UniSat')
}

afterEach(() => page.close())

describe('a wallet with several namespaces', () => {
  it('is one row that asks for a namespace; its connectors are MULTI_CHAIN (spec §3)', async () => {
    await ready()
    expect(row('Fox').connectors).toHaveLength(2)
    page.host.actions.connect(row('Fox'))
    await attemptIs('choosing')
    expect(statusOf('eip155')).toBeUndefined()
    await connect('Fox', 'solana')
    expect(snapshot().connections.solana).toMatchObject({
      status: 'connected',
      connector: { id: 'fox-sol', type: 'MULTI_CHAIN' },
      accounts: [{ address: solanaAddress, type: 'eoa' }],
      networkId: mainnet,
    })
    expect(snapshot().activeNetworkId).toBe(mainnet)
  })

  it('connects at once in the wanted namespace', async () => {
    await ready()
    const answer = page.request('connect', { namespace: 'solana' })
    await page.until(() => snapshot().open)
    expect(snapshot().wantedNamespace).toBe('solana')
    expect(snapshot().wallets.map(({ name }) => name)).toEqual(['Fox'])
    page.host.actions.connect(row('Fox'))
    await expect(answer).resolves.toMatchObject({ accounts: [{ address: solanaAddress }] })
  })

  it('does not offer a namespace that the dapp lacks', async () => {
    await ready({ init: { networks: ['ethereum'], pageWallets: [foxEvm, foxSolana, unisat] } })
    expect(snapshot().wallets).toMatchObject([{ name: 'Fox', connectors: [{ namespace: 'eip155' }] }])
    await expect(page.request('connect', { namespace: 'solana' })).rejects.toMatchObject({ code: 'ADAPTER_NOT_FOUND' })
    expect(snapshot().wantedNamespace).toBeNull()
  })
})

describe('several connected namespaces', () => {
  it('are connected side by side; the last one connected is active', async () => {
    await allConnected()
    expect([statusOf('eip155'), statusOf('solana'), statusOf('bip122')]).toEqual([
      'connected',
      'connected',
      'connected',
    ])
    expect(snapshot().activeNetworkId).toBe(bitcoin)
    expect(snapshot().connections.bip122).toMatchObject({ accounts: [{ address: payment, type: 'payment' }] })
    expect(snapshot().namespaces).toEqual(['eip155', 'solana', 'bip122'])
  })

  it('can each be made active', async () => {
    await allConnected()
    page.host.actions.activate('eip155')
    expect(snapshot().activeNetworkId).toBe('eip155:1')
    page.host.actions.activate('solana')
    expect(snapshot().activeNetworkId).toBe(mainnet)
    await page.request('disconnect', { namespace: 'bip122' })
    expect(snapshot().activeNetworkId).toBe(mainnet)
    page.host.actions.activate('bip122')
    expect(snapshot().activeNetworkId).toBe(mainnet)
  })

  it('disconnect one by one, and another becomes active', async () => {
    await allConnected()
    await page.host.actions.disconnect('bip122')
    expect(snapshot().activeNetworkId).toBe('eip155:1')
    await page.request('disconnect', { namespace: 'eip155' })
    expect(snapshot().activeNetworkId).toBe(mainnet)
    await page.request('disconnect', {})
    expect([statusOf('eip155'), statusOf('solana'), statusOf('bip122')]).toEqual([
      'disconnected',
      'disconnected',
      'disconnected',
    ])
  })

  it('leave the network that was active before, once all have ended', async () => {
    for (const active of ['eip155', 'solana', 'bip122'] as const) {
      await allConnected()
      page.host.actions.activate(active)
      const { activeNetworkId } = snapshot()
      await page.request('disconnect', {})
      expect(snapshot().activeNetworkId).toBe(activeNetworkId)
      await page.request('ping')
      expect(page.kept.get('demo/activeNetwork')).toBe(JSON.stringify(activeNetworkId))
      page.close()
    }
  })

  it('do not bring back a network that the user has replaced since', async () => {
    await allConnected()
    await page.host.actions.disconnect('bip122')
    page.host.actions.activate('solana')
    await page.request('disconnect', {})
    expect(snapshot().activeNetworkId).not.toBe(bitcoin)
    await connect('UniSat')
    await page.host.actions.disconnect('bip122')
    expect(snapshot().activeNetworkId).toBe(bitcoin)
  })

  it('keep the modal open while one of them is left', async () => {
    await allConnected()
    await page.request('open', {})
    await page.host.actions.disconnect('bip122')
    expect(snapshot().open).toBe(true)
    await page.host.actions.disconnect()
    expect(snapshot().open).toBe(false)
  })

  it('are restored after a reload without changing the active one (spec §3)', async () => {
    await allConnected()
    page.host.actions.activate('solana')
    // Stored values arrive before this response.
    await page.request('ping')
    const stored = Object.fromEntries(page.kept)
    page.close()
    await ready({ init: { stored } })
    await page.until(() => statusOf('bip122') === 'connected' && statusOf('eip155') === 'connected')
    await page.until(() => statusOf('solana') === 'connected')
    expect(snapshot().activeNetworkId).toBe(mainnet)
  })

  it('never publish the network of an ended connection as active', async () => {
    await allConnected()
    await page.request('disconnect', { namespace: 'bip122' })
    for (const state of page.states)
      if (state.connections.bip122?.status === 'disconnected') expect(state.activeNetworkId).not.toBe(bitcoin)
  })

  it('keep the active network while its wallet reconnects, and lose it when that fails', async () => {
    await allConnected()
    page.emit('pageWallets', { pageWallets: [foxEvm, foxSolana] })
    await page.until(() => statusOf('bip122') === 'reconnecting')
    expect(snapshot().activeNetworkId).toBe(bitcoin)
    page.clock.advance(3_000)
    await page.until(() => statusOf('bip122') === 'disconnected')
    expect(snapshot().activeNetworkId).toBe('eip155:1')
  })
})

describe('a network of another namespace', () => {
  it('becomes active while disconnected, and its wallet connects on it', async () => {
    await ready()
    await page.request('switchNetwork', { network: devnet })
    expect(snapshot()).toMatchObject({ activeNetworkId: devnet, open: false })
    await connect('Fox', 'solana')
    expect(snapshot().connections.solana).toMatchObject({ networkId: devnet })
  })

  it('asks for a wallet of its own while another one is connected', async () => {
    await ready()
    await connect('Fox', 'eip155')
    await page.host.actions.switchNetwork(devnet)
    expect(snapshot()).toMatchObject({ open: true, opening: { view: 'SwitchActiveChain' }, activeNetworkId: devnet })
    page.host.actions.want('solana')
    page.host.actions.connect(row('Fox'))
    await attemptIs('connected')
    expect(snapshot().connections.solana).toMatchObject({ networkId: devnet })
    expect(statusOf('eip155')).toBe('connected')
  })

  it('is dropped when the user stays on the connected namespace', async () => {
    await ready()
    await connect('Fox', 'eip155')
    await page.host.actions.switchNetwork(devnet)
    page.host.actions.activate('eip155')
    expect(snapshot().activeNetworkId).toBe('eip155:1')
  })

  it('is switched to without asking a connected Solana wallet', async () => {
    const answer = everyWallet()
    await allConnected({ answerWallet: answer })
    const before = answer.asked.length
    await page.request('switchNetwork', { network: devnet })
    expect(snapshot().connections.solana).toMatchObject({ networkId: devnet })
    expect(snapshot()).toMatchObject({ activeNetworkId: devnet })
    expect(answer.asked.slice(before)).toEqual([])
  })
})

describe('on a phone', () => {
  const listed: WalletEntry = { id: 'd1', name: 'Rabby', chains: ['eip155:1'] }

  it('opens AllWallets if the page has no wallet, also for the dapp’s connect', async () => {
    await ready({ isMobile: true, project: project({ wallets: [listed], walletCount: 1 }), init: { pageWallets: [] } })
    await page.request('open', {})
    expect(snapshot().opening.view).toBe('AllWallets')
    await page.request('close')
    const answer = page.request('connect', {})
    await page.until(() => snapshot().open)
    expect(snapshot().opening.view).toBe('AllWallets')
    page.emit('dismiss')
    await expect(answer).rejects.toMatchObject({ code: 'USER_REJECTED' })
  })

  it('in a wallet’s browser, connects at once in the dapp’s first namespace that the wallet has', async () => {
    await ready({ isMobile: true, init: { pageWallets: [foxEvm, foxSolana] } })
    await expect(page.request('connect', {})).resolves.toMatchObject({ accounts: [{ address: account }] })
    expect(snapshot().opening.view).toBe('ConnectingExternal')
  })

  it('in a wallet’s browser, connects at once in the requested namespace', async () => {
    await ready({ isMobile: true, init: { pageWallets: [foxEvm, foxSolana] } })
    const answer = page.request('connect', { namespace: 'solana' })
    await expect(answer).resolves.toMatchObject({ accounts: [{ address: solanaAddress }] })
  })
})

describe('a directory entry', () => {
  it('connects as the page wallet that it matches', async () => {
    await ready()
    page.host.actions.connectEntry({
      id: 'd-unisat',
      name: 'UniSat',
      injected: [{ namespace: 'bip122', injected_id: 'unisat' }],
    })
    await attemptIs('connected')
    expect(statusOf('bip122')).toBe('connected')
  })

  it('is searched only in the wanted namespace', async () => {
    let asked: URL | undefined
    await ready({
      fetch: async (url) => {
        asked = new URL(String(url))
        return Response.json({ data: [], count: 0 })
      },
    })
    page.host.actions.want('solana')
    await page.host.directory.wallets({ page: 1 })
    expect(asked?.searchParams.get('chains')).toBe(`${mainnet},${devnet}`)
  })
})

describe('balances', () => {
  it('come from the active namespace’s own endpoint, and reload after a transaction of the page', async () => {
    const paths: string[] = []
    await ready({
      fetch: async (url, request) => {
        const { pathname, searchParams } = new URL(String(url))
        paths.push(`${pathname} ${searchParams.get('chainId') ?? ''}`.trim())
        if (pathname.startsWith('/v1/esplora')) {
          const stats = {
            funded_txo_sum: 150_000_000,
            spent_txo_sum: 0,
            funded_txo_count: 1,
            spent_txo_count: 0,
            tx_count: 1,
          }
          return Response.json({ address: payment, chain_stats: stats, mempool_stats: { ...stats, funded_txo_sum: 0 } })
        }
        const { id, method } = JSON.parse(String(request?.body))
        const result = method === 'getBalance' ? { context: { slot: 1 }, value: 2_500_000_000 } : '0x0'
        return Response.json({ jsonrpc: '2.0', id, result })
      },
    })
    await connect('UniSat')
    await page.until(() => snapshot().nativeBalance.kind === 'ready')
    expect(snapshot().nativeBalance).toEqual({ kind: 'ready', formatted: '1.500', symbol: 'BTC' })
    expect(paths).toEqual([`/v1/esplora/${bitcoin}/address/${payment}`])
    await connect('Fox', 'solana')
    await page.until(() => {
      const { nativeBalance } = snapshot()
      return nativeBalance.kind === 'ready' && nativeBalance.symbol === 'SOL'
    })
    expect(snapshot().nativeBalance).toMatchObject({ formatted: '2.500' })
    const before = paths.length
    page.emit('transacted', { namespace: 'solana' })
    await page.until(() => paths.length > before || undefined)
    page.emit('transacted', { namespace: 'nowhere' })
  })
})

describe('data stored by an earlier version', () => {
  it('is still read, without images from other origins', async () => {
    const session = (imageUrl: string) =>
      JSON.stringify({
        stableId: 'com.fox',
        name: 'Fox',
        type: 'ANNOUNCED',
        imageUrl,
        accounts: [{ namespace: 'eip155', address: account, type: 'eoa' }],
        networkId: 'eip155:1',
      })
    const state = async (imageUrl: string) => {
      page = testPage({ answerWallet: () => new Promise(() => {}) })
      page.hello()
      return page.request('init', init({ stored: { 'demo/session.eip155': session(imageUrl) }, pageWallets: [] }))
    }
    const connector = { id: 'com.fox', name: 'Fox', type: 'ANNOUNCED' }
    expect(await state('https://tracker.example/pixel.png')).toMatchObject({ connections: { eip155: { connector } } })
    expect(snapshot().connections.eip155).not.toHaveProperty('connector.imageUrl')
    page.close()
    await state('data:image/png;base64,AA==')
    expect(snapshot().connections.eip155).toHaveProperty('connector.imageUrl', 'data:image/png;base64,AA==')
    page.close()
    await state('http://modal.postern.localhost:4400/getWalletImage/x')
    expect(snapshot().connections.eip155).toHaveProperty('connector.imageUrl')
  })
})
