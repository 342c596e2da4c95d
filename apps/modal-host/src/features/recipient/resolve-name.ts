import type { CaipNetworkId } from '@postern/protocol'
import { parseCaipNetworkId } from '@postern/protocol'
import type { MoneyHost } from '../../snapshot/money'
import { readRecipient } from './read-recipient'

export type ResolvedName =
  | { readonly kind: 'found'; readonly address: string }
  /** Nobody has the name. */
  | { readonly kind: 'nobody' }
  /** Its owner named no address that can be sent to on this network. */
  | { readonly kind: 'noAddress' }

/** SLIP-44 coin types under which a name's owner says an address, in the order in which they count. */
const coinTypes = { eip155: ['60'], solana: ['501'], bip122: ['0', '1'] } as const

/**
 * Where a name leads on a network. What the service answers is read like anything that somebody typed: an address of another network, or one that
 * nobody holds, is none. Rejects where the service does not answer.
 */
export async function resolveName(
  api: Pick<MoneyHost['api'], 'name'>,
  name: string,
  networkId: CaipNetworkId,
  signal?: AbortSignal,
): Promise<ResolvedName> {
  const profile = await api.name(name, signal)
  if (profile === null) return { kind: 'nobody' }
  for (const coin of coinTypes[parseCaipNetworkId(networkId).namespace]) {
    const read = await readRecipient(profile.addresses[coin]?.address ?? '', networkId)
    if (read.kind === 'address') return { kind: 'found', address: read.address }
  }
  return { kind: 'noAddress' }
}
