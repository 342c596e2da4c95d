import { Failure } from '@postern/protocol/failure'
import { describe, expect, it } from 'vitest'
import type { ChainClient } from '../chain-client'
import { adapter } from './adapter'

const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const txid = 'ab'.repeat(32)

/** On regtest, with a response per path. */
function client(answers: Record<string, unknown>): ChainClient & { readonly posted: string[] } {
  const posted: string[] = []
  return {
    networkId: 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328',
    rpc: { request: () => Promise.reject(new Error('Bitcoin has no JSON-RPC here')) },
    esplora: {
      get: async (path) => answers[path],
      async post(_path, body) {
        posted.push(body)
        return `${txid}\n`
      },
    },
    posted,
  }
}

const stats = (funded: number, spent: number) => ({ funded_txo_sum: funded, spent_txo_sum: spent, tx_count: 1 })
const view = { address, chain_stats: stats(1_000, 400), mempool_stats: stats(50, 200) }
const status = { confirmed: true, block_height: 7, block_hash: txid, block_time: 1_700_000_000 }

describe('the bip122 adapter', () => {
  it('normalises bech32 to lower case, and rejects invalid addresses', async () => {
    expect(await adapter.normaliseAddresses([address.toUpperCase()])).toEqual([address])
    await expect(adapter.normaliseAddresses([address, 'bc1'])).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  })

  it('includes the mempool in the balance', async () => {
    const chain = client({ [`/address/${address}`]: view })
    expect(await adapter.nativeBalance(chain, address)).toBe(450n)
    expect(await adapter.read(chain, 'bip122_getBalance', { address })).toEqual({
      confirmed: '600',
      unconfirmed: '-150',
      total: '450',
    })
  })

  it.each([
    [null],
    [{}],
    ['450'],
    [{ ...view, chain_stats: stats(1.5, 0) }],
    [{ ...view, chain_stats: stats(2 ** 60, 0) }],
  ])('rejects %j as a balance', async (answer) => {
    await expect(adapter.nativeBalance(client({ [`/address/${address}`]: answer }), address)).rejects.toBeInstanceOf(
      Failure,
    )
  })

  it('reads coins, fees and transactions, with amounts as digits', async () => {
    const output = { scriptpubkey: '00', scriptpubkey_address: address, value: 900 }
    const chain = client({
      [`/address/${address}/utxo`]: [{ txid, vout: 1, value: 900, status }],
      '/fee-estimates': { '2': 87.882, '144': 1.027 },
      [`/tx/${txid}`]: {
        txid,
        weight: 561,
        fee: 100,
        vin: [{ txid, vout: 0, prevout: output }],
        vout: [output],
        status,
      },
    })
    expect(await adapter.read(chain, 'bip122_getUtxos', [{ address }])).toEqual([
      { txid, vout: 1, value: '900', confirmed: true, blockHeight: 7, blockTime: 1_700_000_000 },
    ])
    expect(await adapter.read(chain, 'bip122_getFeeEstimates', undefined)).toEqual({ '2': 87.882, '144': 1.027 })
    expect(await adapter.read(chain, 'bip122_getTransaction', { txid })).toEqual({
      txid,
      size: 141,
      fee: '100',
      inputs: [{ txid, vout: 0, value: '900', script: '00', address }],
      outputs: [{ value: '900', script: '00', address }],
      confirmed: true,
      blockHeight: 7,
      blockTime: 1_700_000_000,
    })
  })

  it('sends a raw transaction', async () => {
    const chain = client({})
    expect(await adapter.read(chain, 'bip122_sendRawTransaction', { transaction: '0200' })).toEqual({ txid })
    expect(chain.posted).toEqual(['0200'])
  })

  it.each([
    ['bip122_getBalance', { address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }],
    ['bip122_getBalance', { address: `${address}/utxo` }],
    ['bip122_getUtxos', {}],
    ['bip122_getUtxos', [address]],
    ['bip122_getTransaction', { txid: '../fee-estimates' }],
    ['bip122_sendRawTransaction', { transaction: 'xyz' }],
    ['bip122_sendRawTransaction', undefined],
  ])('rejects %s with %j', async (method, params) => {
    await expect(adapter.read(client({}), method, params)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  })

  it('returns connected accounts locally, and reads only listed methods', () => {
    const accounts = [
      { namespace: 'bip122', address, type: 'payment', publicKey: '02', path: 'm/84' },
      { namespace: 'bip122', address: 'o', type: 'ordinals' },
    ] as const
    const state = { networkId: 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328', accounts } as const
    expect(adapter.localAnswer('bip122_getAccountAddresses', state)).toEqual([
      { address, purpose: 'payment', publicKey: '02', path: 'm/84' },
      { address: 'o', purpose: 'ordinals' },
    ])
    expect(adapter.localAnswer('bip122_getBalance', state)).toBeUndefined()
    expect(['bip122_getBalance', 'bip122_signPsbt', 'eth_call', 'constructor'].map(adapter.isChainRead)).toEqual([
      true,
      false,
      false,
      false,
    ])
  })
})
