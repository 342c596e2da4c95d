import { Failure } from '@postern/protocol/failure'
import { describe, expect, it, vi } from 'vitest'
import { balanceOf, decimalsOf, isRevert } from './erc20'

const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const owner = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`
const node = (answer: unknown) => ({ request: vi.fn(async () => answer) })

describe('an ERC-20 token', () => {
  it('returns an account’s balance', async () => {
    const rpc = node(word(250n))
    expect(await balanceOf(rpc, token, owner)).toBe(250n)
    const data = `0x70a08231${owner.slice(2).toLowerCase().padStart(64, '0')}`
    const call = { method: 'eth_call', params: [{ to: token, data }, 'latest'] }
    expect(rpc.request).toHaveBeenCalledExactlyOnceWith(call, undefined)
  })

  it('returns its decimals, at most one byte', async () => {
    expect(await decimalsOf(node(word(6n)), token)).toBe(6)
    await expect(decimalsOf(node(word(256n)), token)).rejects.toMatchObject({ code: 'INTERNAL' })
  })

  it.each<[unknown, string]>([
    ['0x', 'INTERNAL'],
    ['0x06', 'INTERNAL'],
    ['0x6', 'NETWORK_UNREACHABLE'],
    [null, 'NETWORK_UNREACHABLE'],
    [{ value: 1 }, 'NETWORK_UNREACHABLE'],
  ])('rejects the response %j: %s', async (answer, code) => {
    await expect(balanceOf(node(answer), token, owner)).rejects.toMatchObject({ code })
    await expect(decimalsOf(node(answer), token)).rejects.toMatchObject({ code })
  })
})

it('isRevert distinguishes a revert from an unreachable node', () => {
  expect(isRevert(new Failure('INTERNAL', { rpc: 3 }))).toBe(true)
  expect(isRevert(new Failure('INTERNAL', { message: 'execution reverted: no' }))).toBe(true)
  expect(isRevert(new Failure('TIMEOUT'))).toBe(false)
  expect(isRevert(new Error('revert'))).toBe(false)
})
