/** `wallet_switchEthereumChain` (EIP-3326) and `wallet_addEthereumChain` (EIP-3085). */

import { AddChain, readParams, SwitchChain } from '@postern/evm-wallet/requests'
import { invalidParams, unknownChain } from '@postern/evm-wallet/rpc-error'
import type { CaipNetworkId } from '@postern/protocol'
import type { MobileNetwork, Task } from './contract'
import { jsonRpc } from './json-rpc'

export type NetworkTaskContext = {
  readonly networkOf: (id: string) => MobileNetwork | undefined
  readonly switchNetwork: (id: string) => Promise<void>
  readonly addNetwork: (network: MobileNetwork) => void
  readonly fetch: typeof globalThis.fetch
}

export function switchTask(params: unknown, { networkOf, switchNetwork }: NetworkTaskContext): Task {
  const [{ chainId }] = readParams(SwitchChain, 'wallet_switchEthereumChain', params)
  const network = networkOf(`eip155:${Number(chainId)}`)
  if (network === undefined) throw unknownChain(Number(chainId))
  return {
    title: 'Switch network',
    rows: [{ label: 'To', value: network.name }],
    run: async () => {
      await switchNetwork(network.id)
      return null
    },
  }
}

/** Rejects if the endpoint serves another chain. Switches to a known network. */
export async function addTask(params: unknown, context: NetworkTaskContext): Promise<Task> {
  const { networkOf, switchNetwork, addNetwork, fetch } = context
  const [chain] = readParams(AddChain, 'wallet_addEthereumChain', params)
  const id: CaipNetworkId = `eip155:${Number(chain.chainId)}`
  const [endpoint = ''] = chain.rpcUrls
  const network: MobileNetwork = { id, name: chain.chainName, url: endpoint }
  if (networkOf(id) !== undefined) return switchTask([{ chainId: chain.chainId }], context)
  if (Number(await jsonRpc(endpoint, fetch)('eth_chainId', [])) !== Number(chain.chainId))
    throw invalidParams(`The endpoint ${endpoint} serves another chain than ${chain.chainId}.`)
  return {
    title: 'Add a network and switch to it',
    rows: [
      { label: 'Name', value: network.name },
      { label: 'Chain ID', value: `${Number(chain.chainId)}` },
      { label: 'Endpoint', value: network.url },
    ],
    run: async () => {
      addNetwork(network)
      await switchNetwork(id)
      return null
    },
  }
}
