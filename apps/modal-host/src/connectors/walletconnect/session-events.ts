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
import { type DescribedAddress, readAddresses } from '../bip122/walletconnect-accounts'

export type NamespaceEvent =
  | { readonly kind: 'network'; readonly networkId: CaipNetworkId }
  /** Never empty. */
  | { readonly kind: 'accounts'; readonly addresses: readonly DescribedAddress[] }

/**
 * What a session event (spec §3) means for one namespace; null if nothing.
 *
 * 1. The event's `chainId` says which namespace it is for.
 * 2. `chainChanged` carries the new chain as a number, hex, a reference or a CAIP-2 id; if malformed, `chainId` is the
 *    chain.
 * 3. `accountsChanged` carries CAIP-10 accounts or bare addresses, the active one first. Other namespaces' accounts are
 *    ignored.
 * 4. An empty list is ignored: a session ends by deletion.
 */
export function readSessionEvent(namespace: Namespace, { params }: SessionEvent): NamespaceEvent | null {
  const { chainId, event } = params
  if (parseCaipNetworkId(chainId).namespace !== namespace) return null
  if (event.name === 'chainChanged') {
    return { kind: 'network', networkId: currentNetworkId(chainIn(namespace, event.data) ?? chainId) }
  }
  if (event.name !== 'accountsChanged' && event.name !== 'bip122_addressesChanged') return null
  const addresses = addressesIn(namespace, event.data)
  return addresses.length === 0 ? null : { kind: 'accounts', addresses }
}

function chainIn(namespace: Namespace, data: unknown): CaipNetworkId | undefined {
  const chain = typeof data === 'object' && data !== null ? Reflect.get(data, 'chainId') : data
  if (isCaipNetworkId(chain)) return parseCaipNetworkId(chain).namespace === namespace ? chain : undefined
  if (typeof chain !== 'string' && typeof chain !== 'number') return undefined
  const id = `${namespace}:${namespace === 'eip155' ? toNumber(chain) : chain}`
  return isCaipNetworkId(id) ? id : undefined
}

/** NaN if it is not a number. */
function toNumber(chain: string | number): number {
  return typeof chain === 'number' || /^(0x[0-9a-f]{1,13}|[0-9]{1,16})$/i.test(chain) ? Number(chain) : Number.NaN
}

function addressesIn(namespace: Namespace, data: unknown): readonly DescribedAddress[] {
  const list = Array.isArray(data) ? data.map((entry: unknown) => bare(namespace, entry)) : data
  return namespace === 'bip122' ? readAddresses(list) : readPlain(list)
}

function readPlain(list: unknown): readonly DescribedAddress[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((entry: unknown) =>
    typeof entry === 'string' && entry.length <= 128 ? [{ address: entry }] : [],
  )
}

/** A CAIP-10 account's address; undefined for another namespace. */
function bare(namespace: Namespace, entry: unknown): unknown {
  if (!isCaipAddress(entry)) return entry
  const account = parseCaipAddress(entry)
  return account.namespace === namespace ? account.address : null
}
