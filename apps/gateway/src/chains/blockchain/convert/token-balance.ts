import type { CaipNetworkId } from '@postern/protocol'
import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { problem } from '../../../platform/http/problem'
import type { Upstreams } from '../../../platform/upstreams/rpc'
import type { KnownNetwork } from '../account'
import { readNumber } from '../accounts/evm-tokens'
import { readContracts } from '../chain'
import { orBadGateway } from '../problems'

export type ReadTokenBalance = (holding: {
  readonly chainId: CaipNetworkId
  readonly token: Address
  readonly user: Address
}) => Promise<bigint>

const abi = parseAbi(['function balanceOf(address owner) view returns (uint256)'])

/** @throws {Problem} 400 for an unreadable token, 502 for an unreachable chain. */
export function createTokenBalance({
  networks,
  upstreams,
}: {
  readonly networks: ReadonlyMap<CaipNetworkId, KnownNetwork>
  readonly upstreams: Upstreams
}): ReadTokenBalance {
  return async ({ chainId, token, user }) => {
    const network = networks.get(chainId)
    if (network === undefined)
      throw problem(400, 'amount', 'An amount is required on a network that is not reached here')
    const data = encodeFunctionData({ abi, functionName: 'balanceOf', args: [user] })
    const chain = { upstreams, urls: network.urls }
    const [answer] = await orBadGateway(readContracts(chain, [{ to: token, data }]))
    const amount = readNumber(answer ?? null)
    if (amount === null) throw problem(400, 'from', 'This is no token')
    return amount
  }
}
