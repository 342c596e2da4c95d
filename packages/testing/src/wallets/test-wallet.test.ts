// @vitest-environment jsdom
import { createServer, type Server } from 'node:http'
import { isHex, parseTransaction, recoverTransactionAddress, verifyMessage, verifyTypedData } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createTestWallet } from './test-wallet'
import type { TestWalletOptions } from './types'

const keys = [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`] as const
const [ada, bob] = keys.map((key) => privateKeyToAccount(key).address)

/** A node of chain 31337 that keeps the raw transactions that it gets. */
let node: Server
let rpcUrl = ''
let sent: `0x${string}`[] = []
const Call = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) })

beforeAll(async () => {
  const block = { baseFeePerGas: '0x1', number: '0x1', timestamp: '0x1', gasLimit: '0x1c9c380', transactions: [] }
  const answers: Record<string, unknown> = {
    eth_chainId: '0x7a69',
    eth_blockNumber: '0x7',
    eth_getTransactionCount: '0x3',
    eth_estimateGas: '0x5208',
    eth_maxPriorityFeePerGas: '0x1',
    eth_getBlockByNumber: block,
  }
  node = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { id, method, params } = Call.parse(JSON.parse(body))
    const [raw] = params
    if (method === 'eth_sendRawTransaction' && isHex(raw)) sent.push(raw)
    const result = method === 'eth_sendRawTransaction' ? `0x${'ab'.repeat(32)}` : answers[method]
    const answer = result === undefined ? { error: { code: -32601, message: `no ${method}` } } : { result }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })
  await new Promise<void>((listening) => node.listen(0, '127.0.0.1', listening))
  const address = node.address()
  if (address === null || typeof address === 'string') throw new Error('The node has no port.')
  rpcUrl = `http://127.0.0.1:${address.port}`
})
afterAll(() => void node.close())
beforeEach(() => {
  sent = []
})

const setUp = (options: TestWalletOptions = {}) =>
  createTestWallet({ privateKeys: keys, chains: [{ id: 31337, name: 'Local', rpcUrl }], ...options })

async function setUpConnected(options: TestWalletOptions = {}) {
  const wallet = setUp(options)
  await wallet.provider.request({ method: 'eth_requestAccounts' })
  return wallet
}

function hex(value: unknown): `0x${string}` {
  if (!isHex(value)) throw new Error(`expected hexadecimal characters, got ${String(value)}`)
  return value
}

const typedData = {
  domain: { name: 'Shop', version: '1', chainId: 31337 },
  types: {
    Order: [{ name: 'item', type: 'string' }],
  },
  primaryType: 'Order',
  message: { item: 'tea' },
} as const

describe('1. accounts', () => {
  test('a dapp sees no account before it connects', async () => {
    const wallet = setUp()
    expect(await wallet.provider.request({ method: 'eth_accounts' })).toEqual([])
    await expect(wallet.provider.request({ method: 'personal_sign', params: ['hello', ada] })).rejects.toMatchObject({
      code: 4100,
    })
    expect(await wallet.provider.request({ method: 'eth_requestAccounts' })).toEqual([ada])
    expect(await wallet.provider.request({ method: 'eth_chainId' })).toBe('0x7a69')
  })

  test('another account, a lock and a disconnect reach the dapp as events', async () => {
    const wallet = await setUpConnected()
    const events: unknown[] = []
    wallet.provider.on('accountsChanged', (accounts) => events.push(accounts))
    wallet.switchAccount(1)
    wallet.lock()
    wallet.unlock()
    wallet.disconnect()
    expect(events).toEqual([[bob], [], [bob], []])
    expect(() => wallet.switchAccount(2)).toThrow(/add a private key/)
    expect(wallet.address).toBe(bob)
  })
})

describe('signatures', () => {
  test('verify for messages and typed data', async () => {
    const wallet = await setUpConnected()
    const signature = hex(await wallet.provider.request({ method: 'personal_sign', params: ['hello', ada] }))
    expect(await verifyMessage({ address: wallet.address, message: 'hello', signature })).toBe(true)
    const params = [ada, JSON.stringify(typedData)]
    const typed = hex(await wallet.provider.request({ method: 'eth_signTypedData_v4', params }))
    expect(await verifyTypedData({ address: wallet.address, ...typedData, signature: typed })).toBe(true)
  })

  test('a transaction reaches the node, signed by the account', async () => {
    const wallet = await setUpConnected()
    const params = [{ from: ada, to: bob, value: '0x5' }]
    const hash = await wallet.provider.request({ method: 'eth_sendTransaction', params })
    expect(hash).toBe(`0x${'ab'.repeat(32)}`)
    const [serializedTransaction] = sent
    if (serializedTransaction?.startsWith('0x02') !== true) throw new Error('no EIP-1559 transaction was sent')
    expect(parseTransaction(serializedTransaction)).toMatchObject({ chainId: 31337, nonce: 3, value: 5n })
    const signer = await recoverTransactionAddress({ serializedTransaction: `0x02${serializedTransaction.slice(4)}` })
    expect(signer).toBe(ada)
  })
})

describe('2. what the user does', () => {
  test('decline is 4001, for one method or for all', async () => {
    const wallet = await setUpConnected()
    const sign = () => wallet.provider.request({ method: 'personal_sign', params: ['hello', ada] })
    wallet.behave('decline', 'personal_sign')
    await expect(sign()).rejects.toMatchObject({ code: 4001 })
    await wallet.provider.request({ method: 'eth_signTypedData_v4', params: [ada, JSON.stringify(typedData)] })
    wallet.behave('approve')
    await sign()
    expect(wallet.requests.map(({ outcome }) => outcome.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ])
  })

  test('a declined connection shows no account', async () => {
    const wallet = setUp({ behaviour: 'decline' })
    await expect(wallet.provider.request({ method: 'eth_requestAccounts' })).rejects.toMatchObject({ code: 4001 })
    expect(await wallet.provider.request({ method: 'eth_accounts' })).toEqual([])
  })

  test('a question waits for the test, which sees what the user would see', async () => {
    const wallet = await setUpConnected()
    wallet.behave('wait')
    const signed = wallet.provider.request({ method: 'personal_sign', params: ['hello', ada] })
    const question = await wallet.question('personal_sign')
    expect(question).toMatchObject({ title: 'Sign a message', raw: 'hello', rows: [{ label: 'Account', value: ada }] })
    expect(wallet.requests.at(-1)?.outcome).toEqual({ status: 'pending' })
    question.approve()
    question.decline()
    expect(await verifyMessage({ address: wallet.address, message: 'hello', signature: hex(await signed) })).toBe(true)

    const later = wallet.question()
    const declined = wallet.provider.request({ method: 'personal_sign', params: ['hello', ada] })
    ;(await later).decline()
    await expect(declined).rejects.toMatchObject({ code: 4001 })
  })

  test('a question that does not come fails, with what the dapp requested', async () => {
    const wallet = await setUpConnected()
    await expect(wallet.question('personal_sign', { timeoutMs: 1 })).rejects.toThrow(
      'The wallet waited 1 ms for a question of personal_sign. The dapp requested: eth_requestAccounts.',
    )
  })
})

describe('networks and reads', () => {
  test('an unknown chain is 4902, and adding it switches to it', async () => {
    const chain = { id: 1, name: 'Ethereum', rpcUrl: 'http://127.0.0.1:1' }
    const wallet = await setUpConnected({ chains: [chain] })
    const chainId = '0x7a69'
    const to = { method: 'wallet_switchEthereumChain', params: [{ chainId }] }
    await expect(wallet.provider.request(to)).rejects.toMatchObject({ code: 4902 })
    const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
    const params = [{ chainId, chainName: 'Local', rpcUrls: [rpcUrl], nativeCurrency }]
    await wallet.provider.request({ method: 'wallet_addEthereumChain', params })
    expect(wallet.chainId).toBe(31337)
    wallet.switchChain(1)
    await wallet.provider.request(to)
    expect(wallet.chainId).toBe(31337)
  })

  test("3. reads go to the node, and the node's errors reach the dapp", async () => {
    const wallet = setUp()
    expect(await wallet.provider.request({ method: 'eth_blockNumber' })).toBe('0x7')
    await expect(wallet.provider.request({ method: 'eth_syncing' })).rejects.toMatchObject({ code: -32601 })
    await expect(wallet.provider.request({ method: 'eth_sign' })).rejects.toMatchObject({ code: 4200 })
  })
})

describe('in a page', () => {
  test('announces itself by EIP-6963 until it is stopped; requests through it are logged', async () => {
    const wallet = setUp()
    const found: { info: { name: string }; provider: typeof wallet.provider }[] = []
    const onAnnounce = (event: Event) => found.push(Reflect.get(event, 'detail'))
    window.addEventListener('eip6963:announceProvider', onAnnounce)
    const stop = wallet.announce()
    window.dispatchEvent(new Event('eip6963:requestProvider'))
    stop()
    window.dispatchEvent(new Event('eip6963:requestProvider'))
    window.removeEventListener('eip6963:announceProvider', onAnnounce)
    expect(found.map(({ info }) => info)).toEqual([
      expect.objectContaining(wallet.info),
      expect.objectContaining(wallet.info),
    ])
    await found[0]?.provider.request({ method: 'eth_requestAccounts' })
    expect(wallet.requests.map(({ method }) => method)).toEqual(['eth_requestAccounts'])
  })
})

test('options that are not valid say which', () => {
  expect(() => createTestWallet({ privateKeys: ['0x12'] })).toThrow(/privateKeys/)
  expect(() => createTestWallet({ chains: [{ id: 0, name: 'Local', rpcUrl: 'ftp://x' }] })).toThrow(/chains/)
})
