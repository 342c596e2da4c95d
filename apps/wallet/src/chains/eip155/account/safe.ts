/**
 * A Safe 1.4.1 with Safe4337Module 0.3.0 for EntryPoint 0.7, owned by the plain account alone. Matches permissionless'
 * `toSafeSmartAccount`, which pulls in all of ox and asks a chain for the address.
 * Sources: https://github.com/safe-global/safe-smart-account/tree/v1.4.1,
 * https://github.com/safe-global/safe-modules/tree/4337/v0.3.0, ERC-4337, ERC-1271, ERC-6492.
 */
import { packSafeCall, type SafeCall, safeInitializer, safeSaltNonce } from '@postern/chains/eip155/safe-account'
import { safeContracts, safeOperations } from '@postern/chains/eip155/safe-contracts'
import {
  type Address,
  concat,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  hexToBigInt,
  hexToNumber,
  parseAbi,
  serializeErc6492Signature,
  size,
  slice,
} from 'viem'

export { type SafeCall, safeAddress } from '@postern/chains/eip155/safe-account'
export { safeContracts } from '@postern/chains/eip155/safe-contracts'

const abi = parseAbi([
  'function multiSend(bytes transactions)',
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce) returns (address)',
  'function executeUserOp(address to, uint256 value, bytes data, uint8 operation)',
  'function executeUserOpWithErrorString(address to, uint256 value, bytes data, uint8 operation)',
])

export function safeFactory(owner: Address): { readonly factory: Address; readonly factoryData: Hex } {
  const factoryData = encodeFunctionData({
    abi,
    functionName: 'createProxyWithNonce',
    args: [safeContracts.singleton, safeInitializer(owner), safeSaltNonce],
  })
  return { factory: safeContracts.proxyFactory, factoryData }
}

/** Several calls revert together. */
export function encodeCalls(calls: readonly SafeCall[]): Hex {
  const [first, ...others] = calls
  if (first === undefined) throw new Error('There is no call to encode.')
  if (others.length === 0)
    return encodeFunctionData({
      abi,
      functionName: 'executeUserOpWithErrorString',
      args: [first.to, first.value, first.data, safeOperations.call],
    })
  const transactions = concat(calls.map((call) => packSafeCall(safeOperations.call, call)))
  const data = encodeFunctionData({ abi, functionName: 'multiSend', args: [transactions] })
  return encodeFunctionData({
    abi,
    functionName: 'executeUserOpWithErrorString',
    args: [safeContracts.multiSendCallOnly, 0n, data, safeOperations.delegateCall],
  })
}

/** Null for anything that {@link encodeCalls} would not write. */
export function decodeCalls(callData: Hex): readonly SafeCall[] | null {
  try {
    const outer = decodeFunctionData({ abi, data: callData })
    if (outer.functionName !== 'executeUserOpWithErrorString' && outer.functionName !== 'executeUserOp') return null
    const [to, value, data, operation] = outer.args
    const calls = operation === safeOperations.call ? [{ to, value, data }] : callsOfMultiSend(data)
    const again = encodeCalls(calls)
    // The two functions differ only in the selector.
    return slice(again, 4).toLowerCase() === slice(callData, 4).toLowerCase() ? calls : null
  } catch {
    return null
  }
}

function callsOfMultiSend(data: Hex): SafeCall[] {
  const { functionName, args } = decodeFunctionData({ abi, data })
  if (functionName !== 'multiSend') return []
  const [transactions] = args
  const calls: SafeCall[] = []
  for (let at = 0; at < size(transactions); ) {
    const to = getAddress(slice(transactions, at + 1, at + 21))
    const value = hexToBigInt(slice(transactions, at + 21, at + 53))
    const length = hexToNumber(slice(transactions, at + 53, at + 85))
    const end = at + 85 + length
    calls.push({ to, value, data: length === 0 ? '0x' : slice(transactions, at + 85, end, { strict: true }) })
    at = end
  }
  return calls
}

export function safeMessageJson(chainId: number, safe: Address, hash: Hex): string {
  return JSON.stringify({
    types: {
      EIP712Domain: [
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      SafeMessage: [{ name: 'message', type: 'bytes' }],
    },
    primaryType: 'SafeMessage',
    domain: { chainId, verifyingContract: safe },
    message: { message: encodeAbiParameters([{ type: 'bytes32' }], [hash]) },
  })
}

export function withDeployment(owner: Address, signature: Hex): Hex {
  const { factory, factoryData } = safeFactory(owner)
  return serializeErc6492Signature({ address: factory, data: factoryData, signature })
}
