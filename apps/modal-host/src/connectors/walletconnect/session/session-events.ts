import {
  type CaipNetworkId,
  currentNetworkId,
  isCaipAddress,
  isCaipNetworkId,
  type Namespace,
  parseCaipAddress,
  parseCaipNetworkId,
  type SessionEvent,
} from '@postern/protocol'
import type { DescribedAddress } from '../dialects/dialect'
import { dialects } from '../dialects/dialects'

export type NamespaceEvent =
  | { readonly kind: 'network'; readonly networkId: CaipNetworkId }
  /** Never empty. */
  | { readonly kind: 'accounts'; readonly addresses: readonly DescribedAddress[] }

/**
 * What a session event (spec §3) means for one namespace; null if nothing.
 *
 * 1. The event's `chainId` says which namespace it is for.
 * 2. `chainChanged` carries the new chain as a number, hex, a reference or a CAIP-2 id; if malformed, `chainId` is
 *    used.
 * 3. `accountsChanged` carries CAIP-10 accounts or bare addresses, the active one first. Other accounts are ignored.
 * 4. An empty list is ignored: a session ends by deletion.
 */
export function readSessionEvent(namespace: Namespace, { params }: SessionEvent): NamespaceEvent | null {
  const { chainId, event } = params
  if (parseCaipNetworkId(chainId).namespace !== namespace) return null
  if (event.name === 'chainChanged') {
    return { kind: 'network', networkId: currentNetworkId(chainIn(namespace, event.data) ?? chainId) }
  }
  if (!dialects[namespace].events.includes(event.name)) return null
  const addresses = addressesIn(namespace, event.data)
  return addresses.length === 0 ? null : { kind: 'accounts', addresses }
}

function chainIn(namespace: Namespace, data: unknown): CaipNetworkId | undefined {
  const chain = typeof data === 'object' && data !== null ? Reflect.get(data, 'chainId') : data
  if (isCaipNetworkId(chain)) return parseCaipNetworkId(chain).namespace === namespace ? chain : undefined
  if (typeof chain !== 'string' && typeof chain !== 'number') return undefined
  const id = `${namespace}:${dialects[namespace].referenceOf(chain)}`
  return isCaipNetworkId(id) ? id : undefined
}

function addressesIn(namespace: Namespace, data: unknown): readonly DescribedAddress[] {
  const list = Array.isArray(data) ? data.map((entry: unknown) => bare(namespace, entry)) : data
  return dialects[namespace].addresses.read(list)
}

/** Null for another namespace. */
function bare(namespace: Namespace, entry: unknown): unknown {
  if (!isCaipAddress(entry)) return entry
  const account = parseCaipAddress(entry)
  return account.namespace === namespace ? account.address : null
}
