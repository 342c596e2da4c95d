import { describe, expect, it } from 'vitest'
import type { MoneyHost } from '../../snapshot/money'
import { ethereum, solana } from '../testing/test-networks'
import { readToken } from './token-facts'

const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const token = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

function chain(answer: (method: string, params: unknown) => unknown): Pick<MoneyHost, 'client'> {
  const fail = () => Promise.reject(new Error('Unexpected request'))
  return {
    client: (networkId) => ({
      networkId,
      rpc: { request: async ({ method, params }) => answer(method, params) },
      esplora: { get: fail, post: fail },
    }),
  }
}
const { signal } = new AbortController()
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`
const account = (data: unknown) => chain(() => ({ context: {}, value: data === null ? null : { data } }))

describe('readToken', () => {
  it('knows the network’s native currency without a request', async () => {
    const silent = chain(() => {
      throw new Error('Unexpected request')
    })
    expect(await readToken(solana, undefined, silent, signal)).toMatchObject({
      symbol: 'SOL',
      decimals: 9,
      address: null,
    })
  })

  it('reads a token’s decimals from the chain', async () => {
    const answers = chain((_method, params) => (JSON.stringify(params).includes('0x313ce567') ? word(6) : '0x'))
    expect(await readToken(ethereum, token, answers, signal)).toMatchObject({ decimals: 6, address: token })
    const mints = account({ parsed: { type: 'mint', info: { decimals: 6, supply: '1' } } })
    expect(await readToken(solana, mint, mints, signal)).toMatchObject({ decimals: 6, address: mint })
  })

  it.each([
    ['an address without a contract', ethereum, token, chain(() => '0x')],
    [
      'a contract without decimals',
      ethereum,
      token,
      chain((method) => (method === 'eth_getCode' ? '0x60' : Promise.reject(new Error('execution reverted')))),
    ],
    ['decimals that no byte says', ethereum, token, chain(() => `0x${'f'.repeat(64)}`)],
    ['an account that is no mint', solana, mint, account({ parsed: { type: 'account', info: { decimals: 6 } } })],
    ['a program’s account', solana, mint, account(['AA==', 'base64'])],
    ['a missing account', solana, mint, account(null)],
    ['a mint of nonsense', solana, mint, account({ parsed: { type: 'mint', info: { decimals: 1_000 } } })],
  ])('rejects %s as a token', async (_what, network, address, money) => {
    await expect(readToken(network, address, money, signal)).rejects.toMatchObject({ code: 'TOKEN_REQUIRED' })
  })

  it('does not reject a token if the chain cannot be reached', async () => {
    const down = chain(() => Promise.reject(new Error('fetch failed')))
    await expect(readToken(solana, mint, down, signal)).rejects.not.toMatchObject({ code: 'TOKEN_REQUIRED' })
    await expect(readToken(ethereum, token, down, signal)).rejects.not.toMatchObject({ code: 'TOKEN_REQUIRED' })
  })
})
