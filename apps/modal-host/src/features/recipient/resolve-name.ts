import type { CaipNetworkId } from '@postern/protocol'
import { parseCaipNetworkId } from '@postern/protocol'
import type { MoneyHost } from '../../snapshot/money'
import { namespaceFeatures } from '../namespaces/namespaces'
import { readRecipient } from './read-recipient'

export type ResolvedName =
  | { readonly kind: 'found'; readonly address: string }
  | { readonly kind: 'unregistered' }
  /** The name has no usable address on this network. */
  | { readonly kind: 'noAddress' }

/** The service's address is parsed like typed text. Rejects if the service fails. */
export async function resolveName(
  api: Pick<MoneyHost['api'], 'name'>,
  name: string,
  networkId: CaipNetworkId,
  signal?: AbortSignal,
): Promise<ResolvedName> {
  const profile = await api.name({ name, chainId: networkId }, signal)
  if (profile === null) return { kind: 'unregistered' }
  const { namespace, reference } = parseCaipNetworkId(networkId)
  for (const coin of namespaceFeatures[namespace].recipient.coinTypes(reference)) {
    const read = await readRecipient(profile.addresses[coin]?.address ?? '', networkId)
    if (read.kind === 'address') return { kind: 'found', address: read.address }
  }
  return { kind: 'noAddress' }
}
