import { ed25519 } from '@noble/curves/ed25519.js'
import { base58, base64 } from '@scure/base'
import { UniversalProvider } from '@walletconnect/universal-provider-2.25'
import { Psbt } from 'bitcoinjs-lib'
import { verifyMessage } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { bitcoinAccount, regtest } from '../bitcoin/accounts'
import { devnetBitcoinId, devnetSolanaId } from '../chain-ids'
import { freePorts } from '../http/free-ports'
import { solanaAccount } from '../solana/accounts'
import { signedTransfer } from '../solana/faucet'
import { toAddress } from '../solana/ledger'
import { type Devnet, startDevnet } from '../start-devnet'
import type { MobileNetwork } from './contract'
import { eip155Account } from './eip155'
import { jsonRpc } from './json-rpc'
import { createMobileWallet, type MobileWallet } from './mobile-wallet'
import { keyValueStorage, memoryStore } from './storage'

const ports = await freePorts('evm', 'evmTwo', 'solana', 'bitcoin', 'relay')
const relayUrl = `ws://127.0.0.1:${ports.relay}`
const networks: MobileNetwork[] = [
  { id: 'eip155:31337', name: 'One', url: `http://127.0.0.1:${ports.evm}` },
  { id: 'eip155:31338', name: 'Two', url: `http://127.0.0.1:${ports.evmTwo}` },
  { id: devnetSolanaId, name: 'Solana', url: `http://127.0.0.1:${ports.solana}` },
  { id: devnetBitcoinId, name: 'Bitcoin', url: `http://127.0.0.1:${ports.bitcoin}` },
]
const [ada, account, payer] = [eip155Account(1), solanaAccount(1), bitcoinAccount(1)]

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ ports })
})
afterAll(() => devnet.stop())

function connectDapp() {
  const customStoragePrefix = `dapp-${crypto.randomUUID()}`
  return UniversalProvider.init({
    projectId: 'devnet',
    relayUrl,
    telemetryEnabled: false,
    logger: 'silent',
    storage: keyValueStorage(memoryStore(), customStoragePrefix),
    customStoragePrefix,
    metadata: { name: 'A dapp', description: '', url: 'https://dapp.example', icons: [] },
  })
}
type Dapp = Awaited<ReturnType<typeof connectDapp>>

let dapp: Dapp
let wallet: MobileWallet
let store = memoryStore()
beforeEach(async () => {
  store = memoryStore()
  wallet = await createMobileWallet({ relayUrl, networks, store })
  dapp = await connectDapp()
})
afterEach(async () => {
  await wallet.end()
  await dapp.client.core.relayer.transportClose()
})

/** Resolves with the first defined result, now or after a change. */
function until<T>(of: MobileWallet, test: () => T | undefined): Promise<T> {
  return new Promise((resolve) => {
    const look = () => {
      const result = test()
      if (result === undefined) return
      stop()
      resolve(result)
    }
    const stop = of.subscribe(look)
    look()
  })
}
const question = (kind: 'connect' | 'request') =>
  until(wallet, () => wallet.snapshot().questions.find((pending) => pending.kind === kind))

const proposed = {
  eip155: {
    chains: ['eip155:1', 'eip155:31337', 'eip155:31338'],
    methods: ['personal_sign', 'eth_sendTransaction', 'wallet_switchEthereumChain', 'eth_sign'],
    events: ['chainChanged', 'accountsChanged'],
  },
  solana: {
    chains: [devnetSolanaId],
    methods: ['solana_signMessage', 'solana_signAndSendTransaction', 'solana_signTransaction'],
    events: ['accountsChanged'],
  },
  bip122: {
    chains: [devnetBitcoinId],
    methods: ['signMessage', 'signPsbt', 'sendTransfer', 'getAccountAddresses'],
    events: ['bip122_addressesChanged'],
  },
}

async function propose() {
  const uri = new Promise<string>((resolve) => dapp.once('display_uri', resolve))
  const connected = dapp.connect({ optionalNamespaces: proposed })
  // The test that expects the failure handles it.
  connected.catch(() => undefined)
  await wallet.pair(await uri)
  await question('connect')
  return connected
}
const connected = async () => {
  const session = propose()
  await question('connect')
  await wallet.approve()
  const approved = await session
  if (approved === undefined) throw new Error('no session')
  return approved
}
const ask = (chainId: string, method: string, params: unknown): Promise<unknown> => {
  const { topic } = dapp.session ?? {}
  if (topic === undefined) throw new Error('no session')
  return dapp.client.request({ topic, chainId, request: { method, params } })
}
async function agreed(chainId: string, method: string, params: unknown) {
  const answered = ask(chainId, method, params)
  answered.catch(() => undefined)
  const shown = await question('request')
  await wallet.approve(shown.id)
  return { shown, result: await answered }
}

describe('createMobileWallet', () => {
  test('5. contacts nothing external, from start to signature', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch')
    await wallet.end()
    wallet = await createMobileWallet({ relayUrl, networks, store })
    await connected()
    await agreed('eip155:31337', 'personal_sign', ['hello', ada.address])
    const hosts = fetched.mock.calls.map(([input]) => new URL(input instanceof Request ? input.url : input).hostname)
    fetched.mockRestore()
    expect(hosts.filter((host) => host !== '127.0.0.1')).toEqual([])
  })

  test('1. a session has what is proposed, granted and supported, and nothing before approval', async () => {
    wallet.grant(['eip155:31337', 'solana'])
    const { namespaces } = await connected()
    expect(namespaces).toMatchObject({
      eip155: {
        accounts: [`eip155:31337:${ada.address}`],
        methods: ['personal_sign', 'eth_sendTransaction', 'wallet_switchEthereumChain'],
      },
      solana: { accounts: [`${devnetSolanaId}:${account.address}`] },
    })
    expect(namespaces.bip122).toBeUndefined()
    expect(wallet.sessions()).toMatchObject([{ dapp: { name: 'A dapp' } }])
  })

  describe('a dapp that asks to sign in while connecting', () => {
    const authenticate = async () => {
      const chains = ['eip155:1', 'eip155:31337', 'eip155:31338']
      const request = {
        chains,
        domain: 'dapp.example',
        uri: 'https://dapp.example',
        nonce: 'abcdefgh',
        statement: 'Hi',
      }
      const { uri, response } = await dapp.client.engine.authenticate({ ...request, methods: ['personal_sign'] })
      const answered = response()
      answered.catch(() => undefined)
      await wallet.pair(uri)
      return { answered, shown: await question('connect') }
    }

    test('gets signatures for the granted chains, and a session for them', async () => {
      wallet.setSignsIn(true)
      const { answered, shown } = await authenticate()
      expect(shown).toMatchObject({ title: 'Connect and sign in' })
      expect(shown.raw).toContain(`dapp.example wants you to sign in with your Ethereum account:\n${ada.address}`)
      await wallet.approve()
      const { auths = [], session } = await answered
      expect(session.namespaces.eip155?.accounts).toEqual([
        `eip155:31337:${ada.address}`,
        `eip155:31338:${ada.address}`,
      ])
      for (const { p, s } of auths) {
        const message = dapp.client.formatAuthMessage({ request: p, iss: p.iss })
        const signature = z.templateLiteral(['0x', z.string()]).parse(s.s)
        expect(await verifyMessage({ address: ada.address, message, signature })).toBe(true)
      }
      expect(auths).toHaveLength(2)
    })

    test('gets a rejection', async () => {
      wallet.setSignsIn(true)
      const { answered } = await authenticate()
      await wallet.reject()
      await expect(answered).rejects.toBe('User rejected.')
      expect(wallet.sessions()).toEqual([])
    })

    test('connects to a wallet that does not support it', async () => {
      const { answered, shown } = await authenticate()
      expect(shown).toMatchObject({ title: 'Connect to this site' })
      await wallet.approve()
      const { auths, session } = await answered
      expect(auths).toBeUndefined()
      expect(wallet.sessions()).toMatchObject([{ topic: session.topic }])
    })
  })

  test('1. rejecting works for a session and for a request', async () => {
    const refused = expect(propose()).rejects.toThrow(/rejected/i)
    await question('connect')
    await wallet.reject()
    await refused
    await connected()
    const signature = ask('eip155:31337', 'personal_sign', ['hello', ada.address])
    const declined = expect(signature).rejects.toMatchObject({ code: 5000 })
    await question('request')
    await wallet.reject()
    await declined
  })

  test('EVM: signs and sends with a real key, and the transaction is mined', async () => {
    await connected()
    const { shown, result } = await agreed('eip155:31337', 'personal_sign', ['0x68656c6c6f', ada.address])
    expect(shown).toMatchObject({ title: 'Sign a message', raw: 'hello', dapp: { name: 'A dapp' } })
    const signature = z.templateLiteral(['0x', z.string()]).parse(result)
    expect(await verifyMessage({ address: ada.address, message: 'hello', signature })).toBe(true)

    const to = eip155Account(5).address
    const sent = await agreed('eip155:31338', 'eth_sendTransaction', [{ from: ada.address, to, value: '0x1' }])
    expect(sent.shown.rows).toContainEqual({ label: 'Network', value: 'Two' })
    const body = { jsonrpc: '2.0', id: 1, method: 'eth_getTransactionReceipt', params: [sent.result] }
    const receipt = await fetch(`http://127.0.0.1:${ports.evmTwo}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(await receipt.json()).toMatchObject({ result: { status: '0x1' } })
  })

  test('2. an impossible request is rejected without asking the owner', async () => {
    await connected()
    const stranger = eip155Account(2).address
    await expect(ask('eip155:31337', 'personal_sign', ['hello', stranger])).rejects.toMatchObject({ code: 4100 })
    await expect(ask('eip155:31337', 'wallet_switchEthereumChain', [{ chainId: '0x1' }])).rejects.toMatchObject({
      code: 4902,
    })
    await expect(ask(devnetBitcoinId, 'signPsbt', { account: payer.payment.address })).rejects.toMatchObject({
      code: -32602,
    })
    await expect(ask(devnetSolanaId, 'solana_signTransaction', { transaction: 'AAAA' })).rejects.toMatchObject({
      code: -32602,
    })
    expect(wallet.snapshot().questions).toEqual([])
    expect(wallet.snapshot().received.map(({ method }) => method)).toHaveLength(4)
  })

  test('Solana: signs messages, and a transfer lands on chain', async () => {
    await connected()
    const message = new TextEncoder().encode('hello')
    const { shown, result } = await agreed(devnetSolanaId, 'solana_signMessage', {
      message: base58.encode(message),
      pubkey: account.address,
    })
    expect(shown.raw).toBe('hello')
    const { signature } = z.object({ signature: z.string() }).parse(result)
    expect(ed25519.verify(base58.decode(signature), message, account.publicKey)).toBe(true)

    const rpc = jsonRpc(`http://127.0.0.1:${ports.solana}`, fetch)
    const to = solanaAccount(9).address
    const Blockhash = z.object({ value: z.object({ blockhash: z.string(), lastValidBlockHeight: z.number() }) })
    const { value } = Blockhash.parse(await rpc('getLatestBlockhash', []))
    const lifetime = { blockhash: value.blockhash, lastValidBlockHeight: BigInt(value.lastValidBlockHeight) }
    const wire = signedTransfer(account, toAddress(to), 1_500_000_000n, lifetime)
    const transaction = base64.encode(Uint8Array.from([...wire.slice(0, 1), ...new Uint8Array(64), ...wire.slice(65)]))
    const sent = await agreed(devnetSolanaId, 'solana_signAndSendTransaction', { transaction, pubkey: account.address })
    expect(sent.shown.rows).toContainEqual({ label: 'Amount', value: '1.5 SOL' })
    const id = z.object({ signature: z.string() }).parse(sent.result).signature
    expect(await rpc('getSignatureStatuses', [[id]])).toMatchObject({ value: [{ err: null }] })
  })

  test('Bitcoin: signs messages both ways and a PSBT, and a transfer confirms', async () => {
    const { sessionProperties } = await connected()
    expect(sessionProperties?.bip122_getAccountAddresses).toContain(payer.ordinals.address)
    const { address } = payer.payment
    const message = { account: address, address, message: 'hello' }
    const ecdsa = await agreed(devnetBitcoinId, 'signMessage', message)
    expect(ecdsa.result).toMatchObject({
      address,
      signature: expect.stringMatching(/^2[78][0-9a-f]{128}$|^2[9a][0-9a-f]{128}$/),
    })
    const bip322 = await agreed(devnetBitcoinId, 'signMessage', { ...message, protocol: 'bip322' })
    expect(base64.decode(z.object({ signature: z.string() }).parse(bip322.result).signature)[0]).toBe(2)

    const recipientAddress = bitcoinAccount(5).payment.address
    const sent = await agreed(devnetBitcoinId, 'sendTransfer', { account: address, recipientAddress, amount: '25000' })
    expect(sent.shown.rows).toContainEqual({ label: 'Amount', value: '0.00025 BTC' })
    const { txid } = z.object({ txid: z.string() }).parse(sent.result)
    const esplora = `http://127.0.0.1:${ports.bitcoin}`
    await fetch(`${esplora}/devnet/mine?blocks=1`, { method: 'POST' })
    expect(await (await fetch(`${esplora}/tx/${txid}/status`)).json()).toMatchObject({ confirmed: true })

    const Unspent = z.array(z.object({ txid: z.string(), vout: z.number(), value: z.number() }))
    const [coin] = Unspent.parse(await (await fetch(`${esplora}/address/${payer.ordinals.address}/utxo`)).json())
    if (coin === undefined) throw new Error('no coin')
    const psbt = new Psbt({ network: regtest })
      .addInput({
        hash: coin.txid,
        index: coin.vout,
        witnessUtxo: { script: payer.ordinals.output, value: BigInt(coin.value) },
      })
      .addOutput({ address: recipientAddress, value: BigInt(coin.value - 500) })
    const signed = await agreed(devnetBitcoinId, 'signPsbt', {
      account: address,
      psbt: psbt.toBase64(),
      signInputs: [{ index: 0, address: payer.ordinals.address }],
      broadcast: true,
    })
    expect(signed.result).toMatchObject({ txid: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })

  test('account and network switches reach the dapp', async () => {
    await connected()
    const events: unknown[] = []
    const heard = new Promise<void>((resolve) =>
      dapp.client.on('session_event', ({ params }) => {
        events.push([params.chainId, params.event.name, params.event.data])
        if (params.event.name === 'chainChanged') resolve()
      }),
    )
    await wallet.switchAccount(2)
    await wallet.switchNetwork('eip155:31338')
    await heard
    expect(events).toContainEqual(['eip155:31337', 'accountsChanged', [`eip155:31337:${eip155Account(2).address}`]])
    expect(events).toContainEqual(['eip155:31338', 'chainChanged', 31338])
    expect(wallet.sessions()[0]?.accounts).toContain(`${devnetSolanaId}:${solanaAccount(2).address}`)
  })

  test('3, 4. a session and a pending question survive a wallet restart', async () => {
    await connected()
    const signature = ask('eip155:31337', 'personal_sign', ['hello', ada.address])
    await question('request')
    await wallet.end()
    wallet = await createMobileWallet({ relayUrl, networks, store })
    expect(wallet.sessions()).toHaveLength(1)
    await question('request')
    await wallet.approve()
    expect(await signature).toMatch(/^0x[0-9a-f]{130}$/)
  })

  test('3. a session ended by the dapp drops its questions', async () => {
    await connected()
    void ask('eip155:31337', 'personal_sign', ['hello', ada.address]).catch(() => undefined)
    await question('request')
    await dapp.disconnect()
    await until(wallet, () => (wallet.sessions().length === 0 && wallet.snapshot().questions.length === 0) || undefined)
  })

  test('approves automatically if set, and ends sessions', async () => {
    wallet.setAutoApprove(true)
    const uri = new Promise<string>((resolve) => dapp.once('display_uri', resolve))
    const session = dapp.connect({ optionalNamespaces: proposed })
    await wallet.pair(await uri)
    await session
    expect(await ask('eip155:31337', 'personal_sign', ['hello', ada.address])).toMatch(/^0x/)
    const ended = new Promise((resolve) => dapp.client.once('session_delete', resolve))
    await wallet.disconnect()
    await ended
    expect(wallet.sessions()).toEqual([])
  })
})
