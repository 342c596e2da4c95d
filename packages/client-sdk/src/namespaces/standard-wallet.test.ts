import { StandardWalletAdapter } from '@solana/wallet-standard-wallet-adapter-base'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { fromBase58, fromBase64, toBase58, toBase64 } from '../adapters/bytes'
import { createProviders } from '../adapters/index'
import { testPage } from '../testing/page'
import { solanaKey } from '../testing/wallets'
import type { Connection, PosternOptions } from '../types/index'
import { findWallets } from './find-wallets'
import { registerStandardWallet } from './standard-wallet'

const localnet = 'solana:PosternDevnet1111111111111111111'
const payment = 'bc1qetcn9fdtzq3wez6vrljjyry225ml7j52h3kwgl'
const taproot = 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr'
const key = '0328e268de2bd09f703b379d20b8a53fdc9c599a09a8c2fcd9c35e7b3cc48d0ece'
const signature = new Uint8Array(64).fill(7)
const solana: Connection = {
  status: 'connected',
  connector: { id: 'c', name: 'W', type: 'WALLET_CONNECT' },
  accounts: [{ namespace: 'solana', address: solanaKey, type: 'eoa' }],
  networkId: localnet,
}
const bip122: Connection = {
  status: 'connected',
  connector: { id: 'b', name: 'B', type: 'ANNOUNCED' },
  accounts: [
    { namespace: 'bip122', address: payment, type: 'payment', publicKey: key },
    { namespace: 'bip122', address: taproot, type: 'ordinals', publicKey: key },
  ],
  networkId: 'bip122:000000000019d6689c085ae165831e93',
}

type Wallet = {
  readonly name: string
  readonly chains: readonly string[]
  readonly accounts: readonly { address: string; publicKey: Uint8Array; chains: string[]; features: string[] }[]
  readonly features: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Does what the library's `getWallets` does. */
function app(window: EventTarget) {
  const wallets: Wallet[] = []
  const register = (...given: Wallet[]) => void wallets.push(...given.filter((wallet) => !wallets.includes(wallet)))
  window.addEventListener('wallet-standard:register-wallet', (event) => Reflect.get(event, 'detail')({ register }))
  window.dispatchEvent(Object.assign(new Event('wallet-standard:app-ready'), { detail: { register } }))
  return wallets
}

function setUp(networks: PosternOptions['networks'] = [localnet, 'solana', 'bitcoin', 'ethereum'], first: object = {}) {
  const comes = { code: true }
  const window = Object.assign(new EventTarget(), { navigator: {} })
  const page = testPage({ phase: 'ready', ...first })
  page.grant(solana)
  let loads = 0
  const providers = createProviders(page.page, () => [], '0.0.0')
  const start = (namespace: 'solana' | 'bip122' = 'solana') =>
    registerStandardWallet({
      identity: { name: 'Postern', icon: 'data:image/svg+xml,x' },
      ...page.page,
      window,
      networks,
      namespace,
      async load() {
        loads++
        if (!comes.code) throw new Error('offline')
        return providers
      },
    })
  const call = (wallet: Wallet | undefined, feature: string, ...inputs: unknown[]): Promise<unknown> => {
    const member = wallet?.features[feature]?.[feature.slice(feature.indexOf(':') + 1)]
    if (typeof member !== 'function') throw new Error(`${feature} is not offered`)
    return Reflect.apply(member, undefined, inputs)
  }
  return { window, ...page, start, call, comes, loads: () => loads }
}

describe('1. each app sees Postern once', () => {
  test('regardless of load order and repeated requests', () => {
    const { window, start, loads } = setUp()
    const early = app(window)
    const stop = start()
    const late = app(window)
    window.dispatchEvent(Object.assign(new Event('wallet-standard:app-ready'), { detail: { register() {} } }))
    expect([early.length, late.length, early[0] === late[0]]).toEqual([1, 1, true])
    expect(early[0]).toMatchObject({
      version: '1.0.0',
      name: 'Postern',
      chains: ['solana:localnet', 'solana:mainnet'],
      accounts: [],
    })
    expect(loads()).toBe(0)
    stop()
    expect(app(window)).toEqual([])
  })

  test('and Postern does not list itself as a wallet', () => {
    const { window, start } = setUp()
    const options = { window, randomId: () => 'w', ownName: 'Postern', onChange() {} }
    const adapt = async () => ({ request: async () => null, on: () => () => {} })
    const wallets = findWallets({ ...options, namespaces: ['solana', 'bip122'], adapt })
    start()
    expect(wallets.list()).toEqual([])
  })

  test('even if another app throws', () => {
    const { window, start } = setUp()
    start()
    const hostile = {
      register: () => {
        throw new Error('no')
      },
    }
    expect(() =>
      window.dispatchEvent(Object.assign(new Event('wallet-standard:app-ready'), { detail: hostile })),
    ).not.toThrow()
    expect(app(window)).toHaveLength(1)
  })
})

describe('2. a Solana app has no Bitcoin account', () => {
  function inWalletAdapter() {
    vi.stubGlobal('window', globalThis)
    vi.stubGlobal('document', {})
    onTestFinished(() => void vi.unstubAllGlobals())
    const page = setUp()
    page.start('solana')
    page.start('bip122')
    const [wallet, other] = app(page.window)
    const adapter = new StandardWalletAdapter(Object({ wallet }))
    const events: string[] = []
    adapter.on('connect', () => void events.push('connect'))
    adapter.on('disconnect', () => void events.push('disconnect'))
    adapter.on('error', ({ name }) => void events.push(name))
    return { ...page, adapter, events, wallet, other }
  }

  test('so wallet-adapter connects while only Bitcoin is connected', async () => {
    const { adapter, events, set, other } = inWalletAdapter()
    set({ connections: { bip122 } })
    await expect.poll(() => other?.accounts.length).toBe(2)
    await adapter.connect()
    expect([adapter.publicKey?.toBase58(), events]).toEqual([solanaKey, ['connect']])
  })

  test('so Bitcoin’s changes do not reach wallet-adapter, and it notices that Solana disconnects', async () => {
    const { adapter, events, set, wallet, other } = inWalletAdapter()
    await adapter.connect()
    const before = wallet?.accounts
    set({ connections: { solana, bip122 } })
    await expect.poll(() => other?.accounts.length).toBe(2)
    expect([wallet?.accounts, events]).toEqual([before, ['connect']])
    set({ connections: { bip122 } })
    await expect.poll(() => adapter.connected).toBe(false)
    expect(events).toEqual(['connect', 'WalletDisconnectedError', 'disconnect'])
  })
})

describe('3. connecting', () => {
  test('opens the modal for Solana and returns the accounts', async () => {
    const { window, start, call, asked } = setUp()
    start()
    const [wallet] = app(window)
    const answer = await call(wallet, 'standard:connect')
    expect(answer).toEqual({ accounts: wallet?.accounts })
    expect(wallet?.accounts).toEqual([
      {
        address: solanaKey,
        publicKey: fromBase58(solanaKey),
        chains: ['solana:localnet', 'solana:mainnet'],
        features: ['solana:signMessage', 'solana:signTransaction', 'solana:signAndSendTransaction', 'solana:signIn'],
      },
    ])
    expect(asked.connects).toEqual(['solana'])
    await call(wallet, 'standard:disconnect')
    expect([asked.disconnects, wallet?.accounts]).toEqual([['solana'], []])
  })

  test('silent: returns the connected accounts without asking the user', async () => {
    const { window, start, call, asked } = setUp()
    start()
    const [wallet] = app(window)
    expect(await call(wallet, 'standard:connect', { silent: true })).toEqual({ accounts: [] })
    expect(asked.connects).toEqual([])
  })

  test('returns the accounts even if loading the code failed on an earlier change', async () => {
    const { window, start, call, set, comes } = setUp()
    start()
    const [wallet] = app(window)
    comes.code = false
    set({ connections: { solana } })
    await expect(call(wallet, 'standard:connect')).rejects.toThrow('offline')
    comes.code = true
    expect(await call(wallet, 'standard:connect')).toMatchObject({ accounts: [{ address: solanaKey }] })
  })

  test('silent: waits for a session that is being restored', async () => {
    const accounts = solana.status === 'connected' ? solana.accounts : []
    const { window, start, call, set } = setUp([localnet], {
      connections: { solana: { status: 'connecting', accounts } },
    })
    start()
    const [wallet] = app(window)
    const answer = call(wallet, 'standard:connect', { silent: true })
    set({ connections: { solana } })
    expect(await answer).toMatchObject({ accounts: [{ address: solanaKey }] })
  })

  test('Bitcoin uses bitcoin:connect and returns the requested purposes in their order', async () => {
    const { window, start, call, grant, asked } = setUp()
    grant(bip122)
    start('bip122')
    const [wallet] = app(window)
    const own = { chains: ['bitcoin:mainnet'], publicKey: Uint8Array.from(Buffer.from(key, 'hex')) }
    const [first, second] = [
      { ...own, address: payment, purpose: 'payment' },
      { ...own, address: taproot, purpose: 'ordinals' },
    ]
    expect(await call(wallet, 'bitcoin:connect', { purposes: ['payment'] })).toMatchObject({ accounts: [first] })
    expect(await call(wallet, 'bitcoin:connect', { purposes: ['ordinals', 'payment'] })).toMatchObject({
      accounts: [second, first],
    })
    expect(await call(wallet, 'bitcoin:connect')).toMatchObject({ accounts: [first, second] })
    expect(await call(wallet, 'bitcoin:connect', { purposes: [] })).toEqual({ accounts: [] })
    expect(asked.connects).toEqual(['bip122'])
  })
})

test('4. a change fires an event, and accounts stay the same objects between changes', async () => {
  const { window, start, set } = setUp([localnet])
  start()
  const [wallet] = app(window)
  const on = wallet?.features['standard:events']?.on
  if (typeof on !== 'function') throw new Error('No events')
  const changed = new Promise<unknown>((resolve) => on('change', resolve))
  set({ connections: { solana } })
  expect(await changed).toEqual({ accounts: wallet?.accounts })
  const before = wallet?.accounts
  set({ open: true })
  expect(wallet?.accounts).toBe(before)
})

test('5. accepts networks by alias, id and definition, and omits those without a standard name', () => {
  const nativeCurrency = { name: 'x', symbol: 'x', decimals: 9 }
  const own = { id: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', name: 'D', nativeCurrency } as const
  const { window, start } = setUp(['solana-testnet', own, 'solana:unknown', 'solana-nowhere', 'solana-testnet'])
  start()
  expect(app(window)[0]?.chains).toEqual(['solana:testnet', 'solana:devnet'])
  expect(Object.keys(app(window)[0]?.features ?? {})).not.toContain('bitcoin:connect')
})

describe('signing', () => {
  const connected = { connections: { solana, bip122 } }
  const account = { address: solanaKey }
  test('signs a message with the account and chain that the app names', async () => {
    const { window, start, call, answers, asked } = setUp(undefined, connected)
    start()
    answers.host = async () => ({ signature: toBase58(signature) })
    const message = Uint8Array.of(1, 2)
    const answer = await call(app(window)[0], 'solana:signMessage', { account, message, chain: 'solana:localnet' })
    expect(answer).toEqual([{ signedMessage: message, signature }])
    expect(asked.host).toMatchObject([
      { method: 'solana_signMessage', networkId: localnet, params: { message: toBase58(message), pubkey: solanaKey } },
    ])
    const signedMessage = Uint8Array.of(255, 1, 2)
    answers.host = async () => ({ signature: toBase58(signature), signedMessage: toBase58(signedMessage) })
    expect(await call(app(window)[0], 'solana:signMessage', { account, message })).toEqual([
      { signedMessage, signature },
    ])
  })

  test('signs a message of Bitcoin whose bytes are text, and no others', async () => {
    const { window, start, call, answers, asked } = setUp(undefined, { connections: { bip122 } })
    start('bip122')
    const [wallet] = app(window)
    answers.host = async () => ({ address: payment, signature: 'c2ln' })
    const sign = (message: unknown) => call(wallet, 'bitcoin:signMessage', { account: { address: payment }, message })
    for (const message of [Uint8Array.of(0xff, 0xfe, 0), Uint8Array.of(0xed, 0xa0, 0x80), 'text', undefined])
      await expect(sign(message)).rejects.toMatchObject({ code: -32602 })
    expect(asked.host).toEqual([])
    const message = new TextEncoder().encode('\ufeffÄ 👋')
    expect(await sign(message)).toEqual([{ signedMessage: message, signature: fromBase64('c2ln') }])
    expect(asked.host).toMatchObject([{ params: { address: payment, message: '\ufeffÄ 👋' } }])
  })

  test('signs in: connects first, and returns the account that the wallet lists', async () => {
    const { window, start, call, answers, asked } = setUp()
    start()
    const [wallet] = app(window)
    const text = 'dapp.example wants you to sign in with your Solana account'
    const message = new TextEncoder().encode(text)
    answers.host = async () => ({
      address: solanaKey,
      message: toBase58(message),
      signature: toBase58(signature),
    })
    const answer = await call(wallet, 'solana:signIn', { nonce: 'a1b2c3d4' })
    expect(answer).toEqual([{ account: wallet?.accounts[0], signedMessage: message, signature }])
    expect(Object(answer)[0].account).toBe(wallet?.accounts[0])
    expect(asked.connects).toEqual(['solana'])
    expect(asked.host).toMatchObject([{ method: 'solana_signIn', params: { nonce: 'a1b2c3d4' } }])
  })

  test('asks separately for each network when transactions have several', async () => {
    const { window, start, call, answers, asked } = setUp(undefined, connected)
    start()
    const [wallet] = app(window)
    answers.host = async () => ({ signature: toBase58(signature), transaction: 'Ag==' })
    const input = { account, transaction: Uint8Array.of(1), chain: 'solana:mainnet' }
    await call(wallet, 'solana:signTransaction', input, { ...input, chain: 'solana:localnet' })
    expect(asked.host).toMatchObject([
      { method: 'solana_signTransaction', params: { network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' } },
      { method: 'solana_signTransaction', params: { network: localnet } },
    ])
    const elsewhere = { ...input, chain: 'solana:nowhere' }
    await expect(call(wallet, 'solana:signAndSendTransaction', elsewhere)).rejects.toMatchObject({ code: -32602 })
    expect(asked.host).toHaveLength(2)
  })

  test('signs one transaction or several, and sends one', async () => {
    const { window, start, call, answers, asked } = setUp(undefined, connected)
    start()
    const [wallet] = app(window)
    const transaction = Uint8Array.of(1)
    const signed = Uint8Array.of(2)
    answers.host = async () => ({
      signature: toBase58(signature),
      transaction: toBase64(signed),
      transactions: [toBase64(signed), toBase64(signed)],
    })
    const input = { account, transaction, chain: 'solana:mainnet' }
    expect(await call(wallet, 'solana:signTransaction', input)).toEqual([{ signedTransaction: signed }])
    expect(await call(wallet, 'solana:signTransaction', input, input)).toEqual([
      { signedTransaction: signed },
      { signedTransaction: signed },
    ])
    const options = { skipPreflight: true }
    expect(await call(wallet, 'solana:signAndSendTransaction', { ...input, options })).toEqual([{ signature }])
    expect(asked.host).toMatchObject([
      { method: 'solana_signTransaction' },
      { method: 'solana_signAllTransactions', params: { transactions: ['AQ==', 'AQ=='] } },
      {
        method: 'solana_signAndSendTransaction',
        params: { sendOptions: options, network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' },
      },
    ])
    expect(wallet?.features['solana:signTransaction']).toMatchObject({ supportedTransactionVersions: ['legacy', 0] })
  })

  test('signs a Bitcoin PSBT', async () => {
    const { window, start, call, answers, asked } = setUp(undefined, connected)
    start('bip122')
    answers.host = async () => ({ psbt: 'Ag==' })
    const inputsToSign = [{ account: { address: payment }, signingIndexes: [0, 3], sigHash: 'ALL' }]
    const answer = await call(app(window)[0], 'bitcoin:signTransaction', { psbt: Uint8Array.of(1), inputsToSign })
    expect(answer).toEqual([{ signedPsbt: Uint8Array.of(2) }])
    expect(asked.host).toMatchObject([
      {
        method: 'bip122_signPsbt',
        params: {
          psbt: 'AQ==',
          signInputs: [
            { index: 0, address: payment, sighashTypes: [1] },
            { index: 3, address: payment, sighashTypes: [1] },
          ],
        },
      },
    ])
  })

  test('a rejection reaches the app with its error code', async () => {
    const { window, start, call, answers } = setUp(undefined, connected)
    start()
    answers.host = async () => ({})
    const failing = call(app(window)[0], 'solana:signMessage', { account, message: Uint8Array.of(1) })
    await expect(failing).rejects.toMatchObject({ code: -32602 })
    await expect(call(app(window)[0], 'solana:signMessage', 'no input')).rejects.toMatchObject({ code: -32602 })
  })
})
