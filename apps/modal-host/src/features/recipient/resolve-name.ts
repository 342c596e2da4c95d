import type { CaipNetworkId } from '@postern/protocol'
import { parseCaipNetworkId } from '@postern/protocol'
import type { MoneyHost } from '../../snapshot/money'
import { readRecipient } from './read-recipient'

export type ResolvedName =
  | { readonly kind: 'found'; readonly address: string }
  | { readonly kind: 'unregistered' }
  /** No usable address for this network. */
  | { readonly kind: 'noAddress' }

/** SLIP-44 coin types, in order of preference. An EVM chain has one of its own (ENSIP-11). */
function coinTypesOf(networkId: CaipNetworkId): readonly string[] {
  const { namespace, reference } = parseCaipNetworkId(networkId)
  if (namespace === 'eip155') return [String(0x8000_0000n + BigInt(reference)), '60']
  return namespace === 'solana' ? ['501'] : ['0', '1']
}

/** The service's address is parsed like typed text. Rejects if the service fails. */
export async function resolveName(
  api: Pick<MoneyHost['api'], 'name'>,
  name: string,
  networkId: CaipNetworkId,
  signal?: AbortSignal,
): Promise<ResolvedName> {
  const profile = await api.name({ name, chainId: networkId }, signal)
  if (profile === null) return { kind: 'unregistered' }
  for (const coin of coinTypesOf(networkId)) {
    const read = await readRecipient(profile.addresses[coin]?.address ?? '', networkId)
    if (read.kind === 'address') return { kind: 'found', address: read.address }
  }
  return { kind: 'noAddress' }
}
