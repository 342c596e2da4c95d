/**
 * Names of addresses, and addresses of names.
 *
 * 1. Results, also empty ones, are cached for 5 min (spec §9).
 * 2. Only EVM addresses have names here.
 * 3. A remote or NFT picture is a path of the gateway, which fetches it by the rules of `remote/`.
 * 4. ENS has precedence over the newest name registered here, unless it is unreachable.
 */
import { type Identity, limits } from '@postern/protocol'
import { type Address, getAddress } from 'viem'
import type { Account } from '../account'
import type { NameRegistry } from '../names/registry'
import { createTtlCache } from '../ttl-cache'
import type { AvatarPictures } from './avatar-pictures'
import type { Avatar, Ens } from './ens'

export type Identities = {
  /** @throws {UpstreamsFailedError | OffchainError} */
  of(account: Account, chainId?: number): Promise<Identity>
  /** @param chainId another chain than ENS's own. @throws {UpstreamsFailedError | OffchainError} */
  resolveEns(name: string, chainId?: number): Promise<ResolvedName | null>
  /** @throws {UpstreamsFailedError | OffchainError} */
  picture(name: string): ReturnType<AvatarPictures['picture']>
}

export type ResolvedName = {
  /** On ENS's own chain. */
  readonly address: Address | null
  readonly onChain: Address | null
  readonly avatar: string | null
}

const noIdentity: Identity = { name: null, avatar: null }
const maxCached = 10_000
export const avatarPath = '/v1/avatar/'

export function createIdentities(
  ens: Ens | null,
  names: Pick<NameRegistry, 'of' | 'suffix'> | null,
  pictures: AvatarPictures,
  now: () => number,
): Identities {
  const byAddress = createTtlCache<Identity>(limits.identityCache, maxCached, now)
  const avatars = createTtlCache<Avatar | null>(limits.identityCache, maxCached, now)
  const byName = createTtlCache<Awaited<ReturnType<Identities['resolveEns']>>>(limits.identityCache, maxCached, now)

  const pathOf = (name: string, avatar: Avatar | null): string | null => {
    if (avatar === null || avatar.kind === 'held') return avatar?.dataUrl ?? null
    return pictures.isWithinReach(avatar.uri) ? `${avatarPath}${encodeURIComponent(name)}` : null
  }
  const avatarOf = async (name: string): Promise<Avatar | null> =>
    ens === null ? null : avatars.get(name, () => ens.avatarOf(name))

  const fromEns = async (address: string, chainId?: number): Promise<Identity> => {
    if (ens === null) return noIdentity
    return byAddress.get(`${address} ${chainId ?? ''}`, async () => {
      const name = await ens.nameOf(getAddress(address), chainId)
      return name === null ? noIdentity : { name, avatar: pathOf(name, await avatarOf(name)) }
    })
  }
  const fromNames = async (address: string): Promise<Identity | null> => {
    const [newest] = (await names?.of(address)) ?? []
    if (names === null || newest === undefined) return null
    return { name: `${newest.label}${names.suffix}`, avatar: newest.attributes.avatar ?? null }
  }

  return {
    async of({ namespace, address }, chainId) {
      if (namespace !== 'eip155') return noIdentity
      try {
        const identity = await fromEns(address, chainId)
        return identity.name === null ? ((await fromNames(address)) ?? noIdentity) : identity
      } catch (error) {
        const own = await fromNames(address)
        if (own === null) throw error
        return own
      }
    },
    async resolveEns(name, chainId) {
      if (ens === null || !isDotted(name)) return null
      return byName.get(`${name} ${chainId ?? ''}`, async () => {
        const lookups = [
          ens.addressOf(name),
          chainId === undefined ? null : ens.addressOf(name, chainId),
          avatarOf(name),
        ] as const
        // For all, so that a retry starts a new lookup.
        await Promise.allSettled(lookups)
        const [address, onChain, avatar] = await Promise.all(lookups)
        return address === null && onChain === null ? null : { address, onChain, avatar: pathOf(name, avatar) }
      })
    },
    async picture(name) {
      if (!isDotted(name)) return null
      const avatar = await avatarOf(name)
      if (ens === null || avatar?.kind !== 'elsewhere') return null
      return pictures.picture(avatar.uri, () => ens.addressOf(name))
    },
  }
}

/** ENS has DNS names too, not only `.eth`. */
function isDotted(name: string): boolean {
  return /^[^.]+(?:\.[^.]+)+$/.test(name)
}
