import type { ChainAdapter } from '@postern/chains/adapter'
import { adapter as eip155 } from '@postern/chains/eip155/adapter'
import { configureNetworks } from '@postern/chains/networks'
import { type ErrorCode, linkError, type Network } from '@postern/protocol'
import { fromLinkError } from '@postern/protocol/failure'
import { describe, expect, it } from 'vitest'
import { account, fromPage, metaMask, otherAccount, wallet } from '../../testing/test-page'
import type { ConnectorEvent, WalletRequest } from '../connector'
import { createPageCalls } from '../page/page-calls'
import { pageSide } from '../page/testing/page-side'
import { createEip155Dialect } from './page-wallet'

const signal = new AbortController().signal

/** The wallet's errors cross the link as the SDK sends them. */
function setUp(answer: (request: WalletRequest) => unknown, adapter: ChainAdapter = eip155) {
  const page = pageSide(async (request) => {
    try {
      return await answer(request)
    } catch (thrown) {
      throw fromLinkError(fromPage(thrown))
    }
  })
  const asking = { ...page, ask: (request: WalletRequest) => page.ask(request) }
  const connector = createPageCalls(metaMask, asking, (link) => createEip155Dialect(link, page, adapter))
  return { connector, ...page }
}

function base(): Network {
  const [network] = configureNetworks(
    [
      {
        id: 'eip155:8453',
        name: 'Base',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        rpcUrls: ['https://mainnet.base.org', 'https://rpc.example/'],
        blockExplorers: [{ name: 'Scan', url: 'https://scan.example' }],
      },
    ],
    { additional: [], gatewayEndpoint: () => 'https://gateway.example/', imageUrl: () => '' },
  ).list
  if (network === undefined) throw new Error('no network')
  return network
}

describe('createEip155Dialect', () => {
  it('1. returns accounts in the namespace’s format, each once', async () => {
    const { connector } = setUp(wallet({ accounts: [account.toLowerCase(), account, otherAccount] }))
    const session = await connector.connect(signal)
    expect(session?.accounts.map(({ address }) => address)).toEqual([account, otherAccount])
  })

  it.each([
    ['no list'],
    [{ 0: account }],
    [[1, 2]],
    [[account, 'x']],
    [null],
    [Array.from({ length: 300 }, () => account)],
  ])('1. rejects %j as accounts, which is no fault of the dapp', async (accounts) => {
    const { connector } = setUp(({ method }) => (method === 'eth_chainId' ? '0x1' : accounts))
    await expect(connector.connect(signal)).rejects.toMatchObject({ code: 'INTERNAL' })
  })

  it('1. rejects an invalid chain', async () => {
    const { connector } = setUp(({ method }) => (method === 'eth_chainId' ? 'mainnet' : [account]))
    await expect(connector.connect(signal)).rejects.toMatchObject({ code: 'INTERNAL' })
  })

  it('2. prompts on connect, and only reads on reconnect', async () => {
    const asking = setUp(wallet())
    await asking.connector.connect(signal)
    expect(asking.methods()).toEqual(['eth_requestAccounts', 'eth_chainId'])
    const looking = setUp(wallet())
    await looking.connector.reconnect(signal)
    expect(looking.methods()).toEqual(['eth_accounts', 'eth_chainId'])
    expect(await setUp(wallet({ accounts: [] })).connector.reconnect(signal)).toEqual({ kind: 'ended' })
  })

  it.each<[ErrorCode, 'ended' | 'unknown']>([
    ['UNAUTHORIZED', 'ended'],
    ['USER_REJECTED', 'ended'],
    ['UNSUPPORTED_METHOD', 'ended'],
    ['TIMEOUT', 'unknown'],
    ['LIMIT_EXCEEDED', 'unknown'],
    ['DISCONNECTED', 'ended'],
    ['INTERNAL', 'unknown'],
  ])('2. a reconnect that fails with %s is %s', async (code, kind) => {
    const { connector } = setUp(() => {
      throw linkError(code)
    })
    expect((await connector.reconnect(signal)).kind).toBe(kind)
  })

  it('2. a reconnect with malformed accounts or a malformed chain is unknown', async () => {
    for (const answers of [
      { accounts: 'x', chain: '0x1' },
      { accounts: [account], chain: 'x' },
    ]) {
      const { connector } = setUp(({ method }) => (method === 'eth_chainId' ? answers.chain : answers.accounts))
      expect((await connector.reconnect(signal)).kind).toBe('unknown')
    }
  })

  it.each(['connect', 'reconnect'] as const)(
    '8. %s uses the accounts and network that the wallet announced last',
    async (how) => {
      const say = (event: string, data: unknown) => page.emit({ wallet: metaMask.id, event, data })
      const page = setUp(({ method }) => {
        if (method !== 'eth_chainId') {
          // Events before the response are older than it.
          say('accountsChanged', [otherAccount])
          return [account]
        }
        say('chainChanged', '0xa')
        say('accountsChanged', [otherAccount])
        say('accountsChanged', ['not-an-address'])
        say('accountsChanged', 7)
        page.emit({ wallet: 'another', event: 'accountsChanged', data: [account] })
        return '0x2105'
      })
      const session = { accounts: [{ address: otherAccount }], networkId: 'eip155:8453' }
      const expected = how === 'connect' ? session : { kind: 'granted', session }
      expect(await page.connector[how](signal)).toMatchObject(expected)
    },
  )

  it('8. grants nothing if the wallet withdraws its accounts before it reports its chain', async () => {
    const page = setUp(({ method }) => {
      if (method !== 'eth_chainId') return [account]
      page.emit({ wallet: metaMask.id, event: 'accountsChanged', data: [] })
      return '0x1'
    })
    expect(await page.connector.connect(signal)).toBeNull()
  })

  it('8. uses the network that the wallet switched to while its accounts were read', async () => {
    const say = (event: string, data: unknown) => page.emit({ wallet: metaMask.id, event, data })
    const page = setUp(
      ({ method }) => {
        if (method !== 'eth_chainId') return [account]
        say('accountsChanged', [otherAccount])
        return '0x1'
      },
      {
        ...eip155,
        normaliseAddresses(addresses) {
          if (addresses.includes(otherAccount)) for (const chain of ['0xa', 'mainnet']) say('chainChanged', chain)
          return eip155.normaliseAddresses(addresses)
        },
      },
    )
    expect(await page.connector.connect(signal)).toMatchObject({ networkId: 'eip155:10' })
  })

  it.each([
    ['4902', { code: 4902, message: 'Unrecognized chain ID' }],
    ['5000', { code: 5000, message: 'Unknown chain' }],
    ['-32603', { code: -32603, message: 'Internal error' }],
    ['4902 within -32603', { code: -32603, message: 'Internal', data: { originalError: { code: 4902 } } }],
  ])('3. adds the chain if the switch fails with %s, and switches again', async (_number, thrown) => {
    let added = false
    const knowing = wallet()
    const { connector, asked, methods } = setUp((request) => {
      if (request.method === 'wallet_switchEthereumChain' && !added) throw thrown
      if (request.method === 'wallet_addEthereumChain') added = true
      return knowing(request)
    })
    expect(await connector.switchNetwork(base(), signal)).toBe('eip155:8453')
    expect(methods()).toEqual([
      'wallet_switchEthereumChain',
      'wallet_addEthereumChain',
      'eth_chainId',
      'wallet_switchEthereumChain',
      'eth_chainId',
    ])
    expect(asked[1]?.params).toEqual([
      {
        chainId: '0x2105',
        chainName: 'Base',
        nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
        // Never the dapp's: they may hold its key.
        rpcUrls: ['https://mainnet.base.org', 'https://base-rpc.publicnode.com', 'https://base.drpc.org'],
        blockExplorerUrls: ['https://basescan.org'],
      },
    ])
  })

  it.each<[string, unknown, unknown, ErrorCode]>([
    ['the visitor declines the switch', { code: 4001 }, null, 'USER_REJECTED'],
    ['the visitor declines to add', { code: 4902 }, { code: 4001 }, 'USER_REJECTED'],
    ['the wallet cannot add', { code: 4902 }, { code: 4200 }, 'CHAIN_NOT_SUPPORTED'],
    ['adding fails in any way', { code: -32603 }, new Error('boom'), 'CHAIN_NOT_SUPPORTED'],
    ['a no is wrapped', { code: -32603, data: { originalError: { code: 4001 } } }, null, 'USER_REJECTED'],
    ['a no has words and no number', new Error('User rejected the request'), null, 'USER_REJECTED'],
    ['a no has words and 32603', { code: 32603, message: 'User denied the request' }, null, 'USER_REJECTED'],
    ['a no has words and 5000', { code: 5000, message: 'User rejected' }, null, 'USER_REJECTED'],
    ['a no to adding is wrapped', { code: 4902 }, { data: { originalError: { code: 4001 } } }, 'USER_REJECTED'],
    ['a request waits in the wallet', { code: -32002 }, null, 'REQUEST_PENDING'],
    ['the wallet does not switch at all', { code: 4200 }, null, 'UNSUPPORTED_METHOD'],
  ])('3. when %s, that is what it says', async (_what, onSwitch, onAdd, code) => {
    const { connector, methods } = setUp(({ method }) => {
      throw method === 'wallet_addEthereumChain' ? onAdd : onSwitch
    })
    await expect(connector.switchNetwork(base(), signal)).rejects.toMatchObject({ code })
    expect(methods().includes('wallet_addEthereumChain')).toBe(onAdd !== null)
  })

  it('4. checks the chain after a switch, even if the wallet reports success', async () => {
    const { connector, passed } = setUp(({ method }) => (method === 'eth_chainId' ? '0x1' : null))
    await expect(connector.switchNetwork(base(), signal)).rejects.toMatchObject({
      code: 'CHAIN_NOT_SUPPORTED',
      message: 'Chain is not supported',
    })
    expect(passed.reduce((sum, ms) => sum + ms)).toBe(950)
  })

  it('4. waits for a wallet that answers a switch before it has switched', async () => {
    let reads = 0
    const { connector, methods, passed } = setUp(({ method }) => {
      if (method === 'eth_chainId') return ++reads > 5 ? '0x2105' : '0x1'
      return null
    })
    expect(await connector.switchNetwork(base(), signal)).toBe('eip155:8453')
    expect(methods().filter((method) => method !== 'eth_chainId')).toEqual(['wallet_switchEthereumChain'])
    expect(passed).toEqual([50, 50, 50, 50, 50])
  })

  it('5. disconnects from a wallet that cannot revoke permissions', async () => {
    const { connector, asked } = setUp(() => {
      throw linkError('UNSUPPORTED_METHOD')
    })
    await connector.disconnect()
    expect(asked).toEqual([{ wallet: 'w1', method: 'wallet_revokePermissions', params: [{ eth_accounts: {} }] }])
  })

  it('6. emits only its own wallet’s valid events, and only the newest accounts', async () => {
    const { connector, emit, listeners } = setUp(wallet())
    const heard: ConnectorEvent[] = []
    const seen = new Promise<void>((resolve) => {
      connector.listen((event) => {
        heard.push(event)
        if (event.kind === 'disconnected') resolve()
      })
    })
    emit({ wallet: 'w2', event: 'accountsChanged', data: [otherAccount] })
    emit({ wallet: 'w1', event: 'chainChanged', data: 'x' })
    emit({ wallet: 'w1', event: 'accountsChanged', data: 'x' })
    emit({ wallet: 'w1', event: 'message', data: {} })
    emit({ wallet: 'w1', event: 'accountsChanged', data: [account] })
    emit({ wallet: 'w1', event: 'accountsChanged', data: [otherAccount] })
    emit({ wallet: 'w1', event: 'chainChanged', data: '0x2105' })
    await eip155.normaliseAddresses([account])
    emit({ wallet: 'w1', event: 'disconnect' })
    await seen
    expect(heard).toHaveLength(3)
    expect(heard).toEqual(
      expect.arrayContaining([
        { kind: 'accounts', accounts: [{ namespace: 'eip155', address: otherAccount, type: 'eoa' }] },
        { kind: 'network', networkId: 'eip155:8453' },
        { kind: 'disconnected' },
      ]),
    )
    expect(listeners.size).toBe(1)
  })

  it.each([
    ['a wrapped number', { code: -32603, message: 'Internal', data: { originalError: { code: 4001 } } }],
    ['its words', new Error('User denied message signature')],
  ])('7. recognises a rejection by %s, for any method', async (_what, thrown) => {
    const { connector } = setUp(() => {
      throw thrown
    })
    const no = { code: 'USER_REJECTED', rpc: 4001 }
    await expect(connector.connect(signal)).rejects.toMatchObject(no)
    await expect(connector.request('personal_sign', ['0x68', account], signal)).rejects.toMatchObject(no)
  })

  it('7. passes on a failure that it cannot map', async () => {
    const data = `0x${'08'.repeat(8_192)}`
    const { connector } = setUp(() => {
      throw { code: -32603, message: 'execution reverted', data }
    })
    await expect(connector.request('eth_sendTransaction', [], signal)).rejects.toMatchObject({
      code: 'INTERNAL',
      rpc: -32603,
      message: 'execution reverted',
      data,
    })
  })

  it('forwards only requests that need the user’s approval', async () => {
    const { connector, asked } = setUp(wallet())
    expect(await connector.request('personal_sign', ['0x68', account], signal)).toBe('0xsigned')
    await expect(connector.request('eth_sign', [], signal)).rejects.toMatchObject({ code: 'UNSUPPORTED_METHOD' })
    expect(asked).toHaveLength(1)
  })
})
