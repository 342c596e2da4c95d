import { testEsplora, testKey } from '@postern/chains/bip122/testing/test-chain'
import type { ChainClient } from '@postern/chains/chain-client'
import { Failure } from '@postern/protocol/failure'
import { base58, base64 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { broadcastSigned } from '../../bip122/walletconnect-compose'
import { regtest, solanaAccount, solanaMainnet } from '../testing/set-up'
import type { ComposeContext, SessionState } from './dialect'
import { dialects } from './dialects'

const signal = new AbortController().signal
const signatureBytes = new Uint8Array(64).fill(7)
const signature = base58.encode(signatureBytes)

function transactionOf(signed: Uint8Array): string {
  const message = [1, 0, 0, 1, ...base58.decode(solanaAccount), ...new Uint8Array(32), 0]
  return base64.encode(Uint8Array.from([1, ...signed, ...message]))
}
const unsigned = transactionOf(new Uint8Array(64))

function context(
  state: Omit<SessionState, 'methods' | 'properties'>,
  changes: Partial<ComposeContext> & { client: Partial<ChainClient> },
): ComposeContext {
  const fail = () => Promise.reject(new Failure('INTERNAL'))
  const client: ChainClient = {
    networkId: state.networkId,
    rpc: { request: fail },
    esplora: { get: fail, post: fail },
    ...changes.client,
  }
  return {
    state: { ...state, methods: new Set<string>(), properties: undefined },
    clientOf: () => client,
    ask: changes.ask ?? fail,
    signal: changes.signal ?? signal,
  }
}

function run(method: string, params: unknown, on: ComposeContext): Promise<unknown> {
  const composition = dialects.solana.compositions.get(method) ?? dialects.bip122.compositions.get(method)
  if (composition === undefined) throw new Error(`no ${method}`)
  return composition.run(params, on)
}

describe('a Solana wallet that only signs', () => {
  const state = {
    networkId: solanaMainnet,
    accounts: [{ namespace: 'solana', address: solanaAccount, type: 'eoa' }],
  } as const

  it('sends the transaction for it, and returns the transaction’s own signature', async () => {
    const sent: unknown[] = []
    const asked: unknown[] = []
    const on = context(state, {
      ask: async (method, params) => {
        asked.push(method, params)
        return { signature }
      },
      client: {
        rpc: {
          request: async (request) => {
            sent.push(request.method)
            return 'whatever the endpoint says'
          },
        },
      },
    })
    expect(await run('solana_signAndSendTransaction', { transaction: unsigned }, on)).toEqual({ signature })
    expect(asked).toEqual(['solana_signTransaction', { pubkey: solanaAccount, transaction: unsigned }])
    expect(sent).toEqual(['sendTransaction'])
  })

  it('signs several transactions one by one', async () => {
    const on = context(state, { ask: async () => ({ signature }), client: {} })
    const answer = await run('solana_signAllTransactions', { transactions: [unsigned, unsigned] }, on)
    const signed = transactionOf(signatureBytes)
    expect(answer).toEqual({ transactions: [signed, signed] })
  })

  it('sends what it has signed, although the user presses Cancel by then', async () => {
    const card = new AbortController()
    const on = context(state, {
      signal: card.signal,
      ask: async () => ({ signature }),
      client: {
        rpc: {
          request: (_, ended) =>
            new Promise((resolve, reject) => {
              ended?.addEventListener('abort', () => reject(ended.reason))
              card.abort(new Failure('USER_REJECTED'))
              resolve('whatever the endpoint says')
            }),
        },
      },
    })
    expect(await run('solana_signAndSendTransaction', { transaction: unsigned }, on)).toEqual({ signature })
  })

  it('sends nothing if it rejects', async () => {
    const on = context(state, { ask: () => Promise.reject(new Failure('USER_REJECTED')), client: {} })
    await expect(run('solana_signAndSendTransaction', { transaction: unsigned }, on)).rejects.toMatchObject({
      code: 'USER_REJECTED',
    })
  })
})

describe('a Bitcoin wallet that only signs', () => {
  const key = testKey('p2wpkh')
  const receiver = testKey('p2wpkh', 9)
  const state = { networkId: regtest, accounts: [key.account] } as const

  it('gets its transfer built and sent', async () => {
    const chain = testEsplora(key, [{ value: 100_000n }], { '2': 2 })
    const on = context(state, {
      ask: async (_, params) => ({ psbt: key.sign(psbtIn(params)) }),
      client: { esplora: chain.esplora },
    })
    const transfer = { recipientAddress: receiver.address, amount: '40000' }
    expect(await run('bip122_sendTransfer', transfer, on)).toEqual({ txid: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(chain.sent).toHaveLength(1)
  })

  it('gets what it has signed sent, although the user presses Cancel by then', async () => {
    const chain = testEsplora(key, [{ value: 100_000n }], { '2': 2 })
    const card = new AbortController()
    const post: ChainClient['esplora']['post'] = async (path, body, ended) => {
      card.abort(new Failure('USER_REJECTED'))
      ended?.throwIfAborted()
      return chain.esplora.post(path, body, ended)
    }
    const on = context(state, {
      signal: card.signal,
      ask: async (_, params) => ({ psbt: key.sign(psbtIn(params)) }),
      client: { esplora: { ...chain.esplora, post } },
    })
    const transfer = { recipientAddress: receiver.address, amount: '40000' }
    expect(await run('bip122_sendTransfer', transfer, on)).toEqual({ txid: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(chain.sent).toHaveLength(1)
  })

  it('sends only from its own account', async () => {
    const on = context(state, { client: {} })
    const transfer = { account: receiver.address, recipientAddress: receiver.address, amount: '40000' }
    await expect(run('bip122_sendTransfer', transfer, on)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  })

  it('sends a PSBT only if asked to broadcast it and the wallet did not', async () => {
    const chain = testEsplora(key, [{ value: 100_000n }], { '2': 2 })
    let psbt = ''
    const on = context(state, {
      ask: async (_, params) => {
        psbt = psbtIn(params)
        return { psbt: key.sign(psbt) }
      },
      client: { esplora: chain.esplora },
    })
    await run('bip122_sendTransfer', { recipientAddress: receiver.address, amount: '40000' }, on)
    const signed = { psbt: key.sign(psbt) }
    const asked = { psbt, signInputs: [{ index: 0, address: key.address }] }
    const txid = 'ab'.repeat(32)
    expect(await broadcastSigned(asked, signed, on)).toEqual(signed)
    expect(await broadcastSigned({ ...asked, broadcast: true }, { ...signed, txid }, on)).toEqual({ ...signed, txid })
    expect(chain.sent).toHaveLength(1)
    expect(await broadcastSigned({ ...asked, broadcast: true }, signed, on)).toMatchObject({
      txid: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(chain.sent).toHaveLength(2)
  })
})

function psbtIn(params: unknown): string {
  const psbt: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, 'psbt') : undefined
  if (typeof psbt !== 'string') throw new Error('no PSBT')
  return psbt
}
