import { describe, expect, test } from 'vitest'
import { toBase58, toBase64 } from '../../adapters/bytes'
import { requestFailure } from '../../shared/failures'
import { pageWallet, testPage } from '../../testing/page'
import { solanaKey } from '../../testing/wallets'
import type { CaipNetworkId, Connection } from '../../types/index'

import { createSolana } from './provider'

const mainnet = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const other = '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5'
const signature = new Uint8Array(64).fill(7)

function connected(wallet = 'w', address = solanaKey, networkId: CaipNetworkId = mainnet): Connection {
  return {
    status: 'connected',
    connector: { id: 'c', name: 'W', type: 'ANNOUNCED', pageWallet: wallet },
    accounts: [{ namespace: 'solana', address, type: 'eoa' }],
    networkId,
  }
}

function setUp(connection?: Connection, methods = ['solana_signMessage', 'solana_signTransaction'] as const) {
  const test_ = testPage({
    phase: 'ready',
    activeNetworkId: mainnet,
    ...(connection && { connections: { solana: connection } }),
  })
  test_.grant(connected())
  const solana = createSolana({ ...test_.page, pageWallets: () => [pageWallet('solana', [...methods])] })
  const events: unknown[] = []
  for (const name of ['connect', 'disconnect', 'accountsChanged', 'networkChanged'] as const)
    solana.provider.on(name, (data: unknown) =>
      events.push([name, data instanceof Error ? Reflect.get(data, 'code') : data]),
    )
  return { ...test_, ...solana, events }
}

describe('1. a request', () => {
  test('goes straight to the page wallet, with the parameters that it needs', async () => {
    const { provider, asked, answers } = setUp(connected())
    answers.wallet = async () => ({ signature: toBase58(signature) })
    expect(await provider.signMessage(Uint8Array.of(0, 9))).toEqual({ signature, publicKey: solanaKey })
    expect(asked.wallet).toEqual([
      {
        method: 'solana_signMessage',
        params: [{ pubkey: solanaKey, network: mainnet, message: toBase58(Uint8Array.of(0, 9)) }],
      },
    ])
    expect(asked.host).toEqual([])
  })

  test('for a message has the bytes that the wallet signed instead', async () => {
    const { provider, answers } = setUp(connected())
    const signedMessage = Uint8Array.of(255, 0, 9)
    answers.wallet = async () => ({ signature: toBase58(signature), signedMessage: toBase58(signedMessage) })
    expect(await provider.signMessage(Uint8Array.of(0, 9))).toEqual({ signature, publicKey: solanaKey, signedMessage })
  })

  test('goes to the host if the wallet does not support it', async () => {
    const { provider, asked, answers } = setUp(connected())
    answers.host = async () => ({ signature: toBase58(signature) })
    const sent = await provider.signAndSendTransaction(Uint8Array.of(1), { skipPreflight: true })
    expect(sent).toEqual({ signature: toBase58(signature) })
    expect(asked).toMatchObject({
      wallet: [],
      host: [
        {
          namespace: 'solana',
          method: 'solana_signAndSendTransaction',
          networkId: mainnet,
          params: { transaction: toBase64(Uint8Array.of(1)), sendOptions: { skipPreflight: true }, pubkey: solanaKey },
        },
      ],
    })
  })

  test('goes to the host for a wallet behind it, like reads, unchanged', async () => {
    const { provider, asked } = setUp(connected('elsewhere'))
    await provider.request({ method: 'solana_signMessage', params: { message: 'a' } })
    await provider.request({ method: 'getBalance', params: [solanaKey, { commitment: 'finalized' }] })
    expect(asked.wallet).toEqual([])
    expect(asked.host).toMatchObject([
      { method: 'solana_signMessage', params: { message: 'a' } },
      { method: 'getBalance', params: [solanaKey, { commitment: 'finalized' }], networkId: mainnet },
    ])
  })
})

describe('transactions', () => {
  class Legacy {
    constructor(readonly bytes: Uint8Array) {}
    serialize(options?: object): Uint8Array {
      expect(options).toEqual({ requireAllSignatures: false, verifySignatures: false })
      return this.bytes
    }
    static from(bytes: Uint8Array): Legacy {
      return new Legacy(bytes)
    }
  }
  class Versioned {
    constructor(readonly bytes: Uint8Array) {}
    serialize(): Uint8Array {
      return this.bytes
    }
    static deserialize(bytes: Uint8Array): Versioned {
      return new Versioned(bytes)
    }
  }
  const signed = Uint8Array.of(2, 2)

  test.each([
    ['bytes', Uint8Array.of(1), signed],
    ['a legacy transaction', new Legacy(Uint8Array.of(1)), new Legacy(signed)],
    ['a versioned transaction', new Versioned(Uint8Array.of(1)), new Versioned(signed)],
  ])('%s are returned in the given form, signed', async (_, given, expected) => {
    const { provider, answers } = setUp(connected())
    answers.wallet = async () => ({ signature: 'x', transaction: toBase64(signed) })
    expect(await provider.signTransaction(given)).toEqual(expected)
  })

  test('signs several in one request; rejects a result of another length', async () => {
    const { provider, answers, asked } = setUp(connected())
    answers.host = async () => ({ transactions: [toBase64(signed), toBase64(signed)] })
    expect(await provider.signAllTransactions([Uint8Array.of(1), Uint8Array.of(2)])).toEqual([signed, signed])
    expect(asked.host).toHaveLength(1)
    await expect(provider.signAllTransactions([Uint8Array.of(1)])).rejects.toMatchObject({ code: -32603 })
  })
})

describe('3. connecting', () => {
  test('opens the modal once for concurrent requests, and not again', async () => {
    const { provider, asked, events } = setUp()
    expect(provider.publicKey).toBeNull()
    const [first] = await Promise.all([provider.connect(), provider.request({ method: 'solana_requestAccounts' })])
    expect(first).toEqual({ publicKey: solanaKey })
    await provider.connect()
    expect([asked.connects, provider.publicKey, provider.accounts]).toEqual([['solana'], solanaKey, [solanaKey]])
    expect(events).toEqual([
      ['connect', { publicKey: solanaKey }],
      ['accountsChanged', [solanaKey]],
    ])
  })

  test('onlyIfTrusted shows no prompt, and waits for a session that is being confirmed', async () => {
    const { provider, asked } = setUp()
    await expect(provider.connect({ onlyIfTrusted: true })).rejects.toMatchObject({ code: 4100 })
    const restoring = setUp({
      status: 'connecting',
      accounts: [{ namespace: 'solana', address: solanaKey, type: 'eoa' }],
    })
    const waiting = restoring.provider.connect({ onlyIfTrusted: true })
    restoring.set({ connections: { solana: connected() } })
    expect(await waiting).toEqual({ publicKey: solanaKey })
    expect([asked.connects, restoring.asked.connects]).toEqual([[], []])
  })
})

describe('4. while a session is being restored', () => {
  const shown = { accounts: [{ namespace: 'solana' as const, address: solanaKey, type: 'eoa' as const }] }
  const sign = { method: 'solana_signMessage', params: { message: toBase58(Uint8Array.of(1)) } }

  test('signing waits, then goes to the wallet', async () => {
    const { provider, set, asked } = setUp({ status: 'connecting', ...shown })
    const answer = provider.request(sign)
    expect([asked.host, asked.wallet]).toEqual([[], []])
    set({ connections: { solana: connected() } })
    await answer
    expect(asked).toMatchObject({ host: [], wallet: [{ method: 'solana_signMessage' }] })
  })

  test('signing is 4100 if another account is restored', async () => {
    const { provider, set, asked } = setUp({ status: 'connecting', ...shown })
    const answer = provider.request(sign)
    set({ connections: { solana: connected('w', other) } })
    await expect(answer).rejects.toMatchObject({ code: 4100 })
    expect([asked.host, asked.wallet]).toEqual([[], []])
  })

  test('signing goes to the host if the wallet could not be asked, and the account stays known', async () => {
    const { provider, asked } = setUp({ status: 'reconnecting', ...shown })
    expect(await provider.request({ method: 'solana_getAccounts' })).toMatchObject([{ pubkey: solanaKey }])
    await provider.request(sign)
    expect(asked).toMatchObject({ host: [{ method: sign.method, params: { pubkey: solanaKey } }], wallet: [] })
  })
})

describe('4. failures', () => {
  test('signing without an account is 4100', async () => {
    const { provider, asked } = setUp()
    await expect(provider.signMessage(Uint8Array.of(1))).rejects.toMatchObject({ code: 4100 })
    expect([asked.host, asked.wallet]).toEqual([[], []])
  })

  test('have the number of the host’s or the wallet’s failure', async () => {
    const { provider, answers } = setUp(connected())
    answers.wallet = () => Promise.reject(requestFailure('USER_REJECTED'))
    await expect(provider.signMessage(Uint8Array.of(1))).rejects.toMatchObject({ code: 4001 })
    answers.wallet = async () => ({ signature: '0OIl' })
    await expect(provider.signMessage(Uint8Array.of(1))).rejects.toMatchObject({ code: -32602 })
  })

  test.each([[''], ['x'.repeat(129)]])('a method %s is -32600', async (method) => {
    await expect(setUp().provider.request({ method })).rejects.toMatchObject({ code: -32600 })
  })
})

test('5. events follow the snapshot, once each, and end', async () => {
  const { set, events, stop, provider, listeners } = setUp(connected())
  set({ connections: { solana: connected('w', other) } })
  set({ connections: { solana: connected('w', other, 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1') } })
  set({
    connections: {
      solana: { status: 'reconnecting', accounts: [{ namespace: 'solana', address: other, type: 'eoa' }] },
    },
  })
  set({ connections: {} })
  expect(events).toEqual([
    ['accountsChanged', [other]],
    ['networkChanged', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
    ['networkChanged', mainnet],
    ['accountsChanged', []],
    ['disconnect', 4900],
  ])
  await provider.disconnect()
  stop()
  expect(listeners.size).toBe(0)
})
