import { expect, test } from 'vitest'
import { devnetContracts } from '../../../testing/devnet'
import { createTokenList } from '../tokens'
import { describe as tell } from './landed'

const first = 'eip155:31337'
const account = `0x${'11'.repeat(20)}`
const lookalike = `0x${'12'.repeat(20)}`
const describing = {
  tokens: createTokenList([]),
  hasTokenImage: () => false,
  imageUrl: (key: string) => `/picture/${key}`,
}

test('3, 6 an NFT with a luring name is spam, and its name is one line', () => {
  const landed = {
    chainId: first,
    hash: '0x1',
    status: 'confirmed',
    at: 0,
    from: 'a',
    to: 'b',
    otherwise: 'execute',
    isOwn: false,
  } as const
  const spamOf = (name: string) => {
    const moves = [{ from: 'a', to: 'b', amount: 1n, decimals: 0, symbol: '', contract: 'c', tokenId: '1', name }]
    return tell({ ...landed, moves }, 'b', describing)?.transfers?.[0]?.nft_info
  }
  expect(spamOf('Devnet Collectible')?.flags?.is_spam).toBe(false)
  for (const name of [
    '$1000 at usdc-drop.com',
    'Claim your reward',
    'https://x',
    'Visit\u202e us',
    'Cl\u200baim',
    'Ｃｌａｉｍ',
  ]) {
    expect(spamOf(name)?.flags?.is_spam).toBe(true)
    expect(spamOf(name)?.name).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  }
})

test('4, 5 an outgoing NFT that the account did not request is spam, unless a known token came in return', () => {
  const gone = { from: account, to: lookalike, amount: 1n, decimals: 0, symbol: '', contract: '0x1', tokenId: '1' }
  const paid = {
    from: lookalike,
    to: account,
    amount: 1n,
    decimals: 18,
    name: 'Ether',
    symbol: 'ETH',
    contract: null,
  }
  const item = { chainId: first, hash: '0x1', status: 'confirmed', at: 0, from: '0x2', to: '0x3' } as const
  const spamOf = (isOwn: boolean, more: readonly (typeof paid)[] = []) => {
    const moves = [{ ...gone, name: 'Art' }, ...more]
    const described = tell({ ...item, otherwise: 'execute', isOwn, moves }, account, describing)
    return described?.transfers?.[0]?.nft_info?.flags?.is_spam
  }
  expect([spamOf(true), spamOf(false), spamOf(false, [paid])]).toEqual([false, true, false])
  const contract = devnetContracts.collectible
  for (const [tokenId, name, isShown] of [
    ['1', 'Art', true],
    ['1', 'Claim', false],
    ['../1', 'Art', false],
  ] as const) {
    const moves = [{ ...gone, contract, tokenId, name, kind: 'erc721' as const }]
    const described = tell({ ...item, otherwise: 'execute', isOwn: true, moves }, account, describing)
    expect(described?.transfers?.[0]?.nft_info?.content !== undefined).toBe(isShown)
  }
})
