/** Methods for the EVM wallet's networks (EIP-3326, EIP-3085). */
import { hexToBigInt } from 'viem'
import type { EvmStore } from './evm-store'
import type { NodeConnection } from './node'
import type { WalletNetwork } from './options'
import type { Agree } from './question'
import { AddChain, readParams, SwitchChain } from './requests'
import { invalidParams } from './rpc-error'

export type EvmMethods = { readonly [method: string]: (params: unknown) => unknown }

export function createEvmNetworkMethods({
  store,
  agree,
  connectNode,
}: {
  readonly store: EvmStore
  readonly agree: Agree
  readonly connectNode: (network: WalletNetwork) => NodeConnection
}): EvmMethods {
  async function switchTo(params: unknown): Promise<null> {
    const [{ chainId: hex }] = readParams(SwitchChain, 'wallet_switchEthereumChain', params)
    const chainId = Number(hexToBigInt(hex))
    const { name } = store.network(chainId)
    if (chainId === store.state().chainId) return null
    const rows = [
      { label: 'From', value: store.network().name },
      { label: 'To', value: name },
    ]
    await agree({ method: 'wallet_switchEthereumChain', title: 'Switch network', rows })
    store.update({ chainId })
    return null
  }

  async function addChain(params: unknown): Promise<null> {
    const [chain] = readParams(AddChain, 'wallet_addEthereumChain', params)
    const chainId = Number(hexToBigInt(chain.chainId))
    if (store.state().networks.some((known) => known.chainId === chainId))
      return await switchTo([{ chainId: chain.chainId }])
    const [rpcUrl = ''] = chain.rpcUrls
    const added = { chainId, name: chain.chainName, rpcUrl }
    const answered = await connectNode(added).request('eth_chainId', [])
    if (Number(answered) !== chainId)
      throw invalidParams(`The endpoint ${rpcUrl} serves another chain than ${chain.chainId}.`)
    const rows = [
      { label: 'Network', value: added.name },
      { label: 'Chain ID', value: `${chainId}` },
      { label: 'Endpoint', value: rpcUrl },
    ]
    await agree({ method: 'wallet_addEthereumChain', title: 'Add a network and switch to it', rows })
    store.update({ networks: [...store.state().networks, added], chainId })
    return null
  }

  return { wallet_switchEthereumChain: switchTo, wallet_addEthereumChain: addChain }
}
