import { regtest, testEsplora, testKey } from '@postern/chains/bip122/testing/test-chain'
import { configureNetworks } from '@postern/chains/networks'
import type { CaipNetworkId, ErrorCode, Network, PageWallet } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { Transaction } from 'bitcoinjs-lib'
import { describe, expect, it } from 'vitest'
import type { PageConnectorDependencies } from '../connector'
import { createPageCalls } from '../page/page-calls'
import { heardFrom, pageSide } from '../page/testing/page-side'
import { createBip122Dialect } from './page-wallet'

const signal = new AbortController().signal
const mainnet = 'bip122:000000000019d6689c085ae165831e93'
const testnet = 'bip122:000000000933ea01ad0ee984209779ba'
const signet = 'bip122:00000008819873e925422c1ff0f99f7c'
const key = testKey('p2wpkh')
const recipient = testKey('p2tr', 9)
const ordinals = testKey('p2tr', 1)
const main = { address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', purpose: 'payment' }
const test = { address: 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7', purpose: 'payment' }
const local = [
  { address: ordinals.address, publicKey: ordinals.account.publicKey, purpose: 'ordinals' },
  {
    address: key.address.toUpperCase(),
    publicKey: key.account.publicKey?.toUpperCase(),
    path: "m/84'/1'/0'/0/0",
    purpose: 'payment',
  },
]

const wallet: PageWallet = {
  id: 'w1',
  namespace: 'bip122',
  type: 'INJECTED',
  name: 'Signer',
  key: 'injected:signer',
  methods: ['bip122_getAccountAddresses', 'bip122_requestAccounts', 'bip122_signPsbt', 'bip122_signMessage'],
}
const withMethods = (...more: NonNullable<PageWallet['methods']>): PageWallet => ({
  ...wallet,
  methods: [...(wallet.methods ?? []), ...more],
})

function configured(ids: readonly CaipNetworkId[]) {
  const definitions = ids.map((id) => ({
    id,
    name: id,
    nativeCurrency: { name: 'Bitcoin', symbol: 'BTC', decimals: 8 },
  }))
  return configureNetworks(definitions, {
    additional: [],
    gatewayEndpoint: () => 'https://gateway.example/',
    imageUrl: () => '',
  })
}

function setUp({
  of = wallet,
  ids = [regtest],
  preferred = ids[0] ?? regtest,
  answer = () => local,
}: {
  of?: PageWallet
  ids?: readonly CaipNetworkId[]
  preferred?: CaipNetworkId
  answer?: (method: string, params: unknown) => unknown
} = {}) {
  const page = pageSide(({ method, params }) => answer(method, params?.[0]))
  const networks = configured(ids)
  const chain = testEsplora(key, [{ value: 100_000n }], { '2': 3 })
  const deps: PageConnectorDependencies = {
    ...page,
    networks,
    preferredNetwork: () => preferred,
    clientOf: (networkId) => ({
      networkId,
      rpc: { request: () => Promise.reject(new Error()) },
      esplora: chain.esplora,
    }),
  }
  const connector = createPageCalls(of, page, (link) => createBip122Dialect(link, deps))
  const emit = (event: string, data?: unknown, id = of.id) => page.emit({ wallet: id, event, data })
  const network = (id: CaipNetworkId): Network => {
    const [found] = configured([id]).list
    if (found === undefined) throw new Error('no network')
    return found
  }
  return { ...page, connector, chain, emit, heard: () => heardFrom(connector), network }
}

describe('createBip122Dialect', () => {
  it.each(['connect', 'reconnect'] as const)('9. %s uses the accounts that the wallet announced last', async (how) => {
    const page = setUp({
      of: withMethods('bip122_getNetwork'),
      ids: [regtest, testnet],
      answer(method) {
        if (method !== 'bip122_getNetwork') return [main]
        page.emit('accountsChanged', [test])
        return testnet
      },
    })
    const session = { accounts: [{ address: test.address }], networkId: testnet }
    const expected = how === 'connect' ? session : { kind: 'granted', session }
    expect(await page.connector[how](signal)).toMatchObject(expected)
  })

  it('9. grants nothing if the wallet withdraws its accounts before it reports its network', async () => {
    const page = setUp({
      of: withMethods('bip122_getNetwork'),
      answer(method) {
        if (method !== 'bip122_getNetwork') return local
        page.emit('accountsChanged', [])
        return regtest
      },
    })
    expect(await page.connector.connect(signal)).toBeNull()
  })

  it('1. returns accounts in the namespace’s format, payments first', async () => {
    const session = await setUp().connector.connect(signal)
    expect(session).toEqual({
      networkId: regtest,
      accounts: [
        {
          namespace: 'bip122',
          type: 'payment',
          address: key.address,
          publicKey: key.account.publicKey,
          path: "m/84'/1'/0'/0/0",
        },
        { namespace: 'bip122', type: 'ordinals', address: ordinals.address, publicKey: ordinals.account.publicKey },
      ],
    })
  })

  it('1. treats an address with both purposes as a payment address', async () => {
    const both = [{ ...main, purpose: 'ordinals' }, main]
    const session = await setUp({ ids: [mainnet], answer: () => both }).connector.connect(signal)
    expect(session?.accounts).toEqual([{ namespace: 'bip122', type: 'payment', address: main.address }])
  })

  it.each([
    [null],
    [{}],
    [[main.address]],
    [[{ ...main, address: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb' }]],
    [[main, test]],
    [[{ address: main.address }]],
    [Array.from({ length: 300 }, () => main)],
  ])('1. rejects %j as accounts', async (accounts) => {
    await expect(setUp({ answer: () => accounts }).connector.connect(signal)).rejects.toMatchObject({
      code: 'INTERNAL',
    })
  })

  it('2. prompts on connect, only reads on reconnect, and has ended without an account', async () => {
    const { connector, asked } = setUp()
    await connector.connect(signal)
    await connector.reconnect(signal)
    expect(asked.map(({ method, params, timeout }) => [method, params, timeout])).toEqual([
      ['bip122_requestAccounts', [{ network: regtest }], undefined],
      ['bip122_getAccountAddresses', [{}], 10_000],
    ])
    expect(await setUp({ answer: () => [] }).connector.reconnect(signal)).toEqual({ kind: 'ended' })
  })

  it('2. a reconnect without an answer is unknown, one that the wallet refuses has ended', async () => {
    const failing = (code: ErrorCode) => setUp({ answer: () => Promise.reject(new Failure(code)) }).connector
    expect(await failing('TIMEOUT').reconnect(signal)).toMatchObject({ kind: 'unknown', failure: { code: 'TIMEOUT' } })
    expect(await failing('UNAUTHORIZED').reconnect(signal)).toEqual({ kind: 'ended' })
  })

  describe('3. the network', () => {
    const told =
      (network: unknown, accounts: unknown = [test]) =>
      (method: string) =>
        method === 'bip122_getNetwork' ? network : accounts
    const asking = withMethods('bip122_getNetwork')
    type Row = [string, PageWallet, CaipNetworkId[], (method: string) => unknown, CaipNetworkId]
    it.each<Row>([
      ['is the wallet’s own', asking, [testnet, signet], told(signet), signet],
      ['is not one that its addresses are not of', asking, [mainnet, testnet], told(mainnet), testnet],
      ['is the preferred one where it does not tell', asking, [signet, testnet], told(null), signet],
      ['is the preferred one where it cannot tell', wallet, [signet, testnet], told(testnet), signet],
      ['is one that the wallet is for', { ...wallet, networks: [testnet] }, [signet, testnet], told(null), testnet],
      ['is that of the addresses if no configured network matches', wallet, [mainnet], told(null), testnet],
      ['is not what is no network', asking, [mainnet, testnet], told('testnet'), testnet],
      [
        'is not asked from a wallet that fails to tell',
        asking,
        [mainnet, testnet],
        (method: string) => (method === 'bip122_getNetwork' ? Promise.reject(new Failure('TIMEOUT')) : [test]),
        testnet,
      ],
    ])('%s', async (_name, of, ids, answer, expected) => {
      expect((await setUp({ of, ids, answer }).connector.connect(signal))?.networkId).toBe(expected)
    })
  })

  it('4. asks the wallet to switch, reads its network and accounts afterwards, and emits the new accounts', async () => {
    let isOnTest = false
    const of = withMethods('bip122_getNetwork', 'bip122_switchNetwork')
    const answer = (method: string) => {
      if (method === 'bip122_switchNetwork') isOnTest = true
      return method === 'bip122_getNetwork' ? (isOnTest ? testnet : mainnet) : [isOnTest ? test : main]
    }
    const { connector, heard, network, asked } = setUp({ of, ids: [mainnet, testnet], answer })
    const events = heard()
    await connector.connect(signal)
    expect(await connector.switchNetwork(network(testnet), signal)).toBe(testnet)
    expect(asked.find(({ method }) => method === 'bip122_switchNetwork')?.params).toEqual([{ network: testnet }])
    expect(events).toEqual([
      { kind: 'accounts', accounts: [{ namespace: 'bip122', address: test.address, type: 'payment' }] },
    ])
    await expect(connector.switchNetwork(network(mainnet), signal)).rejects.toMatchObject({
      code: 'CHAIN_NOT_SUPPORTED',
    })
  })

  it('4. waits for a wallet that answers a switch before it has switched', async () => {
    let reads: number | null = null
    const of = withMethods('bip122_getNetwork', 'bip122_switchNetwork')
    const isOnTest = () => reads !== null && reads > 3
    const answer = (method: string) => {
      if (method === 'bip122_switchNetwork') reads = 0
      if (method === 'bip122_getNetwork' && reads !== null) reads++
      return method === 'bip122_getNetwork' ? (isOnTest() ? testnet : mainnet) : [isOnTest() ? test : main]
    }
    const { connector, network, passed } = setUp({ of, ids: [mainnet, testnet], answer })
    await connector.connect(signal)
    expect(await connector.switchNetwork(network(testnet), signal)).toBe(testnet)
    expect(passed).toEqual([50, 50, 50])
  })

  it('4. switches without the wallet only if the addresses are valid on both networks', async () => {
    const { connector, network, methods } = setUp({ ids: [testnet, signet, mainnet], answer: () => [test] })
    await connector.connect(signal)
    expect(await connector.switchNetwork(network(signet), signal)).toBe(signet)
    await expect(connector.switchNetwork(network(mainnet), signal)).rejects.toMatchObject({
      code: 'CHAIN_NOT_SUPPORTED',
    })
    expect(methods()).toEqual(['bip122_requestAccounts'])
  })

  it.each([
    ['USER_REJECTED', 'USER_REJECTED'],
    ['CHAIN_NOT_ADDED', 'CHAIN_NOT_SUPPORTED'],
  ] as const)('4. maps a switch that fails with %s to %s', async (thrown, code) => {
    const answer = (method: string) =>
      method === 'bip122_switchNetwork' ? Promise.reject(new Failure(thrown)) : [main]
    const { connector, network } = setUp({ of: withMethods('bip122_switchNetwork'), ids: [mainnet, testnet], answer })
    await connector.connect(signal)
    await expect(connector.switchNetwork(network(testnet), signal)).rejects.toMatchObject({ code })
  })

  const pay = { recipientAddress: recipient.address, amount: '50000' }
  it.each([
    ['bip122_signMessage', { address: recipient.address, message: 'm' }, 'UNAUTHORIZED'],
    ['bip122_signMessage', { message: 'm' }, 'INVALID_PARAMS'],
    ['bip122_signPsbt', { psbt: 'AAAA', signInputs: [{ index: 0, address: recipient.address }] }, 'UNAUTHORIZED'],
    ['bip122_signPsbt', { psbt: 'AAAA', signInputs: [{ index: -1, address: key.address }] }, 'INVALID_PARAMS'],
    ['bip122_sendTransfer', { ...pay, amount: '0.5' }, 'INVALID_PARAMS'],
    ['bip122_sendTransfer', { ...pay, amount: 50_000 }, 'INVALID_PARAMS'],
    ['bip122_sendTransfer', { ...pay, amount: '-1' }, 'INVALID_PARAMS'],
    ['bip122_sendTransfer', { ...pay, recipientAddress: main.address }, 'INVALID_ADDRESS'],
    ['bip122_sendTransfer', { ...pay, changeAddress: main.address }, 'INVALID_ADDRESS'],
    ['bip122_sendTransfer', { ...pay, account: recipient.address }, 'UNAUTHORIZED'],
    ['bip122_sendTransfer', { ...pay, account: ordinals.address }, 'UNAUTHORIZED'],
    ['bip122_getNetwork', {}, 'UNSUPPORTED_METHOD'],
    ['constructor', {}, 'UNSUPPORTED_METHOD'],
  ])('5. rejects %s of %j: %s', async (method, params, code) => {
    const { connector, methods, chain } = setUp()
    await connector.connect(signal)
    await expect(connector.request(method, params, signal)).rejects.toMatchObject({ code })
    expect(methods()).toEqual(['bip122_requestAccounts'])
    expect(chain.sent).toEqual([])
  })

  it('5. requests nothing from a wallet that grants no account', async () => {
    const { connector, methods } = setUp({ answer: () => [] })
    const requests = [
      ['bip122_signPsbt', { psbt: 'AAAA', signInputs: [] }],
      ['bip122_sendTransfer', pay],
      ['bip122_signMessage', { address: key.address, message: 'm' }],
    ] as const
    for (const [method, params] of requests)
      await expect(connector.request(method, params, signal)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
    expect(new Set(methods())).toEqual(new Set(['bip122_getAccountAddresses']))
  })

  it('5. forwards parsed params in the namespace’s format', async () => {
    const answer = (method: string) =>
      method === 'bip122_signMessage' ? { address: key.address, signature: 'AAAA' } : local
    const { connector, asked } = setUp({ answer })
    const params = [{ address: key.address.toUpperCase(), message: 'm', protocol: 'bip322' }]
    expect(await connector.request('bip122_signMessage', params, signal)).toEqual({
      address: key.address,
      signature: 'AAAA',
    })
    expect(asked.map(({ method }) => method)).toEqual(['bip122_getAccountAddresses', 'bip122_signMessage'])
    expect(asked[1]?.params).toEqual([{ address: key.address, message: 'm', protocol: 'bip322' }])
  })

  const signing = (method: string, params: unknown): unknown =>
    method === 'bip122_signPsbt' ? { psbt: key.sign(Object(params).psbt) } : local

  it('6. builds and sends the transfer for a wallet that only signs', async () => {
    const { connector, chain, asked } = setUp({ answer: signing })
    await connector.connect(signal)
    const answer = await connector.request('bip122_sendTransfer', pay, signal)
    const [hex = ''] = chain.sent
    expect(answer).toEqual({ txid: Transaction.fromHex(hex).getId() })
    expect(asked.at(-1)?.params).toEqual([
      { psbt: expect.any(String), signInputs: [{ index: 0, address: key.address }], network: regtest },
    ])
  })

  it('6. lets a wallet that can send do the transfer', async () => {
    const txid = 'ab'.repeat(32)
    const answer = (method: string) => (method === 'bip122_sendTransfer' ? { txid } : local)
    const { connector, chain, asked } = setUp({ of: withMethods('bip122_sendTransfer'), answer })
    await connector.connect(signal)
    expect(await connector.request('bip122_sendTransfer', pay, signal)).toEqual({ txid })
    expect(asked.at(-1)?.params).toEqual([{ ...pay, account: key.address }])
    expect(chain.requests).toEqual([])
  })

  it('6. broadcasts a PSBT itself, but only if asked to', async () => {
    let psbt = ''
    const { connector, chain, asked } = setUp({
      answer(method, params) {
        if (method === 'bip122_signPsbt' && psbt === '') {
          psbt = Object(params).psbt
          throw new Failure('USER_REJECTED')
        }
        return signing(method, params)
      },
    })
    await connector.request('bip122_sendTransfer', pay, signal).catch(() => {})
    const params = { psbt, signInputs: [{ index: 0, address: key.address }] }
    expect(await connector.request('bip122_signPsbt', params, signal)).toEqual({ psbt: key.sign(psbt) })
    expect(chain.sent).toEqual([])
    const sent = await connector.request('bip122_signPsbt', { ...params, broadcast: true }, signal)
    expect(asked.at(-1)?.params).toEqual([{ ...params, network: regtest }])
    expect(chain.sent).toHaveLength(1)
    expect(sent).toEqual({ psbt: key.sign(psbt), txid: Transaction.fromHex(chain.sent[0] ?? '').getId() })
  })

  it('6. sends nothing on a network that is not configured', async () => {
    const { connector, chain } = setUp({ ids: [mainnet], answer: signing })
    await connector.connect(signal)
    await expect(connector.request('bip122_sendTransfer', pay, signal)).rejects.toMatchObject({
      code: 'CHAIN_NOT_SUPPORTED',
    })
    expect(chain.requests).toEqual([])
  })

  it('7. does not wait for the wallet on disconnect', async () => {
    const { connector, methods } = setUp({ of: withMethods('bip122_disconnect'), answer: () => new Promise(() => {}) })
    await connector.disconnect()
    expect(methods()).toEqual(['bip122_disconnect'])
  })

  it('8. emits only its own wallet’s valid events; new accounts bring their network', async () => {
    const { heard, emit, listeners, connector } = setUp({ ids: [mainnet, testnet], answer: () => [main] })
    await connector.connect(signal)
    const events = heard()
    emit('accountsChanged', [test])
    emit('accountsChanged', [main], 'w2')
    emit('accountsChanged', [main, test])
    emit('accountsChanged', [main.address])
    emit('chainChanged', signet)
    emit('chainChanged', 'eip155:1')
    emit('chainChanged', 'livenet')
    emit('disconnect')
    expect(events).toEqual([
      { kind: 'accounts', accounts: [{ namespace: 'bip122', address: test.address, type: 'payment' }] },
      { kind: 'network', networkId: testnet },
      { kind: 'network', networkId: signet },
      { kind: 'disconnected' },
    ])
    connector.listen(() => {})()
    expect(listeners.size).toBe(1)
  })
})
