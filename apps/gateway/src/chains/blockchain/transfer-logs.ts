import { ask, type Chain, Quantity } from './chain'

/** `Transfer(address,address,uint256)` of ERC-20 and ERC-721, which has the token id as a fourth topic. */
export const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** `TransferSingle(address,address,address,uint256,uint256)` of ERC-1155. */
export const transferSingleTopic = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62'
/** `TransferBatch(address,address,address,uint256[],uint256[])` of ERC-1155. */
export const transferBatchTopic = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb'

/** Both ends inclusive. @throws {ChainError | UpstreamsFailedError} */
export async function newestBlocks(
  chain: Chain,
  count: number,
): Promise<{ readonly first: bigint; readonly last: bigint }> {
  const last = await ask(chain, { method: 'eth_blockNumber' }, Quantity)
  const first = last + 1n - BigInt(count)
  return { first: first < 0n ? 0n : first, last }
}
