import { type Address, concat, encodeFunctionData, type Hex, numberToHex, pad, parseAbi } from 'viem'
import {
  entryPoint07Abi,
  entryPoint07Address,
  entryPoint08Address,
  entryPoint09Address,
} from 'viem/account-abstraction'
import { describe, expect, test } from 'vitest'
import { paymentsOf } from './operation-payments'

const account: Address = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const exchange: Address = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
const abi = parseAbi([
  'function executeUserOpWithErrorString(address to, uint256 value, bytes data, uint8 operation)',
  'function multiSend(bytes transactions)',
])
const zero = pad('0x', { size: 32 })

function handling(callData: Hex, sender: Address = account) {
  const operation = {
    ...({ sender, callData, nonce: 0n, initCode: '0x', accountGasLimits: zero, preVerificationGas: 0n } as const),
    ...({ gasFees: zero, paymasterAndData: '0x', signature: '0x' } as const),
  }
  const input = encodeFunctionData({ abi: entryPoint07Abi, functionName: 'handleOps', args: [[operation], exchange] })
  return { to: entryPoint07Address, input }
}
const executing = (to: Address, value: bigint, data: Hex, operation: number) =>
  encodeFunctionData({ abi, functionName: 'executeUserOpWithErrorString', args: [to, value, data, operation] })
const packed = (to: Address, value: bigint, data: Hex) =>
  concat(['0x00', to, numberToHex(value, { size: 32 }), numberToHex((data.length - 2) / 2, { size: 32 }), data])

describe('paymentsOf', () => {
  test('2. reads the value of a call, and of each call of a batch', () => {
    expect(paymentsOf(account, handling(executing(exchange, 7n, '0x1234', 0)))).toEqual([{ to: exchange, amount: 7n }])
    const transactions = concat([packed(exchange, 0n, '0x095ea7b3'), packed(exchange, 9n, '0xab')])
    const batch = encodeFunctionData({ abi, functionName: 'multiSend', args: [transactions] })
    expect(paymentsOf(account, handling(executing(exchange, 0n, batch, 1)))).toEqual([{ to: exchange, amount: 9n }])
  })

  test.each([entryPoint07Address, entryPoint08Address, entryPoint09Address])('1. reads operations of %s', (to) => {
    const operation = handling(executing(exchange, 7n, '0x', 0))
    expect(paymentsOf(account, { ...operation, to })).toEqual([{ to: exchange, amount: 7n }])
  })

  test('1. counts only operations of the account, run by an entry point', () => {
    const call = executing(exchange, 7n, '0x', 0)
    expect(paymentsOf(account, handling(call, exchange))).toEqual([])
    expect(paymentsOf(account, { ...handling(call), to: exchange })).toEqual([])
  })

  test.each(['0x', '0x12345678'] as const)('2. ignores other calls: %s', (data) => {
    expect(paymentsOf(account, handling(data))).toEqual([])
    expect(paymentsOf(account, { to: entryPoint07Address, input: data })).toEqual([])
  })
})
