import type { ChainClient } from '@postern/chains/chain-client'
import { askNode } from '@postern/chains/nodes/ask-node'
import type { Account, Network, Nft } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import type { TransferRequest } from '../send/senders/sender'

const erc1155InterfaceId = 'd9b67a26'

/** Sends one NFT, as ERC-721 or ERC-1155. Rejects if the chain does not respond. */
export async function evmNftTransfer(
  transfer: {
    readonly nft: Nft
    readonly network: Network
    readonly account: Account
    readonly to: string
    readonly client: ChainClient
  },
  signal: AbortSignal,
): Promise<TransferRequest> {
  const { nft, network, account, to, client } = transfer
  const contract = nft.contract.split(':')[2] ?? ''
  const data = `0x01ffc9a7${erc1155InterfaceId.padEnd(64, '0')}`
  const answer = await askNode(client.rpc, z.string(), 'eth_call', [{ to: contract, data }, 'latest'], signal)
  const isMulti = /^0x0{63}1$/.test(answer)
  const parties = word(BigInt(account.address)) + word(BigInt(to)) + word(BigInt(nft.tokenId))
  const call = isMulti
    ? // safeTransferFrom(address,address,uint256,uint256,bytes), of one, without data
      `0xf242432a${parties}${word(1n)}${word(160n)}${word(0n)}`
    : // safeTransferFrom(address,address,uint256)
      `0x42842e0e${parties}`
  const chainId = `0x${BigInt(network.id).toString(16)}`
  const params = [{ from: account.address, to: contract, value: '0x0', data: call, chainId }]
  return { method: 'eth_sendTransaction', params }
}

function word(value: bigint): string {
  const digits = value.toString(16)
  if (value < 0n || digits.length > 64) throw new Failure('INVALID_PARAMS')
  return digits.padStart(64, '0')
}
