import { describe, expect, it } from 'vitest'
import type { ChainClient } from '../chain-client'
import { adapter } from './adapter'

const address = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'

function client(result: unknown) {
  const requests: unknown[] = []
  const chain: ChainClient = {
    networkId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    rpc: {
      async request(request) {
        requests.push(request)
        return result
      },
    },
    esplora: { get: () => Promise.reject(new Error()), post: () => Promise.reject(new Error()) },
  }
  return { chain, requests }
}

describe('the Solana adapter', () => {
  it.each([address, '11111111111111111111111111111111', 'SysvarRent111111111111111111111111111111111'])(
    'accepts %s',
    async (text) => {
      expect(await adapter.normaliseAddresses([text])).toEqual([text])
    },
  )

  it.each([
    address.toLowerCase(),
    `${address}1`,
    // 33 and 31 bytes: lengths that only decoding reveals.
    'z'.repeat(44),
    '1'.repeat(33),
    '1'.repeat(44),
    'z'.repeat(32),
    `${address}\n`,
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '',
  ])('rejects %j', async (text) => {
    await expect(adapter.normaliseAddresses([text])).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  })

  it('reads a balance in lamports', async () => {
    const { chain, requests } = client({ context: { slot: 1 }, value: 1_234_567_890 })
    expect(await adapter.nativeBalance(chain, address)).toBe(1_234_567_890n)
    expect(requests).toEqual([{ method: 'getBalance', params: [address, { commitment: 'confirmed' }] }])
    expect(await adapter.nativeBalance(client({ value: 2 ** 63 }).chain, address)).toBe(2n ** 63n)
  })

  it.each([
    [null],
    [5],
    [{ value: '5' }],
    [{ value: -1 }],
    [{ value: 1.5 }],
    [{ value: 2 ** 64 }],
    [{ value: Number.NaN }],
  ])('rejects %j as a balance', async (answer) => {
    await expect(adapter.nativeBalance(client(answer).chain, address)).rejects.toThrow()
  })

  it('reads the chain through Solana’s own methods only, and returns the accounts itself', async () => {
    const methods = [
      'getLatestBlockhash',
      'sendTransaction',
      'solana_getAccounts',
      'solana_signMessage',
      'eth_call',
      'bip122_getUtxos',
      'constructor',
    ]
    expect(methods.filter(adapter.isChainRead)).toEqual(['getLatestBlockhash', 'sendTransaction'])
    const { chain, requests } = client('x')
    expect(await adapter.read(chain, 'getSlot', [])).toBe('x')
    expect(requests).toEqual([{ method: 'getSlot', params: [] }])
    const state = { networkId: chain.networkId, accounts: [{ namespace: 'solana', address, type: 'eoa' }] } as const
    expect(adapter.localAnswer('solana_getAccounts', state)).toEqual([{ pubkey: address }])
    expect(adapter.localAnswer('getBalance', state)).toBeUndefined()
  })
})
