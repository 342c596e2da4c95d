import { failureOf, isPosternError } from '../errors'
import { linkFailure } from '../link/failures'
import type { CaipNetworkId, Snapshot } from '../types'

export type HostRpcOptions = {
  readonly getSnapshot: () => Snapshot
  readonly switchNetwork: (network: CaipNetworkId) => Promise<unknown>
}

/**
 * Handles EVM requests about the connection itself if no wallet of the page does. Returns undefined for all other
 * methods, which the host handles.
 *
 * 1. `wallet_switchEthereumChain` and `wallet_addEthereumChain` switch through the host, which asks the wallet behind
 *    it and adds a missing chain. Parameters that name no chain are -32602; so is adding a network that the dapp does
 *    not configure, since 4902 would send the dapp from switching to adding and back.
 * 2. `wallet_requestPermissions` and `wallet_getPermissions` (EIP-2255) return `eth_accounts` while an account is
 *    connected.
 */
export function answerForHost(
  method: string,
  params: unknown,
  { getSnapshot, switchNetwork }: HostRpcOptions,
): Promise<unknown> | undefined {
  switch (method) {
    case 'wallet_switchEthereumChain':
      return switchNetwork(readChain(params)).then(() => null)
    case 'wallet_addEthereumChain': {
      const id = readChain(params)
      return switchNetwork(id).then(
        () => null,
        (error) => {
          if (!isPosternError(error) || error.code !== 'SWITCH_NETWORK_NOT_FOUND') throw error
          const message = `${id} can’t be added: it isn’t one of the app’s configured networks`
          throw failureOf('INVALID_PARAMS', [message, 'Add the network to `networks`.', -32602], error)
        },
      )
    }
    case 'wallet_requestPermissions':
    case 'wallet_getPermissions': {
      const { eip155 } = getSnapshot().connections
      const accounts = eip155?.status === 'connected' ? eip155.accounts.map(({ address }) => address) : []
      const caveats = [{ type: 'restrictReturnedAccounts', value: accounts }]
      return Promise.resolve(accounts.length > 0 ? [{ parentCapability: 'eth_accounts', caveats }] : [])
    }
    default:
      return undefined
  }
}

/** EIP-3326 and EIP-3085: one object, 0x-prefixed chain id without leading zeros. */
function readChain(params: unknown): CaipNetworkId {
  const first: unknown = Array.isArray(params) ? params[0] : undefined
  const chainId: unknown = typeof first === 'object' && first !== null ? Reflect.get(first, 'chainId') : undefined
  if (typeof chainId !== 'string' || !/^0x[1-9a-f][\da-f]{0,12}$/i.test(chainId)) throw linkFailure('INVALID_PARAMS')
  return `eip155:${Number(chainId)}`
}
