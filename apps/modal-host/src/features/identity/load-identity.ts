import { type CaipNetworkId, Identity, limits } from '@postern/protocol'
import { plainText } from '@postern/ui/plain-text'
import { safePicture } from '@postern/ui/safe-picture'
import { createEntryCache } from '../../services/entry-cache'
import type { MoneyHost } from '../../snapshot/money'

export type ShownIdentity = { readonly name: string | null; readonly avatar: string | null }

export const noIdentity: ShownIdentity = { name: null, avatar: null }

const entries = createEntryCache('identityCache', Identity, limits.identityCache)
const maxNameLength = 64

export function mayHaveName(address: string): boolean {
  return /^0x[0-9a-f]{40}$/i.test(address)
}

/**
 * What an address claims on a chain (ENS, or the gateway's registry), cached for 5 min (spec §9). Rejects with the
 * service's failure.
 */
export async function loadIdentity(
  { api, kept, clock }: Pick<MoneyHost, 'api' | 'kept' | 'clock'>,
  { address, chainId }: { readonly address: string; readonly chainId?: CaipNetworkId | undefined },
  signal?: AbortSignal,
): Promise<ShownIdentity> {
  const key = `${address.toLowerCase()} ${chainId ?? ''}`
  const cached = entries.find(kept, clock, key)
  if (cached !== null) return toShown(cached.value)
  const value = await api.identity({ address, chainId }, signal)
  entries.keep(kept, key, clock.now(), value)
  return toShown(value)
}

export function forgetIdentity({ kept }: Pick<MoneyHost, 'kept'>, address: string): void {
  entries.forget(kept, address.toLowerCase())
}

function toShown({ name, avatar }: Identity): ShownIdentity {
  return { name: plainText(name ?? '', maxNameLength) || null, avatar: safePicture(avatar) ?? null }
}
