import { base58 } from '@scure/base'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { UpstreamsFailedError } from '../../../platform/upstreams/attempt'
import type { RpcAnswer, RpcCall } from '../../../platform/upstreams/rpc'
import { readMetadataAccounts } from '../nfts/solana'
import { metadataProgram } from './metaplex'
import { readTokenWords, token2022Program, wordsOf } from './solana-tokens'

const keyOf = (seed: number) => base58.encode(new Uint8Array(32).fill(seed))
const [mint, other, elsewhere] = [keyOf(3), keyOf(4), keyOf(5)]

const number = (value: number, size: number) => {
  const bytes = Buffer.alloc(size)
  bytes.writeUIntLE(value, 0, size)
  return bytes
}
const text = (value: string) => Buffer.concat([number(Buffer.byteLength(value), 4), Buffer.from(value)])
const extension = (type: number, data: Buffer) => Buffer.concat([number(type, 2), number(data.length, 2), data])
const pointer = (to: string) => extension(18, Buffer.concat([Buffer.alloc(32), base58.decode(to)]))
const words = (of: string, name: string, symbol: string, rest = Buffer.alloc(8)) =>
  Buffer.concat([Buffer.alloc(32), base58.decode(of), text(name), text(symbol), rest])
const metadata = (...args: Parameters<typeof words>) => extension(19, words(...args))
const mintOf = (...extensions: readonly Buffer[]) => Buffer.concat([Buffer.alloc(165), Buffer.of(1), ...extensions])

type Accounts = Readonly<Record<string, { readonly owner: string; readonly data: Buffer }>>

/** Responds like a node, with the requested data slice. */
function chainOf(accounts: Accounts, requests: RpcCall[] = []) {
  const exchange = async (_: readonly string[], calls: readonly RpcCall[]): Promise<RpcAnswer[]> => {
    requests.push(...calls)
    return calls.map(({ params }) => {
      const [addresses = [], config]: readonly unknown[] = Array.isArray(params) ? params : []
      const slice = JSON.stringify(config).match(/"length":(\d+)/)?.[1]
      const value = (Array.isArray(addresses) ? addresses : []).map((address: unknown) => {
        const account = accounts[String(address)]
        if (account === undefined) return null
        return { owner: account.owner, data: [account.data.subarray(0, Number(slice)).toString('base64'), 'base64'] }
      })
      return { result: { value } }
    })
  }
  return { upstreams: { exchange }, urls: ['http://chain.example'] }
}

const wordsIn = async (accounts: Accounts) => (await readTokenWords(chainOf(accounts), [mint])).get(mint)
const of2022 = (...extensions: readonly Buffer[]) => ({ owner: token2022Program, data: mintOf(...extensions) })

describe('a Token-2022 mint', () => {
  test('1 uses the metadata in the mint, if its pointer names the mint', async () => {
    const said = metadata(mint, 'Levy Coin', 'LEVY')
    expect(await wordsIn({ [mint]: of2022(pointer(mint), said) })).toEqual({ name: 'Levy Coin', symbol: 'LEVY' })
    expect(await wordsIn({ [mint]: of2022(extension(12, Buffer.alloc(32)), said, pointer(mint)) })).toBeDefined()
    for (const data of [
      of2022(said),
      of2022(pointer(other), said),
      of2022(pointer(mint), metadata(other, 'Levy Coin', 'LEVY')),
      of2022(pointer(mint)),
      { owner: other, data: mintOf(pointer(mint), said) },
      { owner: token2022Program, data: Buffer.alloc(82) },
    ])
      expect(await wordsIn({ [mint]: data })).toBeUndefined()
  })

  test('1 uses the metadata in the account that the pointer names, if that names the mint', async () => {
    const from = (owner: string, data: Buffer) =>
      wordsIn({ [mint]: of2022(pointer(elsewhere)), [elsewhere]: { owner, data } })
    const metaplex = (of: string) =>
      Buffer.concat([
        Buffer.of(4),
        Buffer.alloc(32),
        base58.decode(of),
        text('By Metaplex\0\0'),
        text('MPX'),
        text(''),
        Buffer.alloc(12),
      ])
    expect(await from(metadataProgram, metaplex(mint))).toEqual({ name: 'By Metaplex', symbol: 'MPX' })
    expect(await from(metadataProgram, metaplex(other))).toBeUndefined()
    expect(await from(other, metaplex(mint))).toBeUndefined()
    const discriminator = Buffer.from([112, 132, 90, 90, 11, 88, 157, 87])
    const record = (of: string) => Buffer.concat([discriminator, number(99, 4), words(of, 'By another', 'OTH')])
    expect(await from(other, record(mint))).toEqual({ name: 'By another', symbol: 'OTH' })
    expect(await from(other, record(keyOf(9)))).toBeUndefined()
  })

  test('2 sanitises name and symbol, or falls back to the address', async () => {
    const said = (name: string, symbol: string) =>
      wordsIn({ [mint]: of2022(pointer(mint), metadata(mint, name, symbol)) })
    expect(await said('US\u202eD\nCoin', '\u200b')).toMatchObject({
      name: 'USD Coin',
      symbol: expect.stringContaining('…'),
    })
    expect(await said('', 'S'.repeat(99))).toEqual({ name: 'S'.repeat(32), symbol: 'S'.repeat(32) })
  })

  test('3 a mint with megabytes of metadata does not affect the others', async () => {
    const requests: RpcCall[] = []
    const flood = { owner: token2022Program, data: mintOf(pointer(other), metadata(other, 'x'.repeat(60_000), 'F')) }
    const rest = Buffer.alloc(60_000)
    const chain = chainOf(
      { [other]: flood, [mint]: of2022(pointer(mint), metadata(mint, 'Levy', 'LEVY', rest)) },
      requests,
    )
    expect([...(await readTokenWords(chain, [other, mint, mint]))]).toEqual([[mint, { name: 'Levy', symbol: 'LEVY' }]])
    expect(JSON.stringify(requests)).toContain('"dataSlice":{"offset":0,"length":4096}')
  })

  test('3 an unreachable chain yields no metadata and no error', async () => {
    const failing = async () => {
      throw new UpstreamsFailedError('getMultipleAccounts')
    }
    expect((await readTokenWords({ upstreams: { exchange: failing }, urls: [] }, [mint])).size).toBe(0)
  })

  test('3 sends no request without mints', async () => {
    const requests: RpcCall[] = []
    await readTokenWords(chainOf({}, requests), [])
    expect(requests).toEqual([])
  })

  test('arbitrary bytes never throw', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.nat(120), async (noise, at) => {
        const prefix = mintOf(pointer(mint), metadata(mint, 'Levy', 'LEVY'))
        prefix.set(noise.subarray(0, Math.max(0, prefix.length - at - 160)), Math.min(at + 160, prefix.length))
        await wordsIn({ [mint]: { owner: token2022Program, data: prefix } })
        await wordsIn({ [mint]: { owner: token2022Program, data: mintOf(Buffer.from(noise)) } })
        wordsOf(Buffer.from(noise), mint)
      }),
    )
  })
})

test('a Token-2022 mint with a supply of one and its own metadata is an NFT', async () => {
  const rest = Buffer.concat([text('https://meta.example/1'), number(0, 4)])
  const collectible = (supply: number, decimals: number) => {
    const data = mintOf(pointer(mint), metadata(mint, 'Stone', 'STN', rest))
    data.writeBigUInt64LE(BigInt(supply), 36)
    data[44] = decimals
    return readMetadataAccounts(chainOf({ [mint]: { owner: token2022Program, data } }), [other, mint])
  }
  expect(await collectible(1, 0)).toEqual([null, { kind: 'spl', mint, name: 'Stone', uri: 'https://meta.example/1' }])
  expect(await collectible(2, 0)).toEqual([null, null])
  expect(await collectible(1, 6)).toEqual([null, null])
})
