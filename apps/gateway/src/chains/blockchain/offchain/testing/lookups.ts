/** Test reverts with off-chain lookups (EIP-3668, ENSIP-21). */
import { encodeErrorResult, getAddress, type Hex, parseAbi } from 'viem'

export const abi = parseAbi([
  'error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callback, bytes extraData)',
  'struct Query { address sender; string[] urls; bytes data; }',
  'function query(Query[] queries) view returns (bool[] failures, bytes[] responses)',
  'error HttpError(uint16 status, string message)',
  'error Error(string message)',
])
export const contract = getAddress('0x00000000000000000000000000000000000abcde')

export function lookupOf(
  urls: readonly string[],
  {
    data = '0x1234',
    extraData = '0xfeed',
    sender = contract,
  }: Partial<Record<'data' | 'extraData' | 'sender', Hex>> = {},
): Hex {
  return encodeErrorResult({ abi, errorName: 'OffchainLookup', args: [sender, urls, data, '0xcafebabe', extraData] })
}
