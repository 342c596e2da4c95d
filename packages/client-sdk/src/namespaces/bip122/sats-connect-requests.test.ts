import { describe, expect, test } from 'vitest'
import { pageWallet, testPage } from '../../testing/page'
import type { Connection } from '../../types/index'
import { satsConnectMethods } from './announce'
import { createBip122 } from './provider'
import { createSatsConnectRequest } from './sats-connect-requests'

const payment = 'bc1qetcn9fdtzq3wez6vrljjyry225ml7j52h3kwgl'
const taproot = 'bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr'
const connected: Connection = {
  status: 'connected',
  connector: { id: 'c', name: 'W', type: 'AUTH' },
  accounts: [
    { namespace: 'bip122', address: payment, type: 'payment', publicKey: '02ab' },
    { namespace: 'bip122', address: taproot, type: 'ordinals' },
  ],
  networkId: 'bip122:000000000933ea01ad0ee984209779ba',
}

function setUp(connection?: Connection) {
  const page = testPage({ phase: 'ready', ...(connection && { connections: { bip122: connection } }) })
  page.grant(connected)
  const { router } = createBip122({ ...page.page, pageWallets: () => [pageWallet('bip122', [])] })
  return { ...page, request: createSatsConnectRequest(router, { version: '1.2.3', subtle: crypto.subtle }) }
}

describe('2. connecting', () => {
  test.each(['getAddresses', 'getAccounts', 'wallet_connect'])(
    '%s prompts once and filters by purpose',
    async (method) => {
      const { request, asked } = setUp()
      const purposes = ['payment']
      const answer = await request(method, method === 'wallet_connect' ? { addresses: purposes } : { purposes })
      const first = { address: payment, publicKey: '02ab', purpose: 'payment', addressType: 'p2wpkh' }
      expect(JSON.stringify(answer)).not.toContain(taproot)
      expect(JSON.stringify(answer)).toContain(JSON.stringify(first).slice(1, -1))
      expect(asked.connects).toEqual(['bip122'])
    },
  )

  test('names the network', async () => {
    const { request } = setUp(connected)
    expect(await request('wallet_getNetwork')).toMatchObject({ result: { bitcoin: { name: 'Testnet' } } })
  })

  test('reveals nothing without a connection: access denied', async () => {
    const { request, asked } = setUp()
    for (const method of ['wallet_getAccount', 'getBalance'])
      expect(await request(method)).toMatchObject({ error: { code: -32002 } })
    expect(asked.connects).toEqual([])
  })
})

describe('3. signing and sending', () => {
  test('a transfer is one recipient of whole satoshis', async () => {
    const { request, asked, answers } = setUp(connected)
    answers.host = async () => ({ txid: 'ab' })
    const recipients = [{ address: payment, amount: 1_000 }]
    expect(await request('sendTransfer', { recipients })).toMatchObject({ result: { txid: 'ab' } })
    const asText = [{ address: payment, amount: '1000' }]
    expect(await request('sendTransfer', { recipients: asText })).toMatchObject({ result: { txid: 'ab' } })
    const sent = { method: 'bip122_sendTransfer', params: { recipientAddress: payment, amount: '1000' } }
    expect(asked.host).toMatchObject([sent, sent])
    const unsafe = Number.MAX_SAFE_INTEGER + 1
    const amounts = [0.5, -1, '0x10', '1e3', '', ' 1', unsafe, 1e30, Number.NaN, [5], null, undefined].map((amount) => [
      { address: payment, amount },
    ])
    for (const wrong of [[], [...recipients, ...recipients], [...recipients, undefined], 'all', ...amounts])
      expect(await request('sendTransfer', { recipients: wrong })).toMatchObject({ error: { code: -32602 } })
    expect(asked.host).toHaveLength(2)
  })

  test.each([
    ['by address', { [payment]: [0, 2] }],
    [
      'one by one',
      [
        { index: 0, address: payment, publicKey: '02ab' },
        { index: 2, address: payment },
      ],
    ],
  ])('a PSBT’s inputs are listed %s', async (_, signInputs) => {
    const { request, asked, answers } = setUp(connected)
    answers.host = async () => ({ psbt: 'cHNidA==' })
    await request('signPsbt', { psbt: 'cHNidP8=', signInputs, broadcast: false })
    expect(asked.host).toMatchObject([
      {
        params: {
          psbt: 'cHNidP8=',
          signInputs: [
            { index: 0, address: payment },
            { index: 2, address: payment },
          ],
        },
      },
    ])
  })

  test.each([
    // Double SHA-256 of the prefixed text, and the tagged hash of BIP-322's own test vector.
    [payment, 'ECDSA', 'Hello World', 'a7af0baad5ae99b97fc69b3a0d1abcf3ef17f131cc4776e1bc11933ec8550f49'],
    [taproot, 'BIP322', 'Hello World', 'f0eb03b1a75ac6d9847f55c624a99169b5dccba2a31f5b23bea77ba270de0a7a'],
  ])('a message for %s is signed by %s, with its hash', async (address, protocol, message, hash) => {
    const { request, answers, asked } = setUp(connected)
    answers.host = async () => ({ address, signature: 'c2ln' })
    const answer = await request('signMessage', { address, message })
    expect(answer).toMatchObject({
      result: { address, signature: 'c2ln', protocol, messageHash: hash },
    })
    expect(asked.host).toMatchObject([{ params: { protocol: protocol.toLowerCase() } }])
  })
})

describe('1. and 4. every response is JSON-RPC', () => {
  test('a refusal has sats-connect’s number', async () => {
    const { request, answers } = setUp(connected)
    answers.host = () => Promise.reject(Object.assign(new Error('User rejected the request'), { code: 4001 }))
    const answer = await request('signMessage', { address: payment, message: 'x' })
    expect(answer).toEqual({
      jsonrpc: '2.0',
      id: '1',
      error: { code: -32000, message: 'User rejected the request' },
    })
  })

  test('unknown names never reach a wallet', async () => {
    const { request, asked } = setUp(connected)
    for (const method of ['stx_getAccounts', 'constructor', '__proto__', '', null, 7, {}])
      expect(await request(method, {})).toMatchObject({ error: { code: -32601 } })
    expect(asked.host).toEqual([])
  })

  test('each listed method has an answer', async () => {
    for (const method of satsConnectMethods) {
      const { request, answers } = setUp(connected)
      answers.host = async () => ({})
      expect(JSON.stringify(await request(method, {}))).not.toContain('-32601')
    }
  })
})
