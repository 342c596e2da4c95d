import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Socket } from 'node:net'
import { limits, type Namespace } from '@postern/protocol'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import type { Connector, ConnectorEvent, GrantedConnector, MultiConnector } from '../connector'
import { begin, eachTestMeets } from './testing/meeting'
import { startRefusingRelay } from './testing/refusing-relay'
import {
  evmAccount,
  hostStorage,
  memoryStorage,
  oldSolanaMainnet,
  ordinalsAddress,
  otherEvmAccount,
  paymentAddress,
  regtest,
  solanaAccount,
  solanaMainnet,
} from './testing/set-up'
import type { TestWallet } from './testing/test-wallet'

const never = new AbortController().signal
const evm = {
  accounts: [`eip155:1:${evmAccount}`],
  methods: ['personal_sign', 'eth_sendTransaction', 'wallet_switchEthereumChain', 'wallet_addEthereumChain'],
  events: ['chainChanged', 'accountsChanged'],
}
const evmOnBoth = { ...evm, accounts: [...evm.accounts, `eip155:8453:${evmAccount}`] }
const solana = {
  accounts: [`${solanaMainnet}:${solanaAccount}`],
  methods: ['solana_signMessage', 'solana_signTransaction'],
  events: ['accountsChanged', 'chainChanged'],
}
const bitcoin = {
  accounts: [`${regtest}:${paymentAddress}`],
  methods: ['signMessage', 'signPsbt', 'sendTransfer'],
  events: ['bip122_addressesChanged'],
}

const met = eachTestMeets()
const { host } = met

function fail(message: string): never {
  throw new Error(message)
}

async function connected(
  multi: MultiConnector,
  namespaces: Parameters<TestWallet['approve']>[0],
  properties?: Record<string, string>,
) {
  const attempt = begin(multi)
  await met.wallet.pair(await attempt.code())
  const topic = await met.wallet.approve(namespaces, properties)
  const granted = await attempt.granted
  return { topic, granted, of: (namespace: Namespace) => find(granted, namespace) }
}

function find(granted: readonly GrantedConnector[], namespace: Namespace): GrantedConnector {
  return granted.find(({ connector }) => connector.namespace === namespace) ?? fail(`no ${namespace}`)
}

function heard(connector: Connector): ConnectorEvent[] {
  const events: ConnectorEvent[] = []
  met.endWithTest(connector.listen((event) => events.push(event)))
  return events
}

function waitFor<T>(read: () => T): Promise<T> {
  return vi.waitFor(read, { timeout: 15_000, interval: 10 })
}

describe('createWalletConnect', () => {
  it('1. makes no connection before it is needed', async () => {
    const { multi } = host()
    const before = met.relay.counts().connections
    expect(multi.relay.status()).toBe('unused')
    const connector = multi.restore('eip155', 'walletconnect:abc', { name: 'Test Wallet' })
    expect(await connector.reconnect(never)).toEqual({ kind: 'ended' })
    expect(multi.relay.status()).toBe('unused')
    expect(met.relay.counts().connections).toBe(before)
  })

  it('1. contacts only the relay, from the code to a signature and the end', async () => {
    const contacted = new Set<string>()
    const note = (message: unknown) => {
      const { socket } = z.object({ socket: z.instanceof(Socket) }).parse(message)
      socket.once('connectionAttempt', (ip, port) => contacted.add(`${ip}:${port}`))
    }
    subscribe('net.client.socket', note)
    // Opens no socket, because it does not resolve.
    const fetched = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('No request is expected'))
    const { multi } = host()
    const { of } = await connected(multi, { eip155: evm })
    met.wallet.answer(() => '0x12')
    await of('eip155').connector.request('personal_sign', ['0x00', evmAccount], never)
    await of('eip155').connector.disconnect()
    await waitFor(() => expect(met.wallet.kit.getActiveSessions()).toEqual({}))
    unsubscribe('net.client.socket', note)
    expect(fetched.mock.calls.map(([to]) => String(to))).toEqual([])
    fetched.mockRestore()
    expect([...contacted]).toEqual([`127.0.0.1:${met.relay.port}`])
  })

  it('2. connects every granted namespace with one approval', async () => {
    const { multi } = host()
    const { granted, of, topic } = await connected(multi, { eip155: evmOnBoth, solana, bip122: bitcoin })
    expect(granted.map(({ connector }) => connector.namespace).sort()).toEqual(['bip122', 'eip155', 'solana'])
    for (const { connector } of granted) {
      expect(connector).toMatchObject({
        type: 'WALLET_CONNECT',
        name: 'Test Wallet',
        stableId: `walletconnect:${topic}`,
      })
    }
    expect(of('eip155').session).toEqual({
      accounts: [{ namespace: 'eip155', address: evmAccount, type: 'eoa' }],
      networkId: 'eip155:1',
    })
    expect(of('solana').session.networkId).toBe(solanaMainnet)
    expect(of('bip122').session.accounts).toEqual([{ namespace: 'bip122', address: paymentAddress, type: 'payment' }])
  })

  it('2. offers every configured network, requires none, and sends the dapp’s own name and URL', async () => {
    const { multi } = host()
    const attempt = begin(multi)
    await met.wallet.pair(await attempt.code())
    const { params } = await met.wallet.proposal()
    expect(params.requiredNamespaces).toEqual({})
    expect(params.optionalNamespaces.eip155?.chains).toEqual(['eip155:1', 'eip155:8453'])
    expect(params.optionalNamespaces.solana?.chains).toEqual([solanaMainnet, oldSolanaMainnet])
    expect(params.optionalNamespaces.bip122?.methods).toEqual([
      'getAccountAddresses',
      'signMessage',
      'signPsbt',
      'sendTransfer',
    ])
    expect(params.proposer.metadata).toEqual({
      name: 'Dapp',
      description: 'A dapp',
      url: 'https://dapp.example',
      icons: ['https://dapp.example/i.png'],
    })
  })

  it('2. accepts a Solana wallet with the network’s old id, and uses that id in requests', async () => {
    const { multi } = host()
    const { of } = await connected(multi, { solana: { ...solana, accounts: [`${oldSolanaMainnet}:${solanaAccount}`] } })
    expect(of('solana').session.networkId).toBe(solanaMainnet)
    met.wallet.answer(() => ({ signature: '5'.repeat(88) }))
    await of('solana')
      .connector.request('solana_signMessage', { message: '2x', network: solanaMainnet }, never)
      .catch(() => {})
    expect(met.wallet.requests).toEqual([
      { chainId: oldSolanaMainnet, method: 'solana_signMessage', params: { message: '2x', pubkey: solanaAccount } },
    ])
  })

  it('2. reads payment and ordinals addresses from the session’s properties', async () => {
    const { multi } = host()
    const properties = {
      bip122_getAccountAddresses: JSON.stringify({
        payment: [{ address: paymentAddress, publicKey: '02'.repeat(33), path: "m/84'/1'/0'/0/0" }],
        ordinal: [{ address: ordinalsAddress }],
      }),
    }
    const { of } = await connected(multi, { bip122: bitcoin }, properties)
    expect(of('bip122').session.accounts).toEqual([
      {
        namespace: 'bip122',
        address: paymentAddress,
        type: 'payment',
        publicKey: '02'.repeat(33),
        path: "m/84'/1'/0'/0/0",
      },
      { namespace: 'bip122', address: ordinalsAddress, type: 'ordinals' },
    ])
  })

  it('2. connects only the namespaces that the wallet grants', async () => {
    const { multi } = host()
    const { granted } = await connected(multi, { solana })
    expect(granted.map(({ connector, session }) => [connector.namespace, session.accounts])).toEqual([
      ['solana', [{ namespace: 'solana', address: solanaAccount, type: 'eoa' }]],
    ])
  })

  it('2. leaves no session if the wallet granted nothing of the request', async () => {
    const { multi } = host()
    const attempt = begin(multi, ['solana'])
    await met.wallet.pair(await attempt.code())
    await met.wallet.approve({ eip155: evm })
    await expect(attempt.granted).rejects.toMatchObject({ code: 'CHAIN_NOT_SUPPORTED' })
    await waitFor(() => expect(met.wallet.kit.getActiveSessions()).toEqual({}))
  })

  it('2. drops invalid accounts', async () => {
    const { multi } = host()
    const { of } = await connected(multi, { eip155: { ...evm, accounts: ['eip155:1:<script>', ...evm.accounts] } })
    expect(of('eip155').session.accounts.map(({ address }) => address)).toEqual([evmAccount])
  })

  it('3. maps the wallet’s rejection to USER_REJECTED', async () => {
    const { multi } = host()
    const attempt = begin(multi)
    await met.wallet.pair(await attempt.code())
    await met.wallet.reject()
    await expect(attempt.granted).rejects.toMatchObject({ code: 'USER_REJECTED' })
  })

  it('3. leaves no proposal after an aborted attempt, here or in the wallet', async () => {
    const { multi } = host()
    const attempt = begin(multi)
    await met.wallet.pair(await attempt.code())
    await met.wallet.proposal()
    attempt.abort()
    await expect(attempt.granted).rejects.toMatchObject({ code: 'ABORTED' })
    await waitFor(() => expect(met.wallet.kit.core.pairing.getPairings()).toEqual([]))
  })

  it('replaces the code silently with less than 10 s left; the old one stays valid', async () => {
    const { multi, clock } = host()
    const attempt = begin(multi)
    const first = await attempt.code()
    clock.advance(limits.pairingLifetime - limits.pairingExpiryThreshold - 1)
    expect(attempt.codes).toHaveLength(1)
    clock.advance(1)
    await waitFor(() => expect(attempt.codes).toHaveLength(2))
    expect(attempt.codes[1]).not.toBe(first)
    await met.wallet.pair(first)
    await met.wallet.approve({ eip155: evm })
    expect(await attempt.granted).toHaveLength(1)
  })

  it('uses a prepared pairing, and creates a new one if that has expired', async () => {
    const { multi, clock } = host()
    multi.prepare()
    await waitFor(() => expect(multi.relay.status()).toBe('connected'))
    const attempt = begin(multi)
    const code = await attempt.code()
    await met.wallet.pair(code)
    await met.wallet.approve({ eip155: evm })
    await attempt.granted

    multi.prepare()
    clock.advance(limits.pairingLifetime)
    const late = begin(multi)
    await met.wallet.pair(await late.code())
    await met.wallet.approve({ solana })
    expect(await late.granted).toHaveLength(1)
  })

  it('keeps a prepared code valid while another tab’s session is used and left', async () => {
    const frame = memoryStorage()
    const early = host({ storage: hostStorage(frame) })
    early.multi.prepare()
    await waitFor(() => expect(met.relay.counts().waiting).toBe(1))

    const other = host({ storage: hostStorage(frame) })
    const { topic } = await connected(other.multi, { eip155: evm })
    const connector = early.multi.restore('eip155', `walletconnect:${topic}`, { name: 'Test Wallet' })
    met.wallet.answer(() => '0xcd')
    expect(await connector.request('personal_sign', ['0x00', evmAccount], never)).toBe('0xcd')
    await connector.disconnect()

    const attempt = begin(early.multi)
    await met.wallet.pair(await attempt.code())
    await met.wallet.approve({ solana })
    expect(await attempt.granted).toHaveLength(1)
  })

  it('4. deletes a session left while the relay was offline when the library next starts', async () => {
    const frame = memoryStorage()
    const first = host({ storage: hostStorage(frame) })
    const { of, topic } = await connected(first.multi, { eip155: evm })
    met.relay.pause()
    await of('eip155').connector.disconnect()
    first.multi.end()
    met.relay.resume()
    await waitFor(() => expect(met.wallet.kit.core.relayer.connected).toBe(true))
    expect(Object.keys(met.wallet.kit.getActiveSessions())).toEqual([topic])

    const second = host({ storage: hostStorage(frame) })
    expect(await second.multi.restore('eip155', `walletconnect:${topic}`, { name: 'x' }).reconnect(never)).toEqual({
      kind: 'ended',
    })
    second.multi.prepare()
    await waitFor(() => expect(met.wallet.kit.getActiveSessions()).toEqual({}))
  })

  it('5. has no open socket and no pending request after end', async () => {
    const { multi } = host()
    const attempt = begin(multi)
    await attempt.code()
    const sockets = met.relay.counts().connections
    multi.end()
    await expect(attempt.granted).rejects.toMatchObject({ code: 'ABORTED' })
    await waitFor(() => expect(met.relay.counts().connections).toBe(sockets - 1))
    expect(Object.keys(globalThis).filter((name) => name.startsWith('_walletConnectCore__'))).toEqual([])
    await expect(begin(multi).granted).rejects.toMatchObject({ code: 'DISCONNECTED' })
  })
})

describe('a session', () => {
  it('1. reconnects after a reload before the relay is reached, and can send requests again', async () => {
    const frame = memoryStorage()
    const first = host({ storage: hostStorage(frame) })
    const { of, topic } = await connected(first.multi, { eip155: evm })
    const session = of('eip155').session
    first.multi.end()

    const second = host({ storage: hostStorage(frame) })
    const connector = second.multi.restore('eip155', `walletconnect:${topic}`, { name: 'Test Wallet' })
    expect(await connector.reconnect(never)).toEqual({ kind: 'granted', session })
    met.wallet.answer(() => '0xab')
    expect(await connector.request('personal_sign', ['0x00', evmAccount], never)).toBe('0xab')
  })

  describe('after a reload during a request', () => {
    const payment = [{ from: evmAccount, to: otherEvmAccount, value: '0x1' }]

    /** The next frame's connector, while the wallet still shows the request. */
    async function reloaded() {
      const frame = memoryStorage()
      const first = host({ storage: hostStorage(frame) })
      const { of, topic } = await connected(first.multi, { eip155: evm })
      const lost = of('eip155').connector.request('eth_sendTransaction', payment, never)
      lost.catch(() => {})
      await waitFor(() => expect(met.wallet.requests).toHaveLength(1))
      first.multi.end()
      const second = host({ storage: hostStorage(frame) })
      const connector = second.multi.restore('eip155', `walletconnect:${topic}`, { name: 'Test Wallet' })
      await connector.reconnect(never)
      const pay = (params: unknown = payment) => connector.request('eth_sendTransaction', params, never)
      return { pay, clock: second.clock }
    }

    const hash = (digit: number) => `0x${String(digit).repeat(64)}`

    it('an equal request joins it; the next one is another payment', async () => {
      const { pay } = await reloaded()
      const paid = Promise.all([pay(), pay(), pay([{ ...payment[0], value: '0x2' }])])
      met.wallet.answer(() => hash(met.wallet.requests.length))
      expect(await paid).toEqual([hash(1), hash(2), hash(3)])
      expect(met.wallet.requests).toHaveLength(3)
    })

    it('it fails as the wallet says', async () => {
      const { pay } = await reloaded()
      const joined = pay()
      met.wallet.answer(() => {
        throw Object.assign(new Error('User rejected.'), { code: 5000 })
      })
      await expect(joined).rejects.toMatchObject({ code: 'USER_REJECTED' })
      expect(met.wallet.requests).toHaveLength(1)
    })

    it('an answer from before the repeat is taken, but no old one', async () => {
      const { pay, clock } = await reloaded()
      met.wallet.answer(() => hash(met.wallet.requests.length))
      // The wallet answers in order.
      expect(await pay([{ ...payment[0], value: '0x2' }])).toBe(hash(2))
      clock.advance(19_000)
      expect(await pay()).toBe(hash(1))
      expect(await pay()).toBe(hash(3))
    })

    it('an old answer is not taken, and the wallet is asked again', async () => {
      const { pay, clock } = await reloaded()
      met.wallet.answer(() => hash(met.wallet.requests.length))
      expect(await pay([{ ...payment[0], value: '0x2' }])).toBe(hash(2))
      clock.advance(20_000)
      expect(await pay()).toBe(hash(3))
    })

    it('an expired one is asked again', async () => {
      const { pay, clock } = await reloaded()
      clock.advance(300_000)
      met.wallet.answer(() => hash(met.wallet.requests.length))
      expect(await pay()).toBe(hash(2))
    })
  })

  it.each<[string, string, (entries: unknown[]) => unknown]>([
    [
      'a broken session beside it',
      'client:0.3//session',
      (entries) => [null, { topic: 'x', namespaces: null }, ...entries],
    ],
    ['a broken request in the history', 'core:0.3//history', (entries) => [null, ...entries]],
    ['a broken expiry', 'core:0.3//expirer', (entries) => [null, ...entries]],
    ['a broken subscription', 'core:0.3//subscription', (entries) => [null, ...entries]],
    ['no subscription', 'core:0.3//subscription', () => []],
  ])('1. still works after a reload with %s', async (_, key, change) => {
    const frame = memoryStorage()
    const first = host({ storage: hostStorage(frame) })
    const { topic } = await connected(first.multi, { eip155: evm })
    first.multi.end()
    const storage = hostStorage(frame)
    const name = `wc/${encodeURIComponent(`wc@2:${key}`)}`
    storage.set(name, JSON.stringify(change(JSON.parse(storage.get(name) ?? '[]'))))

    const second = host({ storage: hostStorage(frame) })
    const connector = second.multi.restore('eip155', `walletconnect:${topic}`, { name: 'Test Wallet' })
    expect(await connector.reconnect(never)).toMatchObject({ kind: 'granted' })
    met.wallet.answer(() => '0xef')
    expect(await connector.request('personal_sign', ['0x00', evmAccount], never)).toBe('0xef')
  })

  it('1. is null once it has expired', async () => {
    const frame = memoryStorage()
    const first = host({ storage: hostStorage(frame) })
    const { topic } = await connected(first.multi, { eip155: evm })
    first.multi.end()
    const second = host({ storage: hostStorage(frame) })
    const connector = second.multi.restore('eip155', `walletconnect:${topic}`, { name: 'Test Wallet' })
    second.clock.advance(6 * 86_400_000)
    expect(await connector.reconnect(never)).toMatchObject({ kind: 'granted' })
    second.clock.advance(2 * 86_400_000)
    expect(await connector.reconnect(never)).toEqual({ kind: 'ended' })
  })

  it('1. finds a session of another tab created after this library started', async () => {
    const frame = memoryStorage()
    const early = host({ storage: hostStorage(frame) })
    const waiting = begin(early.multi)
    await waiting.code()
    waiting.abort()

    const other = host({ storage: hostStorage(frame) })
    const { topic } = await connected(other.multi, { eip155: evm })
    const connector = early.multi.restore('eip155', `walletconnect:${topic}`, { name: 'Test Wallet' })
    expect(await connector.reconnect(never)).toMatchObject({ kind: 'granted' })
    met.wallet.answer(() => '0xcd')
    expect(await connector.request('personal_sign', ['0x00', evmAccount], never)).toBe('0xcd')
  })

  it('1. can use and leave another tab’s session while a code is on show, and the code stays valid', async () => {
    const frame = memoryStorage()
    const here = host({ storage: hostStorage(frame) })
    const waiting = begin(here.multi)
    const code = await waiting.code()

    const other = host({ storage: hostStorage(frame) })
    const { topic } = await connected(other.multi, { eip155: evm })
    const connector = here.multi.restore('eip155', `walletconnect:${topic}`, { name: 'Test Wallet' })
    expect(await connector.reconnect(never)).toMatchObject({ kind: 'granted' })
    const events = heard(connector)
    met.wallet.answer(() => '0xcd')
    expect(await connector.request('personal_sign', ['0x00', evmAccount], never)).toBe('0xcd')
    expect(events).toEqual([])
    await connector.disconnect()
    await waitFor(() => expect(met.wallet.kit.getActiveSessions()).toEqual({}))

    await met.wallet.pair(code)
    await met.wallet.approve({ solana })
    expect(await waiting.granted).toHaveLength(1)
  })

  it('2. never sends a method or chain that the session does not grant', async () => {
    const { multi } = host()
    const { of } = await connected(multi, { eip155: evm, solana })
    const { connector } = of('eip155')
    await expect(connector.request('eth_signTypedData_v4', [], never)).rejects.toMatchObject({
      code: 'UNSUPPORTED_METHOD',
    })
    await expect(connector.request('eth_sign', [], never)).rejects.toMatchObject({ code: 'UNSUPPORTED_METHOD' })
    const devnet = { message: '2x', network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' }
    await expect(of('solana').connector.request('solana_signMessage', devnet, never)).rejects.toMatchObject({
      code: 'CHAIN_DISCONNECTED',
    })
    expect(met.wallet.requests).toEqual([])
  })

  it('2. maps the wallet’s failures to codes, with its message', async () => {
    const { multi } = host()
    const { of } = await connected(multi, { eip155: evm })
    met.wallet.answer(() => {
      throw { code: 5000, message: 'User rejected.' }
    })
    await expect(of('eip155').connector.request('personal_sign', [], never)).rejects.toMatchObject({
      code: 'USER_REJECTED',
      message: 'User rejected.',
    })
  })

  it('2. rejects malformed results', async () => {
    const { multi } = host()
    const { of } = await connected(multi, { eip155: evm, bip122: bitcoin })
    met.wallet.answer(({ method }) => (method === 'personal_sign' ? { evil: true } : { txid: '../../etc' }))
    await expect(of('eip155').connector.request('personal_sign', [], never)).rejects.toMatchObject({ code: 'INTERNAL' })
    const transfer = { recipientAddress: paymentAddress, amount: '1000' }
    await expect(of('bip122').connector.request('bip122_sendTransfer', transfer, never)).rejects.toMatchObject({
      code: 'INTERNAL',
    })
  })

  it.each([
    { error: null },
    { error: 'no' },
    { error: 7 },
    { result: null },
    { result: 'a', error: null },
    { result: {} },
    { error: {} },
  ])('2. rejects an answer that cannot be read: %j', async (answer) => {
    const { multi } = host()
    const { of, topic } = await connected(multi, { eip155: evm })
    const asked = of('eip155').connector.request('personal_sign', [], never)
    asked.catch(() => {})
    await waitFor(() => expect(met.wallet.requests).toHaveLength(1))
    const [request] = met.wallet.kit.getPendingSessionRequests()
    const { core } = met.wallet.kit
    const message = await core.crypto.encode(topic, { id: request?.id ?? 0, jsonrpc: '2.0', ...answer } as never)
    await core.relayer.publish(topic, message)
    await expect(asked).rejects.toMatchObject({ code: expect.any(String), message: expect.any(String) })
  })

  it('2. aborts a request with its signal, and ignores a late result', async () => {
    const { multi } = host()
    const { of } = await connected(multi, { eip155: evm })
    const controller = new AbortController()
    const asked = of('eip155').connector.request('personal_sign', [], controller.signal)
    asked.catch(() => {})
    await waitFor(() => expect(met.wallet.requests).toHaveLength(1))
    controller.abort()
    await expect(asked).rejects.toMatchObject({ code: 'ABORTED' })
    met.wallet.answer(() => '0x00')
    expect(await of('eip155').connector.request('personal_sign', [], never)).toBe('0x00')
  })

  describe('a payment that the dapp cancels while the wallet shows it', () => {
    const payment = [{ from: evmAccount, to: otherEvmAccount, value: '0x1' }]
    const hash = (digit: number) => `0x${String(digit).repeat(64)}`

    async function cancelled() {
      const { multi, clock } = host()
      const { of } = await connected(multi, { eip155: evm })
      const pay = (signal = never) => of('eip155').connector.request('eth_sendTransaction', payment, signal)
      const controller = new AbortController()
      const asked = pay(controller.signal)
      asked.catch(() => {})
      await waitFor(() => expect(met.wallet.requests).toHaveLength(1))
      controller.abort()
      await expect(asked).rejects.toMatchObject({ code: 'ABORTED' })
      return { pay, clock }
    }

    it('2. is joined by an equal one, which is then asked once', async () => {
      const { pay } = await cancelled()
      const paid = Promise.all([pay(), pay()])
      met.wallet.answer(() => hash(met.wallet.requests.length))
      expect(await paid).toEqual([hash(1), hash(2)])
      expect(met.wallet.requests).toHaveLength(2)
    })

    it('2. is asked again once the wallet has refused it', async () => {
      const { pay } = await cancelled()
      const refused = pay()
      met.wallet.answer(() => {
        throw Object.assign(new Error('User rejected.'), { code: 5000 })
      })
      await expect(refused).rejects.toMatchObject({ code: 'USER_REJECTED' })
      met.wallet.answer(() => hash(2))
      expect(await pay()).toBe(hash(2))
    })
  })

  it.each([
    ['eip155', 'eth_sendTransaction', [{ from: evmAccount, to: otherEvmAccount, value: '0x1' }]],
    ['eip155', 'wallet_sendCalls', [{ calls: [] }]],
  ] as const)(
    '2. an unanswered payment has an unknown outcome after 5 min (%s %s)',
    async (namespace, method, params) => {
      const { multi, clock } = host()
      const { of } = await connected(multi, { eip155: { ...evm, methods: [...evm.methods, 'wallet_sendCalls'] } })
      const asked = of(namespace).connector.request(method, params, never)
      asked.catch(() => {})
      await waitFor(() => expect(met.wallet.requests).toHaveLength(1))
      clock.advance(300_000)
      await expect(asked).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN', rpc: -32002 })
    },
  )

  it('2. rejects an unanswered request with TIMEOUT after 5 min', async () => {
    const { multi, clock } = host()
    const { of } = await connected(multi, { eip155: evm })
    const asked = of('eip155').connector.request('personal_sign', [], never)
    asked.catch(() => {})
    await waitFor(() => expect(met.wallet.requests).toHaveLength(1))
    clock.advance(300_000)
    await expect(asked).rejects.toMatchObject({ code: 'TIMEOUT' })
  })

  it('2. delivers the result after the relay disconnects and returns during a request', async () => {
    const { multi } = host()
    const { of } = await connected(multi, { eip155: evm })
    const asked = of('eip155').connector.request('personal_sign', [], never)
    await waitFor(() => expect(met.wallet.requests).toHaveLength(1))
    met.relay.pause()
    await waitFor(() => expect(multi.relay.status()).toBe('lost'))
    met.relay.resume()
    await waitFor(() => expect(met.wallet.kit.core.relayer.connected).toBe(true))
    met.wallet.answer(() => '0xbeef')
    expect(await asked).toBe('0xbeef')
    expect(multi.relay.status()).toBe('connected')
  })

  it('3. switches to a granted network without asking the phone', async () => {
    const { multi, options } = host()
    const { of } = await connected(multi, { eip155: evmOnBoth })
    const { connector } = of('eip155')
    const events = heard(connector)
    const base = options.networks.get('eip155:8453') ?? fail('no Base')
    expect(await connector.switchNetwork(base, never)).toBe('eip155:8453')
    expect(met.wallet.requests).toEqual([])
    await waitFor(() => expect(events).toContainEqual({ kind: 'network', networkId: 'eip155:8453' }))
    met.wallet.answer(() => '0x01')
    await connector.request('personal_sign', [], never)
    expect(met.wallet.requests[0]?.chainId).toBe('eip155:8453')
    expect(await connector.reconnect(never)).toMatchObject({ session: { networkId: 'eip155:8453' } })
  })

  it('3. asks the wallet for a missing network, adds it, and switches once the session has it', async () => {
    const { multi, options } = host()
    const { of, topic } = await connected(multi, { eip155: evm })
    const base = options.networks.get('eip155:8453') ?? fail('no Base')
    met.wallet.answer(async ({ method }) => {
      if (method === 'wallet_switchEthereumChain') throw { code: 4902, message: 'Unrecognized chain ID' }
      await met.wallet.kit.updateSession({ topic, namespaces: { eip155: evmOnBoth } })
      return null
    })
    expect(await of('eip155').connector.switchNetwork(base, never)).toBe('eip155:8453')
    expect(met.wallet.requests.map(({ method }) => method)).toEqual([
      'wallet_switchEthereumChain',
      'wallet_addEthereumChain',
    ])
  })

  it('3. rejects with CHAIN_NOT_SUPPORTED if the session does not get the network', async () => {
    const { multi, options, clock } = host()
    const { of } = await connected(multi, { eip155: evm, solana })
    const base = options.networks.get('eip155:8453') ?? fail('no Base')
    met.wallet.answer(() => null)
    const switching = of('eip155').connector.switchNetwork(base, never)
    switching.catch(() => {})
    await waitFor(() => expect(met.wallet.requests).toHaveLength(1))
    await waitFor(() => {
      clock.advance(5_000)
      expect(clock.pending()).toBe(0)
    })
    await expect(switching).rejects.toMatchObject({ code: 'CHAIN_NOT_SUPPORTED' })
    await expect(of('solana').connector.switchNetwork(base, never)).rejects.toMatchObject({
      code: 'CHAIN_NOT_SUPPORTED',
    })
  })

  it('4. emits the wallet’s account and network changes', async () => {
    const { multi } = host()
    const { of, topic } = await connected(multi, { eip155: evmOnBoth, solana })
    const events = heard(of('eip155').connector)
    const others = heard(of('solana').connector)
    await met.wallet.kit.emitSessionEvent({
      topic,
      chainId: 'eip155:1',
      event: { name: 'accountsChanged', data: [otherEvmAccount] },
    })
    await waitFor(() =>
      expect(events).toEqual([
        { kind: 'accounts', accounts: [{ namespace: 'eip155', address: otherEvmAccount, type: 'eoa' }] },
      ]),
    )
    await met.wallet.kit.emitSessionEvent({
      topic,
      chainId: 'eip155:8453',
      event: { name: 'chainChanged', data: 8453 },
    })
    await waitFor(() => expect(events).toContainEqual({ kind: 'network', networkId: 'eip155:8453' }))
    expect(others).toEqual([])
  })

  it('4. shows an announced account for 5 s that the session never lists, then its own again', async () => {
    const { multi, clock, options } = host()
    const { of, topic } = await connected(multi, { eip155: evm })
    const { connector, session } = of('eip155')
    const events = heard(connector)
    await met.wallet.kit.emitSessionEvent({
      topic,
      chainId: 'eip155:1',
      event: { name: 'accountsChanged', data: [otherEvmAccount] },
    })
    const accounts = [{ namespace: 'eip155', address: otherEvmAccount, type: 'eoa' }]
    await waitFor(() => expect(events).toEqual([{ kind: 'accounts', accounts }]))
    clock.advance(5_000)
    await waitFor(() => expect(events[1]).toEqual({ kind: 'accounts', accounts: session.accounts }))
    expect(options.storage.get('wc-sessions')).not.toBeNull()
  })

  it('1. leaves no record of a session that has expired', async () => {
    const { multi, options, clock } = host()
    const { of, topic } = await connected(multi, { eip155: evm })
    expect(options.storage.get('wc-sessions')).toContain(topic)
    clock.advance(8 * 24 * 3_600_000)
    expect(await of('eip155').connector.reconnect(never)).toEqual({ kind: 'ended' })
    expect(options.storage.get('wc-sessions')).toBeNull()
  })

  it('4. includes a network announced just before an account in that account’s event', async () => {
    let [isHeld, held] = [false, 0]
    const normalise = async (_: string, addresses: readonly string[]) => {
      if (!isHeld) return addresses
      held += 1
      return new Promise<readonly string[]>(() => {})
    }
    const { multi } = host({ normalise })
    const { of, topic } = await connected(multi, { eip155: evmOnBoth, solana })
    const events = heard(of('eip155').connector)
    const tell = (chainId: string, name: string, data: unknown) =>
      met.wallet.kit.emitSessionEvent({ topic, chainId, event: { name, data } })
    isHeld = true
    await tell('eip155:8453', 'chainChanged', 8453)
    await waitFor(() => expect(held).toBeGreaterThan(0))
    isHeld = false
    await tell('eip155:1', 'accountsChanged', [otherEvmAccount])
    await waitFor(() =>
      expect(events).toEqual([
        { kind: 'network', networkId: 'eip155:8453' },
        { kind: 'accounts', accounts: [{ namespace: 'eip155', address: otherEvmAccount, type: 'eoa' }] },
      ]),
    )
  })

  it('4. emits the end of a session that is still being read, to a listener from before', async () => {
    const frame = memoryStorage()
    const first = host({ storage: hostStorage(frame) })
    const { topic } = await connected(first.multi, { eip155: evm })
    first.multi.end()
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const normalise = async (_: string, addresses: readonly string[]) => {
      await held
      return addresses
    }
    const second = host({ storage: hostStorage(frame), normalise })
    const connector = second.multi.restore('eip155', `walletconnect:${topic}`, { name: 'Test Wallet' })
    const events = heard(connector)
    const answer = connector.reconnect(never)
    // Version 2.25 of the library drops what waits at the relay while it starts.
    await waitFor(() => expect(second.multi.relay.status()).toBe('connected'))
    await met.wallet.kit.disconnectSession({ topic, reason: { code: 6000, message: 'User disconnected.' } })
    await waitFor(() => expect(events).toEqual([{ kind: 'disconnected' }]))
    release()
    expect(await answer).toMatchObject({ kind: 'granted' })
    expect(await connector.reconnect(never)).toEqual({ kind: 'ended' })
  })

  it('4. keeps an account announced just before a network change', async () => {
    let release = () => {}
    let held: Promise<void> | null = null
    const normalise = async (_: string, addresses: readonly string[]) => {
      await held
      return addresses
    }
    const { multi, options } = host({ normalise })
    const both = ['eip155:1', 'eip155:8453'].flatMap((id) => [`${id}:${evmAccount}`, `${id}:${otherEvmAccount}`])
    const { of, topic } = await connected(multi, { eip155: { ...evm, accounts: both }, solana })
    const { connector } = of('eip155')
    const events = heard(connector)
    const tell = (chainId: string, name: string, data: unknown) =>
      met.wallet.kit.emitSessionEvent({ topic, chainId, event: { name, data } })
    held = new Promise((resolve) => {
      release = resolve
    })
    await tell('eip155:1', 'accountsChanged', [otherEvmAccount])
    await tell('eip155:8453', 'chainChanged', 8453)
    await waitFor(() => expect(options.storage.get('wc-sessions')).toContain('"eip155:8453"'))
    release()
    await waitFor(() => expect(events.map(({ kind }) => kind)).toContain('network'))
    expect(await connector.reconnect(never)).toMatchObject({
      session: { accounts: [{ address: otherEvmAccount }, { address: evmAccount }], networkId: 'eip155:8453' },
    })
  })

  it('4. emits a session update, and disconnects a namespace that it drops', async () => {
    const { multi } = host()
    const { of, topic } = await connected(multi, { eip155: evm, solana })
    const events = heard(of('eip155').connector)
    const others = heard(of('solana').connector)
    await met.wallet.kit.updateSession({
      topic,
      namespaces: { eip155: { ...evm, accounts: [`eip155:1:${otherEvmAccount}`] } },
    })
    await waitFor(() => expect(others).toEqual([{ kind: 'disconnected' }]))
    await waitFor(() =>
      expect(events).toEqual([
        { kind: 'accounts', accounts: [{ namespace: 'eip155', address: otherEvmAccount, type: 'eoa' }] },
      ]),
    )
  })

  it('4. disconnects every namespace and settles pending requests when the wallet deletes the session', async () => {
    const { multi } = host()
    const { of, topic } = await connected(multi, { eip155: evm, solana })
    const events = [heard(of('eip155').connector), heard(of('solana').connector)]
    const asked = of('eip155').connector.request('personal_sign', [], never)
    asked.catch(() => {})
    await waitFor(() => expect(met.wallet.requests).toHaveLength(1))
    await met.wallet.kit.disconnectSession({ topic, reason: { code: 6000, message: 'User disconnected.' } })
    await waitFor(() => expect(events).toEqual([[{ kind: 'disconnected' }], [{ kind: 'disconnected' }]]))
    await expect(asked).rejects.toMatchObject({ code: 'DISCONNECTED' })
    expect(await of('eip155').connector.reconnect(never)).toEqual({ kind: 'ended' })
  })

  it('4. survives an extension', async () => {
    const { multi } = host()
    const { of, topic } = await connected(multi, { eip155: evm })
    const events = heard(of('eip155').connector)
    await met.wallet.kit.extendSession({ topic })
    met.wallet.answer(() => '0x00')
    await of('eip155').connector.request('personal_sign', [], never)
    expect(events).toEqual([])
  })

  it('4. ignores events of another session', async () => {
    const { multi } = host()
    const first = await connected(multi, { eip155: evmOnBoth })
    const second = await connected(multi, { eip155: evmOnBoth })
    const events = heard(first.of('eip155').connector)
    const others = heard(second.of('eip155').connector)
    await met.wallet.kit.emitSessionEvent({
      topic: second.topic,
      chainId: 'eip155:8453',
      event: { name: 'chainChanged', data: '0x2105' },
    })
    await waitFor(() => expect(others).toHaveLength(1))
    expect(events).toEqual([])
  })

  it('5. keeps the session for other namespaces when one leaves, also after a reload; the last one deletes it', async () => {
    const frame = memoryStorage()
    const first = host({ storage: hostStorage(frame) })
    const { of, topic } = await connected(first.multi, { eip155: evm, solana })
    await of('eip155').connector.disconnect()
    await expect(of('eip155').connector.request('personal_sign', [], never)).rejects.toMatchObject({
      code: 'DISCONNECTED',
    })
    first.multi.end()

    const second = host({ storage: hostStorage(frame) })
    const restore = (namespace: Namespace) =>
      second.multi.restore(namespace, `walletconnect:${topic}`, { name: 'Test Wallet' })
    expect(await restore('eip155').reconnect(never)).toEqual({ kind: 'ended' })
    const rest = restore('solana')
    expect(await rest.reconnect(never)).toMatchObject({ kind: 'granted' })
    expect(Object.keys(met.wallet.kit.getActiveSessions())).toEqual([topic])
    await rest.disconnect()
    await waitFor(() => expect(met.wallet.kit.getActiveSessions()).toEqual({}))
    await waitFor(() => expect(hostStorage(frame).get('wc-sessions')).toBeNull())
  })

  it('5. leaves without waiting for an offline relay', async () => {
    const { multi } = host()
    const { of } = await connected(multi, { eip155: evm })
    met.relay.pause()
    await of('eip155').connector.disconnect()
    expect(await of('eip155').connector.reconnect(never)).toEqual({ kind: 'ended' })
    met.relay.resume()
  })
})

describe('a relay', () => {
  it('reports an unreachable relay as lost, and continues once it is back', async () => {
    met.relay.pause()
    const { multi, clock } = host()
    const attempt = begin(multi)
    expect(multi.relay.status()).toBe('connecting')
    clock.advance(5_000)
    expect(multi.relay.status()).toBe('lost')
    met.relay.resume()
    await waitFor(() => expect(multi.relay.status()).toBe('connected'))
    await attempt.code()
  })

  it.each([
    ['Unauthorized: invalid key', 'INVALID_PROJECT_ID'],
    ['Unauthorized: origin not allowed', 'ORIGIN_NOT_ALLOWED'],
  ])('rejects at once if the relay refuses (%s)', async (reason, code) => {
    const refusing = await startRefusingRelay(reason)
    met.endWithTest(refusing.stop)
    const { multi } = host({ relay: { relayUrl: refusing.url, projectId: 'test' } })
    await expect(begin(multi).granted).rejects.toMatchObject({ code })
  })
})
