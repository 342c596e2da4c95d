import { describe, expect, test } from 'vitest'
import { pageWallet, testPage } from '../../testing/page'
import type { Connection } from '../../types/index'
import { createBip122 } from './provider'

const mainnet = 'bip122:000000000019d6689c085ae165831e93'
const payment = 'bc1qetcn9fdtzq3wez6vrljjyry225ml7j52h3kwgl'
const ordinals = 'bc1ph65ywff65f0nl84xaxwdxgc2rc2gpr70tptllffktt3qzyx859zsp3zvwl'
const shared = [
  { address: ordinals, publicKey: 'aa', purpose: 'ordinals' },
  { address: payment, purpose: 'payment' },
]
const connected: Connection = {
  status: 'connected',
  connector: { id: 'c', name: 'W', type: 'ANNOUNCED', pageWallet: 'w' },
  accounts: [
    { namespace: 'bip122', address: ordinals, type: 'ordinals', publicKey: 'aa' },
    { namespace: 'bip122', address: payment, type: 'payment' },
  ],
  networkId: mainnet,
}

function setUp(connection?: Connection, sends = false) {
  const page = testPage({ phase: 'ready', ...(connection && { connections: { bip122: connection } }) })
  page.grant(connected)
  const wallet = pageWallet('bip122', [
    'bip122_signMessage',
    'bip122_signPsbt',
    ...(sends ? (['bip122_sendTransfer'] as const) : []),
  ])
  return { ...page, ...createBip122({ ...page.page, pageWallets: () => [wallet] }) }
}

test('accounts keep their purpose', async () => {
  const { provider, asked } = setUp()
  expect(await provider.getAccountAddresses()).toEqual([])
  expect(await provider.connect()).toEqual(shared)
  expect(await provider.request({ method: 'bip122_getAccountAddresses' })).toEqual(shared)
  expect([provider.accounts, asked.connects]).toEqual([shared, ['bip122']])
})

test('a message is signed by the first payment address by default', async () => {
  const { provider, asked, answers } = setUp(connected)
  answers.wallet = async () => ({ address: payment, signature: 'c2ln' })
  await provider.signMessage({ message: 'm' })
  await provider.signMessage({ message: 'm', address: ordinals, protocol: 'bip322' })
  expect(asked.wallet).toEqual([
    { method: 'bip122_signMessage', params: [{ address: payment, message: 'm' }] },
    { method: 'bip122_signMessage', params: [{ address: ordinals, message: 'm', protocol: 'bip322' }] },
  ])
})

test.each([['Hi \ud83d'], ['\udc4b'], [7], [undefined]])(
  '4. a message that is no text, or has no UTF-8 form (%j), reaches no wallet',
  async (message) => {
    const { provider, asked } = setUp(connected)
    const answer = provider.request({ method: 'bip122_signMessage', params: { message } })
    await expect(answer).rejects.toMatchObject({ code: -32602 })
    expect([asked.wallet, asked.host]).toEqual([[], []])
  },
)

describe('2. a PSBT', () => {
  const request = { psbt: 'cHNidA==', signInputs: [{ index: 0, address: payment }] }
  test('is signed by the wallet', async () => {
    const { provider, asked, answers } = setUp(connected)
    answers.wallet = async () => ({ psbt: 'cHNidP8=' })
    expect(await provider.signPsbt(request)).toEqual({ psbt: 'cHNidP8=' })
    expect(asked.host).toEqual([])
  })

  test.each([
    [false, 'host'],
    [true, 'wallet'],
  ] as const)('to broadcast, if the wallet can send (%s), goes to the %s', async (sends, who) => {
    const { provider, asked, answers } = setUp(connected, sends)
    answers[who] = async () => ({ psbt: 'cHNidP8=', txid: 'ab' })
    await provider.signPsbt({ ...request, broadcast: true })
    expect([asked.host.length, asked.wallet.length]).toEqual(who === 'host' ? [1, 0] : [0, 1])
  })

  test('a transfer goes to the host if the wallet only signs', async () => {
    const { provider, asked, answers } = setUp(connected)
    answers.host = async () => ({ txid: 'ab' })
    expect(await provider.sendTransfer({ recipientAddress: payment, amount: '1' })).toEqual({ txid: 'ab' })
    expect(asked.host).toMatchObject([{ namespace: 'bip122', method: 'bip122_sendTransfer', networkId: mainnet }])
  })
})

test('an invalid response is -32603', async () => {
  const { provider, answers } = setUp(connected)
  answers.wallet = async () => 'x'
  await expect(provider.signMessage({ message: 'm' })).rejects.toMatchObject({ code: -32603 })
})

test('reads need no account', async () => {
  const { provider, asked } = setUp(connected)
  await provider.request({ method: 'bip122_getBalance', params: { address: payment } })
  await provider.request({ method: 'bip122_sendRawTransaction', params: { transaction: '00' } })
  expect(asked.host).toMatchObject([{ method: 'bip122_getBalance' }, { method: 'bip122_sendRawTransaction' }])
  expect(await provider.request({ method: 'bip122_getNetwork' })).toBe(mainnet)
})
