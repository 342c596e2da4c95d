import { base64, hex } from '@scure/base'
import { Psbt } from 'bitcoinjs-lib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { bitcoinAccount, regtest } from '../bitcoin/accounts'
import { signBip322, signEcdsa } from '../bitcoin/sign-message'
import { type BitcoinChain, startBitcoin } from '../bitcoin/start-bitcoin'
import { freePorts } from '../http/free-ports'
import { addressesOn, bitcoinChains, createBitcoinKeys } from './bitcoin-keys'
import { createLeather } from './bitcoin-leather'
import { createPhantom } from './bitcoin-phantom'
import { createBitcoinStandardWallet } from './bitcoin-standard'
import { createOkx, createUnisat } from './bitcoin-unisat'
import { createXverse } from './bitcoin-xverse'
import { connectEsplora } from './esplora'
import { refusal, setUpOwner } from './testing'

const { port } = await freePorts('port')
const base = `http://127.0.0.1:${port}`
let chain: BitcoinChain
beforeAll(async () => {
  chain = await startBitcoin({ port })
})
afterAll(() => chain.stop())

const ada = bitcoinAccount(0)
const receiver = bitcoinAccount(8).payment.address
const [payment, ordinals] = addressesOn(0, 'bitcoin:regtest')
const ecdsa = (text: string) => signEcdsa(ada.payment, new TextEncoder().encode(text))
const bip322 = (text: string) => signBip322(ada, 'payment', new TextEncoder().encode(text))

function setUp() {
  const owned = setUpOwner('bitcoin', bitcoinChains)
  return { ...owned, keys: createBitcoinKeys(owned.owner, () => connectEsplora(base)) }
}

/** Spends Ada's ordinals output and one payment output. */
async function psbt(): Promise<Psbt> {
  const node = connectEsplora(base)
  const [money] = await node.unspent(payment.address)
  const [rare] = await node.unspent(ordinals.address)
  if (money === undefined || rare === undefined) throw new Error('no coins')
  return new Psbt({ network: regtest })
    .addInput({ hash: money.txid, index: money.vout, witnessUtxo: { script: ada.payment.output, value: money.value } })
    .addInput({ hash: rare.txid, index: rare.vout, witnessUtxo: { script: ada.ordinals.output, value: rare.value } })
    .addOutput({ address: receiver, value: 10_000n })
    .addOutput({ address: ordinals.address, value: 10_000n })
    .addOutput({ address: payment.address, value: money.value + rare.value - 21_000n })
}
/** The chain must accept it. */
async function lands(signed: Psbt): Promise<void> {
  const done = signed.data.inputs.every(({ finalScriptWitness }) => finalScriptWitness !== undefined)
  if (!done) signed.finalizeAllInputs()
  const id = await connectEsplora(base).broadcast(signed.extractTransaction(true).toHex())
  await mined(id)
}
async function mined(id: string): Promise<void> {
  await chain.mine(1)
  const status: unknown = await (await fetch(`${base}/tx/${id}/status`)).json()
  expect(status).toMatchObject({ confirmed: true })
}
const TransactionId = z.string().check(z.regex(/^[0-9a-f]{64}$/))
/** One 64-byte signature. Schnorr signatures differ each time; `sign-message.test.ts` verifies them. */
const schnorrWitness = expect.stringMatching(/^AU[A-Za-z0-9+/]{86}$/)
const inputs = [
  { index: 0, address: payment.address },
  { index: 1, address: ordinals.address },
]

describe('createBitcoinKeys', () => {
  test('1, 2. does not sign for a hidden address or another owner’s input', async () => {
    const { keys, owner, person } = setUp()
    expect(await refusal(keys.signMessage('x', payment.address))).toMatchObject({ code: 4100 })
    await owner.connect()
    expect(await refusal(keys.signMessage('x', receiver))).toMatchObject({ code: 4100 })
    const swapped = [{ index: 0, address: ordinals.address }]
    expect(await refusal(keys.signPsbt(await psbt(), swapped))).toMatchObject({ code: -32602 })
    expect(await refusal(keys.signPsbt(await psbt(), [{ index: 9 }]))).toMatchObject({ code: -32602 })
    expect(await refusal(keys.signPsbt(new Psbt({ network: regtest }), 'own'))).toMatchObject({ code: -32602 })
    person.answer = () => false
    expect(await refusal(keys.signPsbt(await psbt(), 'own'))).toMatchObject({ code: 4001 })
  })

  test('3. shows each recipient’s amount before signing', async () => {
    const { keys, owner, questions } = setUp()
    await owner.connect()
    await keys.signPsbt(await psbt(), 'own')
    expect(questions.at(-1)?.rows).toEqual([
      { label: 'From', value: `${payment.address}, ${ordinals.address}` },
      { label: 'To', value: `0.00010000 BTC to ${receiver}` },
      { label: 'Network fee', value: '0.00001000 BTC' },
    ])
  })

  test('pays with change, and rejects an amount above the balance', async () => {
    const { keys, owner } = setUp()
    await owner.connect()
    const id = await keys.sendTransfer([{ address: receiver, amount: 50_000n }], 3)
    await mined(id)
    const paid: unknown = await (await fetch(`${base}/tx/${id}`)).json()
    const { fee, weight } = z.parse(z.object({ fee: z.number(), weight: z.number() }), paid)
    expect(fee / (weight / 4)).toBeGreaterThanOrEqual(3)
    expect(fee / (weight / 4)).toBeLessThan(4)
    const rich = [{ address: receiver, amount: 10n ** 12n }]
    expect(await refusal(keys.sendTransfer(rich))).toMatchObject({
      message: expect.stringContaining('does not have enough'),
    })
    const foreign = [{ address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq', amount: 50_000n }]
    expect(await refusal(keys.sendTransfer(foreign))).toMatchObject({ code: -32602 })
  })
})

test('Wallet Standard: connects, signs messages and PSBTs, and sends', async () => {
  const { keys, owner } = setUp()
  const wallet = createBitcoinStandardWallet(owner, keys, { name: 'Bit', icon: 'data:image/svg+xml,x' })
  const use = async (feature: string, method: string, ...args: unknown[]): Promise<unknown> => {
    const run: unknown = Reflect.get(Object(wallet.features[feature]), method)
    return typeof run === 'function' ? await run(...args) : undefined
  }
  expect(wallet.accounts).toEqual([])
  expect(await use('bitcoin:connect', 'connect', { purposes: ['payment'] })).toMatchObject({
    accounts: [{ address: payment.address, publicKey: hex.decode(payment.publicKey), chains: ['bitcoin:regtest'] }],
  })
  const [first, second] = wallet.accounts
  expect(second?.address).toBe(ordinals.address)
  const message = new TextEncoder().encode('hello')
  expect(await use('bitcoin:signMessage', 'signMessage', { account: first, message })).toEqual([
    { signedMessage: message, signature: ecdsa('hello') },
  ])
  const input = async () => ({
    psbt: (await psbt()).toBuffer(),
    inputsToSign: [
      { account: first, signingIndexes: [0] },
      { account: second, signingIndexes: [1] },
    ],
    chain: 'bitcoin:regtest',
  })
  const Signed = z.array(z.object({ signedPsbt: z.instanceof(Uint8Array) }))
  const [signed] = z.parse(Signed, await use('bitcoin:signTransaction', 'signTransaction', await input()))
  await lands(Psbt.fromBuffer(signed?.signedPsbt ?? new Uint8Array(), { network: regtest }))
  const Sent = z.array(z.object({ txId: TransactionId }))
  const [sent] = z.parse(Sent, await use('bitcoin:signAndSendTransaction', 'signAndSendTransaction', await input()))
  await mined(sent?.txId ?? '')
  const elsewhere = { ...(await input()), chain: 'bitcoin:mainnet' }
  expect(await refusal(use('bitcoin:signTransaction', 'signTransaction', elsewhere))).toMatchObject({ code: -32602 })
})

test('UniSat: one address, hexadecimal PSBTs, network switching', async () => {
  const { keys, owner } = setUp()
  const unisat = createUnisat(owner, keys)
  const events: unknown[] = []
  for (const event of ['accountsChanged', 'networkChanged']) unisat.on(event, (data) => events.push([event, data]))
  expect(await unisat.getAccounts()).toEqual([])
  expect(await unisat.requestAccounts()).toEqual([payment.address])
  expect(await unisat.getPublicKey()).toBe(payment.publicKey)
  expect(await unisat.getChain()).toEqual({ enum: 'BITCOIN_REGTEST', name: 'Bitcoin Regtest', network: 'testnet' })
  expect(await unisat.signMessage('hi')).toBe(base64.encode(ecdsa('hi')))
  expect(await unisat.signMessage('hi', 'bip322-simple')).toBe(base64.encode(bip322('hi')))
  const open = await unisat.signPsbt((await psbt()).toHex(), { autoFinalized: false, toSignInputs: inputs })
  await lands(Psbt.fromHex(open, { network: regtest }))
  const closed = await unisat.signPsbt((await psbt()).toHex())
  await mined(await unisat.pushPsbt(closed))
  await mined(await unisat.sendBitcoin(receiver, 20_000, { feeRate: 2 }))
  await unisat.switchChain('BITCOIN_TESTNET')
  expect(events).toMatchObject([
    ['accountsChanged', [payment.address]],
    ['accountsChanged', [expect.stringMatching(/^tb1q/)]],
    ['networkChanged', 'testnet'],
  ])
  expect(await refusal(unisat.switchChain('DOGECOIN'))).toMatchObject({ code: 4200 })
  expect(await refusal(unisat.signPsbt('zz'))).toMatchObject({ code: -32602 })
})

test('OKX: connects with address and key, and its events have both', async () => {
  const { keys, owner } = setUp()
  const okx = createOkx(owner, keys)
  const events: unknown[] = []
  okx.on('accountChanged', (data) => events.push(data))
  expect(await okx.connect()).toEqual({
    address: payment.address,
    publicKey: payment.publicKey,
    compressedPublicKey: payment.publicKey,
  })
  owner.controls.switchAccount(1)
  expect(events).toMatchObject([
    { address: payment.address },
    { address: addressesOn(1, 'bitcoin:regtest')[0].address },
  ])
  await okx.disconnect()
  expect(await okx.getAccounts()).toEqual([])
})

test('Xverse: every request resolves with an object', async () => {
  const { keys, owner, person } = setUp()
  const xverse = createXverse(owner, keys)
  const events: unknown[] = []
  xverse.addListener({ eventName: 'accountChange', cb: (event: unknown) => events.push(event) })
  expect(await xverse.request('signMessage', { address: payment.address, message: 'x' })).toMatchObject({
    error: { code: -32002 },
  })
  expect(await xverse.request('wallet_connect', { addresses: ['ordinals', 'payment'] })).toMatchObject({
    result: {
      addresses: [
        { address: payment.address, purpose: 'payment', addressType: 'p2wpkh', publicKey: payment.publicKey },
        { address: ordinals.address, purpose: 'ordinals', addressType: 'p2tr', publicKey: ordinals.xOnlyPublicKey },
      ],
      network: { bitcoin: { name: 'Regtest' } },
    },
  })
  expect(await xverse.request('getAddresses', { purposes: ['ordinals'] })).toMatchObject({
    result: { addresses: [{ purpose: 'ordinals' }] },
  })
  expect(await xverse.request('signMessage', { address: ordinals.address, message: 'x' })).toMatchObject({
    result: { signature: schnorrWitness, protocol: 'BIP322' },
  })
  const signInputs = { [payment.address]: [0], [ordinals.address]: [1] }
  const signed = await xverse.request('signPsbt', { psbt: (await psbt()).toBase64(), signInputs })
  const Result = z.object({ result: z.object({ psbt: z.string() }) })
  await lands(Psbt.fromBase64(z.parse(Result, signed).result.psbt, { network: regtest }))
  const sent = await xverse.request('signPsbt', { psbt: (await psbt()).toBase64(), signInputs, broadcast: true })
  await mined(z.parse(z.object({ result: z.object({ txid: TransactionId }) }), sent).result.txid)
  const paid = await xverse.request('sendTransfer', { recipients: [{ address: receiver, amount: 30_000 }] })
  await mined(z.parse(z.object({ result: z.object({ txid: TransactionId }) }), paid).result.txid)
  person.answer = () => false
  expect(await xverse.request('signMessage', { address: payment.address, message: 'x' })).toMatchObject({
    error: { code: -32000 },
  })
  expect(await xverse.request('stx_signMessage', {})).toMatchObject({ error: { code: -32601 } })
  owner.controls.switchAccount(1)
  expect(events).toMatchObject([{ type: 'accountChange' }, { type: 'accountChange' }])
})

test('Leather: results and errors come in a JSON-RPC envelope', async () => {
  const { keys, owner, person } = setUp()
  const leather = createLeather(owner, keys)
  expect(await leather.request('getAddresses')).toMatchObject({
    result: { addresses: [{ symbol: 'BTC', type: 'p2wpkh', address: payment.address }, { type: 'p2tr' }] },
  })
  expect(await leather.request('signMessage', { message: 'x', paymentType: 'p2tr' })).toMatchObject({
    result: { address: ordinals.address, signature: schnorrWitness },
  })
  const signed = await leather.request('signPsbt', { hex: (await psbt()).toHex(), signAtIndex: [0, 1] })
  await lands(
    Psbt.fromHex(z.parse(z.object({ result: z.object({ hex: z.string() }) }), signed).result.hex, { network: regtest }),
  )
  const paid = await leather.request('sendTransfer', { recipients: [{ address: receiver, amount: '30000' }] })
  await mined(z.parse(z.object({ result: z.object({ txid: TransactionId }) }), paid).result.txid)
  person.answer = () => false
  expect(await refusal(leather.request('signMessage', { message: 'x' }))).toMatchObject({ error: { code: 4001 } })
})

test('Phantom: bytes in, bytes out', async () => {
  const { keys, owner } = setUp()
  const phantom = createPhantom(owner, keys)
  expect(await phantom.requestAccounts()).toMatchObject([
    { address: payment.address, addressType: 'p2wpkh', purpose: 'payment' },
    { address: ordinals.address, addressType: 'p2tr', purpose: 'ordinals' },
  ])
  const message = new TextEncoder().encode('gm')
  expect(await phantom.signMessage(payment.address, message)).toEqual({ signature: bip322('gm') })
  const signed = await phantom.signPSBT((await psbt()).toBuffer(), {
    inputsToSign: [
      { address: payment.address, signingIndexes: [0], sigHash: 0 },
      { address: ordinals.address, signingIndexes: [1] },
    ],
  })
  await lands(Psbt.fromBuffer(signed, { network: regtest }))
})
