import { blockchainAnswers } from '@postern/protocol'
import { base58 } from '@scure/base'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BlockchainTest, startBlockchain } from '../../../testing/blockchain'
import {
  solanaCollectible as collectible,
  freePorts,
  devnetSolanaId as solanaId,
  solanaMint,
} from '../../../testing/devnet'
import { metadataAddress } from '../accounts/metaplex'
import { readMetadataAccount } from './solana'

/** The devnet's first Solana account. */
const holder = 'oeYf6KAJkLYhBuR8CiGc6L4D4Xtfepr85fuDgA9kq96'

describe('on the devnet', () => {
  let chains: BlockchainTest
  beforeAll(async () => {
    chains = await startBlockchain(await freePorts('evm', 'evmTwo', 'solana'))
  })
  afterAll(() => chains.stop())

  test('1, 2 lists an NFT with its metadata and picture, and no token with decimals', async () => {
    const { nfts } = await chains.get(`/v1/account/${holder}/nfts?chainId=${solanaId}`, blockchainAnswers.nfts)
    expect(nfts).toMatchObject([
      { name: 'Devnet Stamp', chainId: solanaId, contract: `${solanaId}:${collectible}`, tokenId: collectible },
    ])
    const picture = await chains.app.get(nfts[0]?.imageUrl ?? '')
    expect(picture.headers.get('Content-Type')).toBe('image/svg+xml')
    expect(picture.headers.get('Content-Security-Policy')).toContain('sandbox')
    expect(await picture.text()).toMatch(/^<svg/)
  })

  test('is empty for an unused account, and 404 for an unknown mint', async () => {
    const unknown = base58.encode(new Uint8Array(32).fill(7))
    expect(await chains.get(`/v1/account/${unknown}/nfts?chainId=${solanaId}`, blockchainAnswers.nfts)).toEqual({
      nfts: [],
      next: null,
    })
    for (const key of [
      `${solanaId}:${unknown}:spl`,
      `${solanaId}:${solanaMint}:spl`,
      `${solanaId}:${'1'.repeat(40)}:spl`,
      `solana:none:${collectible}:spl`,
    ]) {
      expect(await chains.status(`/v1/nft-image/${encodeURIComponent(key)}`)).toBe(404)
    }
  })
})

test('derives the metadata address of a mint as Metaplex does', () => {
  // Metadata of mainnet USDC.
  expect(metadataAddress('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')).toBe(
    '5x38Kp4hvdomTCnCrAny4UtMUt5rQBdB6px2K1Ui45Wq',
  )
})

describe('a metadata account', () => {
  const mint = base58.encode(new Uint8Array(32).fill(9))
  const text = (value: string, length = value.length) => {
    const bytes = Buffer.alloc(4 + length)
    bytes.writeUInt32LE(length)
    bytes.write(value, 4)
    return bytes
  }
  const account = (standard: readonly number[], creators: readonly number[] = [0]) =>
    Buffer.concat([
      Buffer.of(4),
      Buffer.alloc(32),
      base58.decode(mint),
      text('Name', 32),
      text('SYM', 10),
      text('https://meta.example/1', 200),
      Buffer.of(0, 0, ...creators, 0, 1, 0, ...standard),
      Buffer.alloc(8),
    ])

  test('2 is an NFT unless its standard is fungible', () => {
    const expected = { kind: 'spl', mint, name: 'Name', uri: 'https://meta.example/1' }
    for (const standard of [[1, 0], [1, 3], [1, 4], [0]])
      expect(readMetadataAccount(account(standard), mint)).toEqual(expected)
    for (const standard of [
      [1, 1],
      [1, 2],
    ])
      expect(readMetadataAccount(account(standard), mint)).toBeNull()
    const creators = [1, 2, 0, 0, 0, ...new Array<number>(68).fill(1)]
    expect(readMetadataAccount(account([1, 4], creators), mint)).toEqual(expected)
    expect(readMetadataAccount(account([1, 2], creators), mint)).toBeNull()
  })

  test('2 is rejected for another mint, or another account type', () => {
    expect(readMetadataAccount(account([1, 0]), base58.encode(new Uint8Array(32).fill(8)))).toBeNull()
    const other = account([1, 0])
    other[0] = 6
    expect(readMetadataAccount(other, mint)).toBeNull()
  })

  test('arbitrary bytes never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 700 }), fc.nat(700), (noise, at) => {
        const bytes = account([1, 0])
        bytes.set(noise.slice(0, Math.max(0, bytes.length - at)), Math.min(at, bytes.length))
        readMetadataAccount(bytes.subarray(0, bytes.length - (at % 50)), mint)
        readMetadataAccount(Buffer.from(noise), mint)
      }),
    )
  })
})
