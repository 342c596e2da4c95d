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
import { readAddresses, type ToldAddress } from './bitcoin-accounts'

export type SessionNews =
  | { readonly kind: 'network'; readonly networkId: CaipNetworkId }
  /** Never empty. */
  | { readonly kind: 'accounts'; readonly addresses: readonly ToldAddress[] }

/**
 * What an event of a session (spec §3) says to one namespace; null where it says nothing to it.
 *
 * 1. The event's own `chainId` says which namespace it is for.
 * 2. A `chainChanged` carries the new chain as a number, in hexadecimal, as a reference or as a CAIP-2 id; where that cannot be read, `chainId` is it.
 * 3. `accountsChanged` carries CAIP-10 accounts or bare addresses, the active one first. Accounts of another namespace do not count.
 * 4. An empty list says nothing: a session that is over is deleted.
 */
export function readSessionEvent(namespace: Namespace, { params }: SessionEvent): SessionNews | null {
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

/** A chain id as wallets send it. NaN is no reference, so what is no number falls through. */
function toNumber(chain: string | number): number {
  return typeof chain === 'number' || /^(0x[0-9a-f]{1,13}|[0-9]{1,16})$/i.test(chain) ? Number(chain) : Number.NaN
}

function addressesIn(namespace: Namespace, data: unknown): readonly ToldAddress[] {
  const list = Array.isArray(data) ? data.map((entry: unknown) => bare(namespace, entry)) : data
  return namespace === 'bip122' ? readAddresses(list) : readPlain(list)
}

function readPlain(list: unknown): readonly ToldAddress[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((entry: unknown) =>
    typeof entry === 'string' && entry.length <= 128 ? [{ address: entry }] : [],
  )
}

/** A CAIP-10 account without its chain; of another namespace it is nothing. */
function bare(namespace: Namespace, entry: unknown): unknown {
  if (!isCaipAddress(entry)) return entry
  const account = parseCaipAddress(entry)
  return account.namespace === namespace ? account.address : null
}
