/**
 * A Safe 1.4.1 with Safe4337Module 0.3.0 for EntryPoint 0.7, owned only by the plain account. It matches
 * permissionless' `toSafeSmartAccount` (tests compare them), which is not imported: it pulls in all of ox and asks a
 * chain for the address.
 *
 * Sources: https://github.com/safe-global/safe-smart-account/tree/v1.4.1,
 * https://github.com/safe-global/safe-modules/tree/4337/v0.3.0, ERC-4337, ERC-1271, ERC-6492.
 */
import {
  type Address,
  concat,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  getAddress,
  getCreate2Address,
  type Hex,
  hexToBigInt,
  hexToNumber,
  keccak256,
  parseAbi,
  serializeErc6492Signature,
  size,
  slice,
  zeroAddress,
} from 'viem'

/** The addresses are the same on every chain. */
export const safeContracts = {
  entryPoint: '0x0000000071727De22E5E9d8BAf0edAc6f37da032',
  singleton: '0x41675C099F32341bf84BFc5382aF534df5C7461a',
  proxyFactory: '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67',
  module: '0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226',
  moduleSetup: '0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47',
  multiSend: '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526',
  multiSendCallOnly: '0x9641d764fc13c8B624c04430C7356C1C7C8102e2',
} as const

/** keccak256 of the proxy's creation code with the singleton as argument. */
const proxyInitCodeHash = '0x76733d705f71b79841c0ee960a0ca880f779cde7ef446c989e6d23efc0a4adfb'
const saltNonce = 0n

const abi = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
  'function enableModules(address[] modules)',
  'function multiSend(bytes transactions)',
  'function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce) returns (address)',
  'function executeUserOp(address to, uint256 value, bytes data, uint8 operation)',
  'function executeUserOpWithErrorString(address to, uint256 value, bytes data, uint8 operation)',
])

export type SafeCall = { readonly to: Address; readonly value: bigint; readonly data: Hex }
const operations = { call: 0, delegateCall: 1 } as const

function initializer(owner: Address): Hex {
  const enableModules = encodeFunctionData({ abi, functionName: 'enableModules', args: [[safeContracts.module]] })
  const enabling = packed(operations.delegateCall, { to: safeContracts.moduleSetup, value: 0n, data: enableModules })
  const setup = encodeFunctionData({ abi, functionName: 'multiSend', args: [enabling] })
  return encodeFunctionData({
    abi,
    functionName: 'setup',
    args: [[owner], 1n, safeContracts.multiSend, setup, safeContracts.module, zeroAddress, 0n, zeroAddress],
  })
}

/** The address depends on the owner alone. */
export function safeAddress(owner: Address): Address {
  const salt = keccak256(encodePacked(['bytes32', 'uint256'], [keccak256(initializer(owner)), saltNonce]))
  return getCreate2Address({ from: safeContracts.proxyFactory, salt, bytecodeHash: proxyInitCodeHash })
}

/** The call that deploys the account. */
export function safeFactory(owner: Address): { readonly factory: Address; readonly factoryData: Hex } {
  const factoryData = encodeFunctionData({
    abi,
    functionName: 'createProxyWithNonce',
    args: [safeContracts.singleton, initializer(owner), saltNonce],
  })
  return { factory: safeContracts.proxyFactory, factoryData }
}

/** One call, or several that revert together. */
export function encodeCalls(calls: readonly SafeCall[]): Hex {
  const [first, ...others] = calls
  if (first === undefined) throw new Error('There is no call to encode.')
  if (others.length === 0)
    return encodeFunctionData({
      abi,
      functionName: 'executeUserOpWithErrorString',
      args: [first.to, first.value, first.data, operations.call],
    })
  const transactions = concat(calls.map((call) => packed(operations.call, call)))
  const data = encodeFunctionData({ abi, functionName: 'multiSend', args: [transactions] })
  return encodeFunctionData({
    abi,
    functionName: 'executeUserOpWithErrorString',
    args: [safeContracts.multiSendCallOnly, 0n, data, operations.delegateCall],
  })
}

/** Null for anything that {@link encodeCalls} would not write, such as a delegate call or a trailing byte. */
export function decodeCalls(callData: Hex): readonly SafeCall[] | null {
  try {
    const outer = decodeFunctionData({ abi, data: callData })
    if (outer.functionName !== 'executeUserOpWithErrorString' && outer.functionName !== 'executeUserOp') return null
    const [to, value, data, operation] = outer.args
    const calls = operation === operations.call ? [{ to, value, data }] : callsOfMultiSend(data)
    const again = encodeCalls(calls)
    // Both functions differ only in the selector.
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

/** Source: MultiSend.sol: operation, to, value, data length, data. */
function packed(operation: number, { to, value, data }: SafeCall): Hex {
  return encodePacked(
    ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
    [operation, to, value, BigInt(size(data)), data],
  )
}

/** EIP-712 JSON for ERC-1271 through the module. `hash` is the message's. */
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

/** Wraps a signature with the deployment (ERC-6492). */
export function withDeployment(owner: Address, signature: Hex): Hex {
  const { factory, factoryData } = safeFactory(owner)
  return serializeErc6492Signature({ address: factory, data: factoryData, signature })
}
