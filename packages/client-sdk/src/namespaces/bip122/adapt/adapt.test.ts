import { BitcoinAccount, bip122Requests, CaipNetworkId } from '@postern/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { toBase64, toHex } from '../../../adapters/bytes'
import { adapt } from '../../../adapters/index'
import { account, standardWallet } from '../../../testing/wallets'
import type { Source } from '../../contract'

const payment = 'bc1qetcn9fdtzq3wez6vrljjyry225ml7j52h3kwgl'
const ordinals = 'bc1ph65ywff65f0nl84xaxwdxgc2rc2gpr70tptllffktt3qzyx859zsp3zvwl'
const key = '0328e268de2bd09f703b379d20b8a53fdc9c599a09a8c2fcd9c35e7b3cc48d0ece'
const psbt = Uint8Array.from([0x70, 0x73, 0x62, 0x74, 0xff, 1])
const signed = Uint8Array.from([0x70, 0x73, 0x62, 0x74, 0xff, 2])
const signature = new Uint8Array(65).fill(31)
const txid = 'f007551f169722ce74104d6673bd46ce193c624b8550889526d1b93820d725f7'
const signInputs = [
  { index: 0, address: payment },
  { index: 2, address: payment },
  { index: 1, address: ordinals, sighashTypes: [0x81] },
]
const transfer = { recipientAddress: payment, amount: '12000' }

type Asked = (readonly unknown[])[]

function recording(methods: Readonly<Record<string, (...args: never[]) => unknown>>) {
  const asked: Asked = []
  const listeners = new Map<string, (data: unknown) => void>()
  const provider = {
    ...Object.fromEntries(
      Object.entries(methods).map(([name, answer]) => [
        name,
        async (...args: unknown[]) => {
          asked.push([name, ...args])
          return Reflect.apply(answer, null, args)
        },
      ]),
    ),
    on: (event: string, listener: (data: unknown) => void) => listeners.set(event, listener),
    removeListener: (event: string) => listeners.delete(event),
  }
  return { provider, asked, listeners }
}

/** `request(method, params)`, like sats-connect and Leather. */
function rpcProvider(answers: Readonly<Record<string, unknown>>) {
  const asked: Asked = []
  const listeners = new Map<string, (data: unknown) => void>()
  const provider = {
    async request(method: string, params: unknown) {
      asked.push([method, params])
      const answer = answers[method]
      if (answer === undefined) return { jsonrpc: '2.0', id: '1', error: { code: -32601, message: 'Method not found' } }
      if (answer instanceof Error)
        throw Object.assign({}, { jsonrpc: '2.0', error: { code: 4001, message: answer.message } })
      return { jsonrpc: '2.0', id: '1', ...answer }
    },
    addListener(event: string, listener: (data: unknown) => void) {
      listeners.set(event, listener)
      return () => listeners.delete(event)
    },
  }
  return { provider, asked, listeners }
}

function walletOf(kind: Source['kind'], source: object) {
  const wallet = adapt({ kind, source })
  const ask = (method: string, params?: object) =>
    wallet.request({ method: `bip122_${method}`, ...(params && { params: [params] }) })
  return {
    ask,
    on: wallet.on,
    accounts: async (method = 'requestAccounts', params?: object) =>
      z.array(BitcoinAccount).parse(await ask(method, params)),
    sign: async (params: object) => bip122Requests.bip122_signPsbt.result.parse(await ask('signPsbt', params)),
    signMessage: async (params: object) =>
      bip122Requests.bip122_signMessage.result.parse(await ask('signMessage', params)),
    send: async (params: object) => bip122Requests.bip122_sendTransfer.result.parse(await ask('sendTransfer', params)),
    network: async () => z.nullable(CaipNetworkId).parse(await ask('getNetwork')),
  }
}

describe('Wallet Standard', () => {
  function setUp(accounts: readonly object[] = []) {
    const granted = [account(payment, 'bitcoin:mainnet'), account(ordinals, 'bitcoin:mainnet')]
    const standard = standardWallet(
      'Bit',
      {
        'bitcoin:connect': {
          connect: () => {
            standard.wallet.accounts = granted
            return { accounts: granted }
          },
        },
        'bitcoin:disconnect': { disconnect: () => undefined },
        'bitcoin:signMessage': { signMessage: () => ({ signature, signedMessage: signature }) },
        'bitcoin:signTransaction': { signTransaction: () => ({ signedPsbt: signed }) },
      },
      { chains: ['bitcoin:mainnet'], accounts },
    )
    return { ...standard, granted, ...walletOf('bip122Standard', standard.wallet) }
  }

  test('2. returns connected accounts without a prompt, and requests both kinds of addresses', async () => {
    const { accounts, asked } = setUp()
    expect(await accounts('getAccountAddresses')).toEqual([])
    expect(asked).toEqual([])
    const publicKey = '02'.repeat(33)
    expect(await accounts()).toEqual([
      { address: payment, publicKey, purpose: 'payment' },
      { address: ordinals, publicKey, purpose: 'ordinals' },
    ])
    expect(asked).toEqual([['bitcoin:connect', { purposes: ['payment', 'ordinals'] }]])
  })

  test('uses a taproot address for payments if it is the only one', async () => {
    const { accounts } = setUp([account(ordinals, 'bitcoin:mainnet')])
    expect(await accounts('getAccountAddresses')).toMatchObject([{ address: ordinals, purpose: 'payment' }])
  })

  test('signs messages and PSBTs, and does not send', async () => {
    const { accounts, signMessage, sign, ask, asked, granted } = setUp()
    await accounts('requestAccounts', { network: 'bip122:000000000019d6689c085ae165831e93' })
    expect(await signMessage({ address: payment, message: 'hé' })).toEqual({
      address: payment,
      signature: toBase64(signature),
    })
    expect(await sign({ psbt: toBase64(psbt), signInputs, broadcast: true })).toEqual({ psbt: toBase64(signed) })
    expect(asked.slice(1)).toEqual([
      ['bitcoin:signMessage', { account: granted[0], message: new TextEncoder().encode('hé') }],
      [
        'bitcoin:signTransaction',
        {
          psbt,
          chain: 'bitcoin:mainnet',
          inputsToSign: [
            { account: granted[0], signingIndexes: [0, 2] },
            { account: granted[1], signingIndexes: [1], sigHash: 'ALL|ANYONECANPAY' },
          ],
        },
      ],
    ])
    await expect(ask('sendTransfer', transfer)).rejects.toMatchObject({ rpc: 4200 })
  })

  test('an unshared address is 4100, malformed inputs are -32602', async () => {
    const { ask, asked } = setUp()
    await expect(ask('signMessage', { address: payment, message: 'm' })).rejects.toMatchObject({ rpc: 4100 })
    await expect(ask('signPsbt', { psbt: toBase64(psbt), signInputs: [{ index: '0' }] })).rejects.toMatchObject({
      rpc: -32602,
    })
    expect(asked).toEqual([])
  })

  test('4. rejects a signature in another format than requested', async () => {
    const { accounts, signMessage, ask } = setUp()
    await accounts()
    expect(await signMessage({ address: payment, message: 'm', protocol: 'ecdsa' })).toMatchObject({ address: payment })
    const bip322 = ask('signMessage', { address: payment, message: 'm', protocol: 'bip322' })
    await expect(bip322).rejects.toMatchObject({ rpc: 4200 })
  })

  test('emits its Bitcoin accounts until unsubscribed', async () => {
    const { on, setAccounts, changed } = setUp()
    const heard: unknown[] = []
    const end = on('accountsChanged', (accounts) => heard.push(accounts))
    await Promise.resolve()
    setAccounts([account(payment, 'bitcoin:mainnet'), account(ordinals, 'solana:mainnet')])
    setAccounts([])
    expect(heard).toEqual([[expect.objectContaining({ address: payment, purpose: 'payment' })], []])
    end()
    expect(changed.size).toBe(0)
  })

  test('1. uses sats-connect if the wallet has it', async () => {
    const { provider, asked } = rpcProvider({ sendTransfer: { result: { txid } } })
    const source = { name: 'X', accounts: [], features: { 'sats-connect:': { provider } } }
    expect(await walletOf('bip122Standard', source).send(transfer)).toEqual({ txid })
    expect(asked).toEqual([['sendTransfer', { recipients: [{ address: payment, amount: 12_000 }] }]])
  })
})

describe('sats-connect', () => {
  const addresses = [
    { address: payment, publicKey: key, purpose: 'payment', addressType: 'p2wpkh' },
    { address: ordinals, publicKey: key.slice(2), purpose: 'ordinals', addressType: 'p2tr' },
    { address: 'SP2…', publicKey: key, purpose: 'stacks', addressType: 'stacks' },
  ]
  const shared = [
    { address: payment, publicKey: key, purpose: 'payment' },
    { address: ordinals, publicKey: key.slice(2), purpose: 'ordinals' },
  ]

  test('2. connects by wallet_connect, on the requested network', async () => {
    const { provider, asked } = rpcProvider({ wallet_connect: { result: { addresses } } })
    const { accounts } = walletOf('satsConnect', provider)
    expect(await accounts('requestAccounts', { network: 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328' })).toEqual(shared)
    expect(asked).toEqual([['wallet_connect', { addresses: ['payment', 'ordinals'], network: 'Regtest' }]])
  })

  test.each([
    [{ getAccounts: { result: addresses } }, 2],
    [{ getAddresses: { result: { addresses } } }, 3],
  ])('2. falls back to the methods of older wallets', async (answers, calls) => {
    const { provider, asked } = rpcProvider(answers)
    expect(await walletOf('satsConnect', provider).accounts()).toEqual(shared)
    expect(asked).toHaveLength(calls)
  })

  test('2. does not try another method after a rejection', async () => {
    const { provider, asked } = rpcProvider({
      wallet_connect: { error: { code: -32000, message: 'User rejected request' } },
    })
    await expect(walletOf('satsConnect', provider).accounts()).rejects.toMatchObject({
      code: 'USER_REJECTED',
      rpc: 4001,
    })
    expect(asked).toHaveLength(1)
  })

  test('3. reads granted accounts silently; without a grant, returns no accounts', async () => {
    const granted = rpcProvider({ wallet_getAccount: { result: { addresses } } })
    expect(await walletOf('satsConnect', granted.provider).accounts('getAccountAddresses')).toEqual(shared)
    const denied = rpcProvider({ wallet_getAccount: { error: { code: -32002, message: 'Access denied' } } })
    expect(await walletOf('satsConnect', denied.provider).accounts('getAccountAddresses')).toEqual([])
  })

  test('signs and sends', async () => {
    const { provider, asked } = rpcProvider({
      signMessage: { result: { signature: toBase64(signature), messageHash: 'h', address: payment } },
      signPsbt: { result: { psbt: toBase64(signed), txid } },
      wallet_getNetwork: { result: { bitcoin: { name: 'Testnet4' } } },
      wallet_changeNetwork: { result: null },
    })
    const { signMessage, sign, network, ask } = walletOf('satsConnect', provider)
    await signMessage({ address: payment, message: 'm', protocol: 'bip322' })
    expect(await sign({ psbt: toBase64(psbt), signInputs, broadcast: true })).toEqual({ psbt: toBase64(signed), txid })
    expect(await network()).toBe('bip122:00000000da84f2bafbbc53dee25a72ae')
    await ask('switchNetwork', { network: 'bip122:00000008819873e925422c1ff0f99f7c' })
    expect(asked).toEqual([
      ['signMessage', { address: payment, message: 'm', protocol: 'BIP322' }],
      ['signPsbt', { psbt: toBase64(psbt), signInputs: { [payment]: [0, 2], [ordinals]: [1] }, broadcast: true }],
      ['wallet_getNetwork', null],
      ['wallet_changeNetwork', { name: 'Signet' }],
    ])
  })

  test('emits accounts and networks until unsubscribed', async () => {
    const { provider, listeners } = rpcProvider({})
    const { on } = walletOf('satsConnect', provider)
    const heard: unknown[] = []
    const ends = [on('accountsChanged', (data) => heard.push(data)), on('chainChanged', (data) => heard.push(data))]
    await Promise.resolve()
    listeners.get('accountChange')?.({ type: 'accountChange', addresses })
    listeners.get('networkChange')?.({ type: 'networkChange', bitcoin: { name: 'Signet' } })
    expect(heard).toEqual([shared, 'bip122:00000008819873e925422c1ff0f99f7c'])
    for (const end of ends) end()
    expect(listeners.size).toBe(0)
  })
})

describe('Leather', () => {
  const addresses = [
    { symbol: 'BTC', type: 'p2wpkh', address: payment, publicKey: key, derivationPath: "m/84'/0'/1'/0/0" },
    { symbol: 'BTC', type: 'p2tr', address: ordinals, publicKey: key, derivationPath: "m/86'/0'/1'/0/0" },
    { symbol: 'STX', address: 'SP2' },
  ]

  test('1. remembers granted accounts, because every request prompts the user', async () => {
    const { provider, asked } = rpcProvider({ getAddresses: { result: { addresses } } })
    const { accounts } = walletOf('leather', provider)
    expect(await accounts('getAccountAddresses')).toEqual([])
    const shared = await accounts('requestAccounts', { network: 'bip122:000000000933ea01ad0ee984209779ba' })
    expect(shared).toEqual([
      { address: payment, publicKey: key, path: "m/84'/0'/1'/0/0", purpose: 'payment' },
      { address: ordinals, publicKey: key, path: "m/86'/0'/1'/0/0", purpose: 'ordinals' },
    ])
    expect(await accounts('getAccountAddresses')).toEqual(shared)
    expect(asked).toEqual([['getAddresses', { network: 'testnet' }]])
  })

  test('2. uses hex, and signs messages by the kind of address', async () => {
    const { provider, asked } = rpcProvider({
      signMessage: { result: { signature: toBase64(signature), address: ordinals } },
      signPsbt: { result: { hex: toHex(signed) } },
      sendTransfer: { result: { txid } },
    })
    const { signMessage, sign, send, ask } = walletOf('leather', provider)
    expect(await signMessage({ address: ordinals, message: 'm' })).toMatchObject({ address: ordinals })
    expect(await sign({ psbt: toBase64(psbt), signInputs })).toEqual({ psbt: toBase64(signed) })
    expect(await send(transfer)).toEqual({ txid })
    expect(asked).toEqual([
      ['signMessage', { message: 'm', paymentType: 'p2tr', network: 'mainnet' }],
      [
        'signPsbt',
        { hex: toHex(psbt), network: 'mainnet', broadcast: false, signAtIndex: [0, 2, 1], allowedSighash: [0x81] },
      ],
      ['sendTransfer', { recipients: [{ address: payment, amount: '12000' }], network: 'mainnet' }],
    ])
    await expect(ask('signMessage', { address: payment, message: 'm', protocol: 'ecdsa' })).rejects.toMatchObject({
      rpc: 4200,
    })
  })

  test('keeps the network if a connection to another one is rejected', async () => {
    const { provider, asked } = rpcProvider({
      getAddresses: new Error('User rejected the request'),
      sendTransfer: { result: { txid } },
    })
    const { accounts, send } = walletOf('leather', provider)
    const testnet = { network: 'bip122:000000000933ea01ad0ee984209779ba' }
    await expect(accounts('requestAccounts', testnet)).rejects.toMatchObject({ code: 'USER_REJECTED' })
    await send(transfer)
    expect(asked.at(-1)).toMatchObject(['sendTransfer', { network: 'mainnet' }])
  })

  test('3. treats its thrown response as a rejection', async () => {
    const { provider } = rpcProvider({ getAddresses: new Error('User rejected the request') })
    await expect(walletOf('leather', provider).accounts()).rejects.toMatchObject({ code: 'USER_REJECTED', rpc: 4001 })
  })
})

describe.each(['unisat', 'okx'] as const)('%s', (kind) => {
  function setUp(more: Readonly<Record<string, (...args: never[]) => unknown>> = {}) {
    const wallet = recording({
      requestAccounts: () => [ordinals],
      getAccounts: () => [],
      getPublicKey: () => key,
      getNetwork: () => 'livenet',
      signMessage: () => toBase64(signature),
      signPsbt: () => toHex(signed),
      pushPsbt: () => txid,
      sendBitcoin: () => txid,
      ...more,
    })
    return { ...wallet, ...walletOf(kind, wallet.provider) }
  }

  test('1. has one address, for payments', async () => {
    const { accounts } = setUp()
    expect(await accounts('getAccountAddresses')).toEqual([])
    expect(await accounts()).toEqual([{ address: ordinals, publicKey: key, purpose: 'payment' }])
  })

  test('2. signs without finalizing, and finalizes to send', async () => {
    const { sign, send, asked } = setUp()
    expect(await sign({ psbt: toBase64(psbt), signInputs })).toEqual({ psbt: toBase64(signed) })
    expect(await sign({ psbt: toBase64(psbt), signInputs: [], broadcast: true })).toEqual({
      psbt: toBase64(signed),
      txid,
    })
    expect(await send({ ...transfer, feeRate: 3 })).toEqual({ txid })
    expect(asked).toEqual([
      ['signPsbt', toHex(psbt), { autoFinalized: false, toSignInputs: signInputs }],
      ['getNetwork'],
      ['signPsbt', toHex(psbt), { autoFinalized: true }],
      ['pushPsbt', toHex(signed)],
      ['getNetwork'],
      ['sendBitcoin', payment, 12_000, { feeRate: 3 }],
    ])
  })

  test('4. sends nothing on another chain, though the addresses are the same', async () => {
    const { ask, asked } = setUp({ getChain: () => ({ enum: 'FRACTAL_BITCOIN_MAINNET' }) })
    await expect(ask('sendTransfer', transfer)).rejects.toMatchObject({ code: 'UNSUPPORTED_METHOD' })
    const broadcast = { psbt: toBase64(psbt), signInputs: [], broadcast: true }
    await expect(ask('signPsbt', broadcast)).rejects.toMatchObject({ code: 'UNSUPPORTED_METHOD' })
    expect(asked).toEqual([['getChain'], ['getChain']])
  })

  test('3. uses its own name for BIP-322', async () => {
    const { signMessage, asked } = setUp()
    await signMessage({ address: ordinals, message: 'm', protocol: 'bip322' })
    await signMessage({ address: ordinals, message: 'm' })
    expect(asked).toEqual([
      ['signMessage', 'm', 'bip322-simple'],
      ['signMessage', 'm', 'ecdsa'],
    ])
  })

  test('returns its network, or null for another chain', async () => {
    expect(await setUp().network()).toBe('bip122:000000000019d6689c085ae165831e93')
    const enumOf = (name: string) =>
      setUp({ getChain: () => ({ enum: name, name: 'x', network: 'testnet' }) }).network()
    expect(await enumOf('BITCOIN_SIGNET')).toBe('bip122:00000008819873e925422c1ff0f99f7c')
    expect(await enumOf('FRACTAL_BITCOIN_MAINNET')).toBeNull()
    const { ask, asked } = setUp({ switchChain: () => undefined })
    await ask('switchNetwork', { network: 'bip122:000000000933ea01ad0ee984209779ba' })
    expect(asked).toEqual([['switchChain', 'BITCOIN_TESTNET']])
  })

  test('emits accounts in the page link’s format', async () => {
    const { on, listeners } = setUp()
    const heard = new Promise((resolve) => on('accountsChanged', resolve))
    await Promise.resolve()
    listeners.get('accountsChanged')?.([payment])
    expect(await heard).toEqual([{ address: payment, publicKey: key, purpose: 'payment' }])
  })

  test('keeps the number of its rejection', async () => {
    const { accounts } = setUp({
      requestAccounts: () => {
        throw { code: 4001, message: 'User rejected the request.' }
      },
    })
    await expect(accounts()).rejects.toMatchObject({ code: 'USER_REJECTED', rpc: 4001 })
  })
})

describe('a hostile wallet', () => {
  const methods = [
    'request',
    'requestAccounts',
    'getAccounts',
    'getPublicKey',
    'getChain',
    'getNetwork',
    'signMessage',
    'signPsbt',
    'signPSBT',
  ]
  const asked = [
    'getAccountAddresses',
    'requestAccounts',
    'getNetwork',
    'signMessage',
    'signPsbt',
    'sendTransfer',
    'disconnect',
  ]
  const kinds = ['bip122Standard', 'satsConnect', 'leather', 'unisat', 'okx', 'phantom', 'solanaStandard'] as const

  test('settles every request with a result or a numbered failure, whatever it returns or throws', async () => {
    const thrower = new Proxy(
      {},
      {
        get: () => {
          throw new Error('touched')
        },
      },
    )
    const answer = fc.oneof(
      fc.anything({ withNullPrototype: true, withBigInt: true }),
      fc.constantFrom(thrower, { code: Symbol('no') }, { code: Object.create(null), message: 4n }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...kinds),
        fc.constantFrom(...asked),
        answer,
        fc.boolean(),
        async (kind, method, value, throws) => {
          const respond = async () => {
            if (throws) throw value
            return value
          }
          const source = {
            ...Object.fromEntries(methods.map((name) => [name, respond])),
            accounts: value,
            features: new Proxy(
              {},
              { get: () => ({ connect: respond, signMessage: respond, signTransaction: respond }) },
            ),
          }
          const given = { address: payment, message: 'm', psbt: toBase64(psbt), signInputs, amount: '1' }
          const namespace = kind === 'solanaStandard' ? 'solana' : 'bip122'
          await adapt({ kind, source })
            .request({ method: `${namespace}_${method}`, params: [given] })
            .catch((error: unknown) => {
              expect(error).toMatchObject({ name: 'PosternError', rpc: expect.any(Number) })
            })
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('Phantom', () => {
  test('uses bytes, remembers granted accounts, and does not send', async () => {
    const granted = [
      { address: payment, addressType: 'p2wpkh', publicKey: key, purpose: 'payment' },
      { address: ordinals, addressType: 'p2tr', publicKey: key, purpose: 'ordinals' },
    ]
    const { provider, asked } = recording({
      requestAccounts: () => granted,
      signMessage: () => ({ signature }),
      signPSBT: () => signed,
    })
    const { accounts, signMessage, sign, ask } = walletOf('phantom', provider)
    expect(await accounts('getAccountAddresses')).toEqual([])
    expect((await accounts()).map(({ purpose }) => purpose)).toEqual(['payment', 'ordinals'])
    expect(await accounts('getAccountAddresses')).toHaveLength(2)
    await signMessage({ address: payment, message: 'm' })
    expect(await sign({ psbt: toBase64(psbt), signInputs })).toEqual({ psbt: toBase64(signed) })
    expect(asked.slice(1)).toEqual([
      ['signMessage', payment, new TextEncoder().encode('m')],
      [
        'signPSBT',
        psbt,
        {
          inputsToSign: [
            { address: payment, signingIndexes: [0, 2] },
            { address: ordinals, signingIndexes: [1], sigHash: 0x81 },
          ],
        },
      ],
    ])
    await expect(ask('sendTransfer', transfer)).rejects.toMatchObject({ rpc: 4200 })
  })

  test('3. rejects a signature in another format than requested', async () => {
    const { provider } = recording({ signMessage: () => ({ signature: new Uint8Array(107) }) })
    const { ask, signMessage } = walletOf('phantom', provider)
    await signMessage({ address: payment, message: 'm', protocol: 'bip322' })
    const ecdsa = ask('signMessage', { address: payment, message: 'm', protocol: 'ecdsa' })
    await expect(ecdsa).rejects.toMatchObject({ rpc: 4200 })
  })

  test('rejects a result that is not bytes', async () => {
    const { provider } = recording({ signMessage: () => ({ signature: 'x' }), signPSBT: () => 'x' })
    const { ask } = walletOf('phantom', provider)
    await expect(ask('signMessage', { address: payment, message: 'm' })).rejects.toMatchObject({ code: 'INTERNAL' })
    await expect(ask('signPsbt', { psbt: toBase64(psbt), signInputs: [] })).rejects.toMatchObject({ code: 'INTERNAL' })
  })
})
