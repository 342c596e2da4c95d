/** Transactions and user operations. */

import type { ApprovalRequest } from '@postern/protocol'
import { approvalRequest } from '@postern/protocol/testing/approval-request'
import * as AbiFunction from 'ox/AbiFunction'
import { own } from '../draw-card'
import { router, usdc, weth } from './addresses'

export const fees = { gas: '21000', maxFeePerGas: '1000000000', maxPriorityFeePerGas: '1' }
export const ether = 10n ** 18n

export const functions = {
  transfer: 'function transfer(address to, uint256 amount)',
  transferFrom: 'function transferFrom(address from, address to, uint256 amount)',
  approve: 'function approve(address spender, uint256 amount)',
  approveBy2: 'function approve(address token, address spender, uint160 amount, uint48 expiration)',
  increaseAllowance: 'function increaseAllowance(address spender, uint256 addedValue)',
  decreaseAllowance: 'function decreaseAllowance(address spender, uint256 subtractedValue)',
  safeTransferFrom: 'function safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
  setApprovalForAll: 'function setApprovalForAll(address operator, bool approved)',
  deposit: 'function deposit()',
  swapExactETHForTokens:
    'function swapExactETHForTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline)',
  swapExactTokensForTokens:
    'function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
  exactInputSingle:
    'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)',
  exactInputSingleUntil:
    'function exactInputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96) params)',
  exactInput: 'function exactInput((bytes path, address recipient, uint256 amountIn, uint256 amountOutMinimum) params)',
  exactOutputSingle:
    'function exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96) params)',
  swapETHForExactTokens:
    'function swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline)',
  executeCommands: 'function execute(bytes commands, bytes[] inputs, uint256 deadline)',
  multiSend: 'function multiSend(bytes transactions)',
  multicall: 'function multicall(bytes[] data)',
  multicallUntil: 'function multicall(uint256 deadline, bytes[] data)',
  aggregate3: 'function aggregate3((address target, bool allowFailure, bytes callData)[] calls)',
  execTransaction:
    'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)',
  execute7579: 'function execute(bytes32 mode, bytes executionCalldata)',
  executeBatch: 'function executeBatch(address[] targets, uint256[] values, bytes[] datas)',
  moveBy2: 'function transferFrom((address from, address to, uint160 amount, address token)[] details)',
  enableModule: 'function enableModule(address module)',
  changeThreshold: 'function changeThreshold(uint256 threshold)',
  installModule: 'function installModule(uint256 type, address module, bytes data)',
  safeTransferItem: 'function safeTransferFrom(address from, address to, uint256 tokenId)',
  permit:
    'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
} as const

export function encode(name: keyof typeof functions, args: readonly unknown[]): string {
  const item: AbiFunction.AbiFunction = AbiFunction.from(functions[name])
  return AbiFunction.encodeData(item, args)
}

export type Call = { readonly to: string; readonly value?: bigint; readonly data?: string }

export function transaction({ to, value = 0n, data = '0x' }: Call, given: object = fees): ApprovalRequest {
  return approvalRequest({
    kind: 'eip155.transaction',
    from: own,
    nonce: '0',
    unsigned: '0x02',
    fees: { gas: '21000', ...given },
    call: { to, value: `${value}`, data },
  })
}

export function operation(...calls: readonly Call[]): ApprovalRequest {
  return approvalRequest({
    kind: 'eip155.userOperation',
    from: own,
    calls: calls.map(({ to, value = 0n, data = '0x' }) => ({ to, value: `${value}`, data })),
    fees,
    sponsored: true,
    deploys: false,
    operation: {},
    hash: '0x',
  })
}

/** A swap of 1 ETH for USDC. */
export const swapOf = (least: bigint, to = own) =>
  transaction({
    to: router,
    value: ether,
    data: encode('swapExactETHForTokens', [least, [weth, usdc], to, 9_999_999_999n]),
  })

export type PackedCall = Call & { readonly operation?: number }

/** Calls as MultiSend takes them. */
export function packed(...calls: readonly PackedCall[]): string {
  const hex = (value: bigint | number, bytes: number) => value.toString(16).padStart(bytes * 2, '0')
  return `0x${calls
    .map(
      ({ to, value = 0n, data = '0x', operation = 0 }) =>
        `${hex(operation, 1)}${to.slice(2)}${hex(value, 32)}${hex((data.length - 2) / 2, 32)}${data.slice(2)}`,
    )
    .join('')}`
}

export const batchOf = (...calls: readonly PackedCall[]) => encode('multiSend', [packed(...calls)])
