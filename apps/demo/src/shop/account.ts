import type { CaipNetworkId, Postern } from '@postern/client'
import { usePostern } from '@postern/client/react'
import { type Address, createPublicClient, custom, isAddress, type PublicClient } from 'viem'

export type ShopAccount = { readonly address: Address; readonly networkId: CaipNetworkId; readonly wallet: string }

/** The connected account; null without one. */
export function useAccount(): ShopAccount | null {
  const connection = usePostern().snapshot.connections.eip155
  if (connection?.status !== 'connected') return null
  const address = connection.accounts[0]?.address ?? ''
  if (!isAddress(address)) return null
  return { address, networkId: connection.networkId, wallet: connection.connector.name }
}

/** Reads the chain through the connected wallet's provider. */
export function chainOf(postern: Postern): PublicClient {
  return createPublicClient({ transport: custom(postern.eip155), pollingInterval: 500 })
}
