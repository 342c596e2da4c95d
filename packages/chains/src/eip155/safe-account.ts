/**
 * The embedded wallet's smart account, owned by the plain account: Safe 1.4.1, Safe4337Module 0.3.0, EntryPoint 0.7.
 * Sources: https://github.com/safe-global/safe-smart-account/tree/v1.4.1,
 * https://github.com/safe-global/safe-modules/tree/4337/v0.3.0
 */
import {
  type Address,
  encodeFunctionData,
  encodePacked,
  getCreate2Address,
  type Hex,
  keccak256,
  parseAbi,
  size,
  zeroAddress,
} from 'viem'
import { safeContracts, safeOperations } from './safe-contracts'

/** keccak256 of the proxy's creation code and singleton. */
const proxyInitCodeHash = '0x76733d705f71b79841c0ee960a0ca880f779cde7ef446c989e6d23efc0a4adfb'
export const safeSaltNonce = 0n

const abi = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
  'function enableModules(address[] modules)',
  'function multiSend(bytes transactions)',
])

export type SafeCall = { readonly to: Address; readonly value: bigint; readonly data: Hex }

export function safeInitializer(owner: Address): Hex {
  const enableModules = encodeFunctionData({ abi, functionName: 'enableModules', args: [[safeContracts.module]] })
  const enabling = packSafeCall(safeOperations.delegateCall, {
    to: safeContracts.moduleSetup,
    value: 0n,
    data: enableModules,
  })
  const setup = encodeFunctionData({ abi, functionName: 'multiSend', args: [enabling] })
  return encodeFunctionData({
    abi,
    functionName: 'setup',
    args: [[owner], 1n, safeContracts.multiSend, setup, safeContracts.module, zeroAddress, 0n, zeroAddress],
  })
}

/** Known before deployment. */
export function safeAddress(owner: Address): Address {
  const salt = keccak256(encodePacked(['bytes32', 'uint256'], [keccak256(safeInitializer(owner)), safeSaltNonce]))
  return getCreate2Address({ from: safeContracts.proxyFactory, salt, bytecodeHash: proxyInitCodeHash })
}

/** Source: MultiSend.sol. */
export function packSafeCall(operation: number, { to, value, data }: SafeCall): Hex {
  return encodePacked(
    ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
    [operation, to, value, BigInt(size(data)), data],
  )
}
