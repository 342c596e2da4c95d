import {
  type CaipNetworkId,
  isAddressOf,
  isCaipAddress,
  isCaipNetworkId,
  type Namespace,
  namespaces,
  parseCaipAddress,
} from '@postern/protocol'
import { problem } from '../../platform/http/problem'
import type { Account, KnownNetwork } from './account'
import { namespaceReaders } from './namespaces'

/**
 * A plain address or CAIP-10 account. EVM addresses are returned in lower case.
 * @throws {Problem} 400
 */
export function readAccount(text: string): Account {
  const address = isCaipAddress(text) ? parseCaipAddress(text).address : text
  const named = isCaipAddress(text) ? parseCaipAddress(text).namespace : null
  const namespace = named ?? namespaces.find((each) => isAccountOf(each, address))
  if (namespace === undefined || !isAccountOf(namespace, address)) {
    throw problem(400, 'address', 'This is no address that is known here')
  }
  return { namespace, address: namespaceReaders[namespace].normalize(address) }
}

function isAccountOf(namespace: Namespace, address: string): boolean {
  return isAddressOf(namespace, address) && namespaceReaders[namespace].isAccount(address)
}

/**
 * The named network, or all common ones of the namespace. Empty if not served here, or the account cannot be on it.
 * @throws {Problem} 400 if `chainId` is not a CAIP-2 id.
 */
export function networksOf(
  networks: ReadonlyMap<CaipNetworkId, KnownNetwork>,
  { namespace, address }: Account,
  chainId: string | undefined,
): KnownNetwork[] {
  if (chainId !== undefined && !isCaipNetworkId(chainId)) throw problem(400, 'chainId', 'This is no CAIP-2 id')
  const named = chainId === undefined ? undefined : networks.get(chainId)
  const candidates =
    chainId === undefined ? [...networks.values()].filter(({ isCommon }) => isCommon) : named ? [named] : []
  return candidates.filter(
    (network) => network.namespace === namespace && namespaceReaders[namespace].isOn(network.id, address),
  )
}
