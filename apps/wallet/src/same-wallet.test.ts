import { expect, it } from 'vitest'
import { addressLines } from './same-wallet'

it('binds shares and keys to the addresses in a fixed order, the EVM address in lower case', () => {
  const addresses = {
    bip122: `02${'aB'.repeat(32)}`,
    eip155: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    solana: '4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA',
  }
  expect(addressLines(addresses)).toEqual([addresses.eip155.toLowerCase(), addresses.solana, addresses.bip122])
})
