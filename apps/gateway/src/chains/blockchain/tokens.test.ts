import { fileURLToPath } from 'node:url'
import { isAddressOf } from '@postern/protocol'
import { isAddress } from 'viem'
import { expect, test } from 'vitest'
import { createTokenList, loadTokens } from './tokens'

const file = fileURLToPath(new URL('../../../data/tokens.json', import.meta.url))

test('every address in the list is valid, with its checksum on EVM', async () => {
  const tokens = await loadTokens(file)
  expect(tokens.length).toBeGreaterThan(40)
  for (const { chainId, address } of tokens) {
    if (chainId.startsWith('eip155:')) expect(isAddress(address), address).toBe(true)
    else expect(isAddressOf('solana', address), address).toBe(true)
  }
  const keys = tokens.map(({ chainId, address }) => `${chainId}:${address}`)
  expect(new Set(keys).size).toBe(keys.length)
})

test('finds a token in any letter case on EVM only, and prefers configured ones', async () => {
  const [usdc] = await loadTokens(file)
  if (usdc === undefined) throw new Error('The list is empty')
  const list = createTokenList([usdc, { ...usdc, address: usdc.address.toLowerCase(), symbol: 'OTHER' }])
  expect(list.of(usdc.chainId)).toEqual([{ ...usdc, symbol: 'OTHER' }])
  expect(list.find(usdc.chainId, usdc.address.toUpperCase().replace('0X', '0x'))?.symbol).toBe('OTHER')
  const solana = { ...usdc, chainId: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', address: 'AbC' } as const
  expect(createTokenList([solana]).find(solana.chainId, 'abc')).toBeUndefined()
})
