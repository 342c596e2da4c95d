import { describe, expect, it } from 'vitest'
import { HistoryResponse, parseWalletAssets, TokenBalance, withoutLowQualityTokens } from './money'

const metadata = { name: 'Ether', symbol: 'ETH', decimals: 18, price: 2000, iconUrl: '' }
const asset = { address: 'native', balance: '0xde0b6b3a7640000', type: 'NATIVE', metadata }

describe('parseWalletAssets', () => {
  it('reads assets by chain (spec §3)', () => {
    expect(parseWalletAssets({ '0x1': [asset], '0x2105': [] })).toEqual({ '0x1': [asset], '0x2105': [] })
  })

  it('returns null if one asset does not match (spec §5)', () => {
    for (const wrong of [
      { ...asset, balance: 1 },
      { ...asset, balance: '100' },
      { ...asset, type: 'ERC721' },
      { ...asset, metadata: { ...metadata, decimals: '18' } },
      { ...asset, metadata: undefined },
    ]) {
      expect(parseWalletAssets({ '0x1': [asset, wrong] })).toBeNull()
    }
    for (const response of [null, [], 'x', { mainnet: [asset] }]) expect(parseWalletAssets(response)).toBeNull()
  })
})

describe('token balances', () => {
  const balance = TokenBalance.parse({
    name: 'Ether',
    symbol: 'ETH',
    chainId: 'eip155:1',
    price: 2000,
    quantity: { decimals: '18', numeric: '1.5' },
    iconUrl: '',
  })

  it('drop tokens with zero decimals as low quality (spec §5)', () => {
    const spam = { ...balance, quantity: { decimals: '0', numeric: '1' } }
    expect(withoutLowQualityTokens([spam, balance, { ...spam, quantity: { decimals: '00', numeric: '1' } }])).toEqual([
      balance,
    ])
  })

  it('are decimal strings on a known network (spec §3)', () => {
    for (const wrong of [
      { chainId: '1' },
      { quantity: { decimals: 18, numeric: '1' } },
      { quantity: { decimals: '18', numeric: 'NaN' } },
    ]) {
      expect(TokenBalance.safeParse({ ...balance, ...wrong }).success).toBe(false)
    }
  })
})

describe('history', () => {
  it('accepts an item without transfers, and transfers of tokens and collectibles (spec §3)', () => {
    const item = {
      id: '1',
      metadata: {
        operationType: 'send',
        hash: '0x1',
        chain: 'eip155:1',
        minedAt: '2026-01-01T00:00:00Z',
        sentFrom: 'a',
        sentTo: 'b',
        status: 'confirmed',
        nonce: 1,
      },
    }
    const token = {
      fungible_info: { symbol: 'ETH', icon: { url: 'https://e' } },
      direction: 'out',
      quantity: { numeric: '1' },
    }
    const nft = {
      nft_info: { name: 'N', content: { preview: { url: 'https://e' }, detail: null }, flags: { is_spam: false } },
      direction: 'in',
      quantity: { numeric: '1' },
    }
    const page = {
      data: [
        { ...item, transfers: null },
        { ...item, transfers: [token, nft] },
      ],
      next: null,
    }
    expect(HistoryResponse.parse(page)).toEqual(page)
  })
})
