/**
 * Names of the Ethereum Name Service, by its universal resolver on the network that is configured.
 *
 * 1. An address's name is one that leads back to it (the resolver's own check, ENSIP-3), and written as ENSIP-15 writes it: a name that looks
 *    like another one is none.
 * 2. A picture is the record itself, of a kind that cannot run (PNG, JPEG, GIF, WebP), or one elsewhere or a collectible's (ENSIP-12),
 *    which are only named here.
 * 3. Names whose resolver sends its callers to a server elsewhere (EIP-3668) are followed by the rules of `offchain/`, where they are at all.
 * 4. Who has no name is null; a network or a server that cannot be asked is an error.
 */
import { type Address, ContractFunctionExecutionError, type PublicClient } from 'viem'
import { normalize } from 'viem/ens'
import type { Chain } from '../chain'
import { askByViem } from '../client'
import type { Follow } from '../offchain/follow'

export type Ens = {
  /** @throws {UpstreamsFailedError} and {OffchainError} */
  nameOf(address: Address): Promise<string | null>
  /** @throws {UpstreamsFailedError} and {OffchainError} */
  addressOf(name: string): Promise<Address | null>
  /** @throws {UpstreamsFailedError} and {OffchainError} */
  avatarOf(name: string): Promise<Avatar | null>
}

export type Avatar =
  | { readonly kind: 'held'; readonly dataUrl: string }
  | { readonly kind: 'elsewhere'; readonly uri: string }

/** A picture that cannot run, in a record itself. */
export const picture = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/
/** Characters that `Identity` takes. */
const longestAvatar = 2_048

/** @param follow null: names outside the chain lead nowhere. */
export function createEns(chain: Chain, universalResolverAddress: Address, follow: Follow | null): Ens {
  /** A resolver's refusal is null. */
  async function asked<T>(question: (client: PublicClient) => Promise<T>): Promise<T | null> {
    try {
      return await askByViem(chain, question, follow)
    } catch (error) {
      if (error instanceof ContractFunctionExecutionError) return null
      throw error
    }
  }

  return {
    async nameOf(address) {
      const name = await asked((client) => client.getEnsName({ address, universalResolverAddress }))
      return name !== null && normalized(name) === name ? name : null
    },
    async addressOf(name) {
      const written = normalized(name)
      if (written === null) return null
      return asked((client) => client.getEnsAddress({ name: written, universalResolverAddress }))
    },
    async avatarOf(name) {
      const written = normalized(name)
      if (written === null) return null
      const avatar = await asked((client) =>
        client.getEnsText({ name: written, key: 'avatar', universalResolverAddress }),
      )
      if (avatar === null || avatar.length > longestAvatar) return null
      if (picture.test(avatar)) return { kind: 'held', dataUrl: avatar }
      return /^(?:https:|ipfs:|eip155:\d{1,16}\/)/.test(avatar) ? { kind: 'elsewhere', uri: avatar } : null
    },
  }
}

/** Null where the name is none that ENS knows. */
function normalized(name: string): string | null {
  try {
    return normalize(name)
  } catch {
    return null
  }
}
