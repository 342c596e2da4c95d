/**
 * What an ERC-4337 operation paid in the chain's currency, which leaves no log.
 *
 * 1. Only an entry point's operations count: it has checked the account's signature.
 * 2. Only calls of a Safe's 4337 module are read: one call, or a batch of MultiSend.
 */
import { type Address, decodeFunctionData, type Hex, hexToBigInt, hexToNumber, parseAbi, size, slice } from 'viem'
import {
  entryPoint06Abi,
  entryPoint06Address,
  entryPoint07Abi,
  entryPoint07Address,
  entryPoint08Address,
  entryPoint09Address,
} from 'viem/account-abstraction'

export type Payment = { readonly to: string; readonly amount: bigint }

/** By address in lower case. */
export const entryPointAbis: ReadonlyMap<string, typeof entryPoint06Abi | typeof entryPoint07Abi> = new Map<
  string,
  typeof entryPoint06Abi | typeof entryPoint07Abi
>([
  [entryPoint06Address.toLowerCase(), entryPoint06Abi],
  [entryPoint07Address.toLowerCase(), entryPoint07Abi],
  // Operations of the same shape.
  [entryPoint08Address.toLowerCase(), entryPoint07Abi],
  [entryPoint09Address.toLowerCase(), entryPoint07Abi],
])

const safeAbi = parseAbi([
  'function executeUserOp(address to, uint256 value, bytes data, uint8 operation)',
  'function executeUserOpWithErrorString(address to, uint256 value, bytes data, uint8 operation)',
  'function multiSend(bytes transactions)',
])

/** @param account in lower case. */
export function paymentsOf(account: Address, { to, input }: { readonly to: string; readonly input: Hex }): Payment[] {
  const abi = entryPointAbis.get(to.toLowerCase())
  if (abi === undefined) return []
  try {
    const { functionName, args } = decodeFunctionData({ abi, data: input })
    if (functionName !== 'handleOps') return []
    return args[0].flatMap(({ sender, callData }) =>
      sender.toLowerCase() === account ? paymentsOfCall(callData).filter(({ amount }) => amount > 0n) : [],
    )
  } catch {
    return []
  }
}

function paymentsOfCall(callData: Hex): Payment[] {
  const outer = decodeFunctionData({ abi: safeAbi, data: callData })
  if (outer.functionName === 'multiSend') return []
  const [to, amount, data, operation] = outer.args
  if (operation === 0) return [{ to: to.toLowerCase(), amount }]
  const inner = decodeFunctionData({ abi: safeAbi, data })
  return inner.functionName === 'multiSend' ? paymentsOfBatch(inner.args[0]) : []
}

/** Packed: operation (1 byte), to (20), value (32), length of the data (32), data. */
function paymentsOfBatch(transactions: Hex): Payment[] {
  const payments: Payment[] = []
  for (let at = 0; at < size(transactions); ) {
    const amount = hexToBigInt(slice(transactions, at + 21, at + 53))
    payments.push({ to: slice(transactions, at + 1, at + 21).toLowerCase(), amount })
    at += 85 + hexToNumber(slice(transactions, at + 53, at + 85))
  }
  return payments
}
