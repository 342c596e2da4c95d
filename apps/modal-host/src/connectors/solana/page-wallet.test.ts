import { configureNetworks } from '@postern/chains/networks'
import { testSigner, testTransaction } from '@postern/chains/solana/testing/test-transaction'
import type { ErrorCode, Network, PageWallet } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { describe, expect, it } from 'vitest'
import { createPageCalls } from '../page/page-calls'
import { heardFrom, pageSide } from '../page/testing/page-side'
import { createSolanaDialect } from './page-wallet'

const signal = new AbortController().signal
const mainnet = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const devnet = 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'
const [ada, bob] = await Promise.all([testSigner(1), testSigner(2)])

const networks = configureNetworks(['ethereum', 'solana', 'solana-devnet', 'bitcoin'], {
  additional: [],
  gatewayEndpoint: () => 'https://gateway.example/',
  imageUrl: () => '',
})

function network(id: typeof mainnet | typeof devnet): Network {
  const found = networks.get(id)
  if (found === undefined) throw new Error('no network')
  return found
}

const signer: PageWallet = {
  id: 'w1',
  namespace: 'solana',
  type: 'ANNOUNCED',
  name: 'Signer',
  key: 'standard:Signer',
  networks: [mainnet, devnet],
  methods: ['solana_getAccounts', 'solana_requestAccounts', 'solana_signTransaction'],
}

const sender: PageWallet = { ...signer, methods: undefined }

function setUp(wallet: PageWallet, answer: (method: string, params: unknown) => unknown = answers) {
  const page = pageSide(({ method, params }) => answer(method, params?.[0]))
  const sent: unknown[] = []
  const deps: Parameters<typeof createSolanaDialect>[1] = {
    ...page,
    networks,
    preferredNetwork: () => mainnet,
    clientOf: (networkId) => ({
      networkId,
      rpc: {
        async request(request) {
          sent.push({ networkId, ...request })
          return 'ignored'
        },
      },
      esplora: { get: () => Promise.reject(new Error()), post: () => Promise.reject(new Error()) },
    }),
  }
  const connector = createPageCalls(wallet, page, (link) => createSolanaDialect(link, deps))
  const emit = (event: string, data?: unknown, id = wallet.id) => page.emit({ wallet: id, event, data })
  return { ...page, connector, sent, emit, heard: () => heardFrom(connector) }
}

function answers(method: string): unknown {
  return method.endsWith('Accounts')
    ? [{ pubkey: ada.address }, { pubkey: bob.address }, { pubkey: ada.address }]
    : null
}

describe('createSolanaDialect', () => {
  it('1. returns each account once, as eoa', async () => {
    const session = await setUp(signer).connector.connect(signal)
    expect(session?.accounts).toEqual([
      { namespace: 'solana', address: ada.address, type: 'eoa' },
      { namespace: 'solana', address: bob.address, type: 'eoa' },
    ])
  })

  it.each([
    [null],
    ['x'],
    [[ada.address]],
    [[{ pubkey: 'x' }]],
    [[{ pubkey: '1'.repeat(44) }]],
    [Array.from({ length: 300 }, () => ({ pubkey: ada.address }))],
  ])('1. rejects %j as accounts', async (accounts) => {
    await expect(setUp(signer, () => accounts).connector.connect(signal)).rejects.toMatchObject({ code: 'INTERNAL' })
  })

  it('2. prompts on connect, only reads on reconnect, and has ended without an account', async () => {
    const { connector, asked } = setUp(signer)
    await connector.connect(signal)
    await connector.reconnect(signal)
    expect(asked.map(({ method, timeout }) => [method, timeout])).toEqual([
      ['solana_requestAccounts', undefined],
      ['solana_getAccounts', 10_000],
    ])
    expect(await setUp(signer, () => []).connector.reconnect(signal)).toEqual({ kind: 'ended' })
  })

  it('2. a reconnect without an answer is unknown, one that the wallet refuses has ended', async () => {
    const failing = (code: ErrorCode) => setUp(signer, () => Promise.reject(new Failure(code))).connector
    expect(await failing('TIMEOUT').reconnect(signal)).toMatchObject({ kind: 'unknown', failure: { code: 'TIMEOUT' } })
    expect(await failing('UNAUTHORIZED').reconnect(signal)).toEqual({ kind: 'ended' })
  })

  it('2. maps the wallet’s error to a code', async () => {
    const { connector } = setUp(signer, () =>
      Promise.reject(new Failure('INTERNAL', { message: 'User rejected the request.' })),
    )
    await expect(connector.connect(signal)).rejects.toMatchObject({ code: 'USER_REJECTED' })
  })

  it('3. uses the preferred network, otherwise one that the wallet supports', async () => {
    const networkOf = async (ids?: PageWallet['networks']) =>
      (await setUp({ ...signer, networks: ids }).connector.connect(signal))?.networkId
    expect(await networkOf()).toBe(mainnet)
    expect(await networkOf([devnet, mainnet])).toBe(mainnet)
    expect(await networkOf([devnet])).toBe(devnet)
    expect(await networkOf(['solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z'])).toBe('solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z')
  })

  it('3–4. switches to a supported network without asking the wallet, and names it in every request', async () => {
    const { connector, asked, methods } = setUp(sender, (method) =>
      method === 'solana_signMessage' ? { signature: '2'.repeat(88) } : answers(method),
    )
    await connector.connect(signal)
    expect(await connector.switchNetwork(network(devnet), signal)).toBe(devnet)
    expect(methods()).toEqual(['solana_requestAccounts'])
    await connector.request('solana_signMessage', { message: '2' }, signal)
    expect(asked.at(-1)?.params).toEqual([{ message: '2', pubkey: ada.address, network: devnet }])
    const narrow = setUp({ ...signer, networks: [mainnet] }).connector
    await expect(narrow.switchNetwork(network(devnet), signal)).rejects.toMatchObject({ code: 'CHAIN_NOT_SUPPORTED' })
  })

  it.each([
    ['solana_signMessage', { message: '0OIl' }, 'INVALID_PARAMS'],
    ['solana_signMessage', undefined, 'INVALID_PARAMS'],
    ['solana_signMessage', { message: '2', pubkey: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' }, 'UNAUTHORIZED'],
    ['solana_signMessage', { message: '2', network: 'eip155:1' }, 'CHAIN_NOT_SUPPORTED'],
    ['solana_signMessage', { message: '2', network: 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z' }, 'CHAIN_NOT_SUPPORTED'],
    ['solana_signMessage', { message: '2' }, 'UNSUPPORTED_METHOD'],
    ['solana_requestAccounts', {}, 'UNSUPPORTED_METHOD'],
    ['constructor', {}, 'UNSUPPORTED_METHOD'],
    ['eth_sendTransaction', {}, 'UNSUPPORTED_METHOD'],
  ])('5. rejects %s of %j: %s', async (method, params, code) => {
    const { connector, methods } = setUp(signer)
    await connector.connect(signal)
    await expect(connector.request(method, params, signal)).rejects.toMatchObject({ code })
    expect(methods()).toEqual(['solana_requestAccounts'])
  })

  it('5. accepts params in a list, old network ids, and accounts that it has not read yet', async () => {
    const { connector, asked, methods } = setUp(sender, (method) =>
      method === 'solana_signMessage' ? { signature: '2'.repeat(88) } : answers(method),
    )
    const params = [{ message: '2', pubkey: bob.address, network: 'solana:8E9rvCKLFQia2Y35HXjjpwzj8weVo44K' }]
    expect(await connector.request('solana_signMessage', params, signal)).toEqual({ signature: '2'.repeat(88) })
    expect(methods()).toEqual(['solana_getAccounts', 'solana_signMessage'])
    expect(asked.at(-1)?.params).toEqual([{ message: '2', pubkey: bob.address, network: devnet }])
  })

  it('5. rejects a malformed result', async () => {
    const { connector } = setUp(sender, (method) =>
      method === 'solana_signMessage' ? { signature: 'yes' } : answers(method),
    )
    await expect(connector.request('solana_signMessage', { message: '2' }, signal)).rejects.toMatchObject({
      code: 'INTERNAL',
    })
  })

  const signing = async (method: string, params: unknown) => {
    const { transaction } = Object(params)
    return method === 'solana_signTransaction' ? ada.sign(transaction) : answers(method)
  }

  it('6. sends through the network’s endpoint if the wallet only signs', async () => {
    const { connector, sent, asked } = setUp(signer, signing)
    const transaction = testTransaction([ada.address])
    const signed = await ada.sign(transaction)
    const params = { transaction, network: devnet, sendOptions: { maxRetries: 1 } }
    expect(await connector.request('solana_signAndSendTransaction', params, signal)).toEqual({
      signature: signed.signature,
    })
    expect(asked.at(-1)).toMatchObject({
      method: 'solana_signTransaction',
      params: [{ transaction, network: devnet, pubkey: ada.address }],
    })
    expect(sent).toEqual([
      {
        networkId: devnet,
        method: 'sendTransaction',
        params: [signed.transaction, { preflightCommitment: 'confirmed', maxRetries: 1, encoding: 'base64' }],
      },
    ])
  })

  it('6. lets a wallet that can send do it', async () => {
    const { connector, sent } = setUp(sender, (method) =>
      method === 'solana_signAndSendTransaction' ? { signature: '2'.repeat(88) } : answers(method),
    )
    const params = { transaction: testTransaction([ada.address]) }
    expect(await connector.request('solana_signAndSendTransaction', params, signal)).toEqual({
      signature: '2'.repeat(88),
    })
    expect(sent).toEqual([])
  })

  it('6. signs several transactions one by one, and rejects a different number of results', async () => {
    const transactions = [testTransaction([ada.address], { note: 1 }), testTransaction([ada.address], { note: 2 })]
    const { connector } = setUp(signer, async (method, params) => {
      const answer = await signing(method, params)
      return method === 'solana_signTransaction' ? { signature: Object(answer).signature } : answer
    })
    const signed = await Promise.all(transactions.map(async (transaction) => (await ada.sign(transaction)).transaction))
    expect(await connector.request('solana_signAllTransactions', { transactions }, signal)).toEqual({
      transactions: signed,
    })
    const short = setUp(sender, (method) =>
      method === 'solana_signAllTransactions' ? { transactions: [signed[0]] } : answers(method),
    )
    await expect(short.connector.request('solana_signAllTransactions', { transactions }, signal)).rejects.toMatchObject(
      { code: 'TRANSACTION_MISMATCH' },
    )
  })

  it('7. does not wait for the wallet on disconnect', async () => {
    const { connector, methods } = setUp(sender, () => new Promise(() => {}))
    await connector.disconnect()
    expect(methods()).toEqual(['solana_disconnect'])
    const silent = setUp(signer)
    await silent.connector.disconnect()
    expect(silent.methods()).toEqual([])
  })

  it('8. emits only its own wallet’s valid events', async () => {
    const { heard, emit, listeners, connector } = setUp(signer)
    const events = heard()
    emit('accountsChanged', [{ pubkey: bob.address }])
    emit('accountsChanged', [{ pubkey: ada.address }], 'w2')
    emit('accountsChanged', [ada.address])
    emit('accountsChanged', 'x')
    emit('chainChanged', devnet)
    emit('chainChanged', 'eip155:1')
    emit('chainChanged', '0x1')
    emit('message', 'x')
    emit('disconnect')
    expect(events).toEqual([
      { kind: 'accounts', accounts: [{ namespace: 'solana', address: bob.address, type: 'eoa' }] },
      { kind: 'network', networkId: devnet },
      { kind: 'disconnected' },
    ])
    const stop = connector.listen(() => {})
    stop()
    expect(listeners.size).toBe(1)
  })
})
