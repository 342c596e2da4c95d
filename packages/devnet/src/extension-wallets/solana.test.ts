import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { getTransactionDecoder, getTransactionEncoder } from '@solana/kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { freePorts } from '../http/free-ports'
import { solanaAccount } from '../solana/accounts'
import { signedTransfer } from '../solana/faucet'
import { toAddress } from '../solana/ledger'
import { type SolanaChain, startSolana } from '../solana/start-solana'
import { createSolanaWallet, sendToNode, solanaChains } from './solana'
import { registerStandardWallet, type StandardWallet } from './standard'
import { refusal, setUpOwner } from './testing'

const { port } = await freePorts('port')
let chain: SolanaChain
beforeAll(async () => {
  chain = await startSolana({ port })
})
afterAll(() => chain.stop())
const [ada, bob] = [solanaAccount(0), solanaAccount(1)]

function setUp() {
  const owned = setUpOwner('solana', solanaChains)
  const wallet = createSolanaWallet(owned.owner, {
    name: 'Sol',
    icon: 'data:image/svg+xml,x',
    host: 'dapp.example',
    send: (_, transaction, options) => sendToNode(`http://127.0.0.1:${port}`, transaction, options),
  })
  const use = async (feature: string, method: string, ...inputs: unknown[]): Promise<unknown> => {
    const run: unknown = Reflect.get(Object(wallet.features[feature]), method)
    if (typeof run !== 'function') throw new Error(`no ${feature}`)
    return await run(...inputs)
  }
  return { ...owned, wallet, use }
}

const Blockhash = z.object({
  result: z.object({ value: z.object({ blockhash: z.string(), lastValidBlockHeight: z.number() }) }),
})
async function rpc(method: string, params: unknown[] = []): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return await (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body })).json()
}
let amount = 4_000_000n
/** Each is unique. */
async function unsigned(from = ada): Promise<Uint8Array> {
  const { blockhash, lastValidBlockHeight } = z.parse(Blockhash, await rpc('getLatestBlockhash')).result.value
  const lifetime = { blockhash, lastValidBlockHeight: BigInt(lastValidBlockHeight) }
  const wire = signedTransfer(from, toAddress(bob.address), amount++, lifetime)
  const transaction = getTransactionDecoder().decode(wire)
  return Uint8Array.from(getTransactionEncoder().encode({ ...transaction, signatures: { [from.address]: null } }))
}
const Signed = z.array(z.object({ signedTransaction: z.instanceof(Uint8Array) }))
const Sent = z.array(z.object({ signature: z.instanceof(Uint8Array) }))

test('1. shows its account once allowed, and signs messages only for it', async () => {
  const { wallet, use, person } = setUp()
  expect(await use('standard:connect', 'connect', { silent: true })).toEqual({ accounts: [] })
  const message = new TextEncoder().encode('hello')
  const account = { address: ada.address }
  expect(await refusal(use('solana:signMessage', 'signMessage', { account, message }))).toMatchObject({ code: 4100 })
  await use('standard:connect', 'connect')
  expect(wallet.accounts).toMatchObject([{ address: ada.address, publicKey: ada.publicKey }])

  const [signed] = z.parse(Sent, await use('solana:signMessage', 'signMessage', { account, message }))
  expect(ed25519.verify(signed?.signature ?? new Uint8Array(), message, ada.publicKey)).toBe(true)
  const other = { account: { address: bob.address }, message }
  expect(await refusal(use('solana:signMessage', 'signMessage', other))).toMatchObject({ code: 4100 })
  person.answer = () => false
  expect(await refusal(use('solana:signMessage', 'signMessage', { account, message }))).toMatchObject({ code: 4001 })
  expect(await refusal(use('solana:signMessage', 'signMessage', { account, message: 'text' }))).toMatchObject({
    code: -32602,
  })
})

test('1. does not sign a transaction passed as a message', async () => {
  const { use, questions } = setUp()
  await use('standard:connect', 'connect')
  const message = Uint8Array.from(getTransactionDecoder().decode(await unsigned()).messageBytes)
  const input = { account: { address: ada.address }, message }
  expect(await refusal(use('solana:signMessage', 'signMessage', input))).toMatchObject({ code: -32602 })
  expect(questions.map(({ title }) => title)).toEqual(['Connect to this site'])
})

test('2, 3. signs transactions with one question per call', async () => {
  const { use, questions } = setUp()
  await use('standard:connect', 'connect')
  const account = { address: ada.address }
  const wires = [await unsigned(), await unsigned()]
  const inputs = wires.map((transaction) => ({ account, transaction }))
  const signed = z.parse(Signed, await use('solana:signTransaction', 'signTransaction', ...inputs))
  expect(signed).toHaveLength(2)
  expect(questions.at(-1)).toMatchObject({
    title: 'Sign 2 transactions',
    rows: expect.arrayContaining([{ label: 'Transfer', value: expect.stringMatching(/^0\.00400000\d SOL to /) }]),
  })
  const [first] = signed
  const answer = await rpc('sendTransaction', [
    Buffer.from(first?.signedTransaction ?? []).toString('base64'),
    { encoding: 'base64' },
  ])
  expect(answer).toMatchObject({ result: expect.any(String) })
  const foreign = { account, transaction: await unsigned(bob) }
  expect(await refusal(use('solana:signTransaction', 'signTransaction', foreign))).toMatchObject({ code: -32602 })
})

test('signs and sends, and passes on the node’s error code', async () => {
  const { use } = setUp()
  await use('standard:connect', 'connect')
  const account = { address: ada.address }
  const input = { account, transaction: await unsigned(), chain: 'solana:localnet' }
  const [sent] = z.parse(Sent, await use('solana:signAndSendTransaction', 'signAndSendTransaction', input))
  const statuses = await rpc('getSignatureStatuses', [[base58.encode(sent?.signature ?? new Uint8Array())]])
  expect(statuses).toMatchObject({ result: { value: [{ err: null }] } })
  chain.advance(151)
  expect(await refusal(use('solana:signAndSendTransaction', 'signAndSendTransaction', input))).toMatchObject({
    code: -32002,
  })
})

test('signs in only for the page’s own domain', async () => {
  const { use, questions } = setUp()
  const [signed] = z.parse(Sent, await use('solana:signIn', 'signIn', { statement: 'Welcome', nonce: 'abc12345' }))
  const text = `dapp.example wants you to sign in with your Solana account:\n${ada.address}\n\nWelcome\n\nNonce: abc12345`
  expect(questions.at(-1)?.raw).toBe(text)
  expect(ed25519.verify(signed?.signature ?? new Uint8Array(), new TextEncoder().encode(text), ada.publicKey)).toBe(
    true,
  )
  expect(await refusal(use('solana:signIn', 'signIn', { domain: 'evil.example' }))).toMatchObject({ code: -32602 })
})

test('4. reports account changes', async () => {
  const { wallet, use, owner } = setUp()
  const changes: unknown[] = []
  const events = wallet.features['standard:events']
  const on: unknown = Reflect.get(Object(events), 'on')
  if (typeof on === 'function') on('change', (change: unknown) => changes.push(change))
  await use('standard:connect', 'connect')
  owner.controls.switchAccount(1)
  owner.controls.lock()
  expect(changes).toMatchObject([
    { accounts: [{ address: ada.address }] },
    { accounts: [{ address: bob.address }] },
    { accounts: [] },
  ])
})

test.each(['before', 'after'])('an app that loads %s the wallet finds it', (order) => {
  const { wallet } = setUp()
  const window = Object.assign(new EventTarget(), { dispatched: 0 })
  const registered: StandardWallet[] = []
  const api = {
    register(added: StandardWallet) {
      registered.push(added)
      return () => void registered.splice(registered.indexOf(added), 1)
    },
  }
  const app = () => {
    window.addEventListener('wallet-standard:register-wallet', (event) => Reflect.get(event, 'detail')(api))
    window.dispatchEvent(Object.assign(new Event('wallet-standard:app-ready'), { detail: api }))
  }
  if (order === 'before') app()
  const remove = registerStandardWallet(window, wallet)
  if (order === 'after') app()
  expect(registered).toEqual([wallet])
  remove()
  expect(registered).toEqual([])
})
