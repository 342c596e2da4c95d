/**
 * The Ethereum Name Service, through its universal resolver.
 *
 * 1. An address's name resolves back to it (ENSIP-3, by the resolver) and is normalised by ENSIP-15: no name can
 *    imitate another.
 * 2. A picture is embedded, in a format without scripts, or refers to a remote picture or an NFT (ENSIP-12).
 * 3. Off-chain lookups (EIP-3668) follow the rules of `offchain/`, unless disabled.
 * 4. No name is null; an unreachable network or server is an error.
 * 5. On another chain, an address has its name there (ENSIP-19), or else ENS's own, and a name its address there
 *    (ENSIP-11).
 */
import {
  type Address,
  ContractFunctionExecutionError,
  getAddress,
  isAddress,
  type PublicClient,
  toCoinType,
} from 'viem'
import { normalize } from 'viem/ens'
import type { Chain } from '../chain'
import { askByViem } from '../client'
import type { Follow } from '../offchain/follow'

export type Ens = {
  /** @param chainId another chain than ENS's own. @throws {UpstreamsFailedError | OffchainError} */
  nameOf(address: Address, chainId?: number): Promise<string | null>
  /** Null without an address on `chainId`. @throws {UpstreamsFailedError | OffchainError} */
  addressOf(name: string, chainId?: number): Promise<Address | null>
  /** @throws {UpstreamsFailedError | OffchainError} */
  avatarOf(name: string): Promise<Avatar | null>
}

export type Avatar =
  | { readonly kind: 'held'; readonly dataUrl: string }
  | { readonly kind: 'elsewhere'; readonly uri: string }

/** Formats that cannot run scripts. */
export const picture = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/
/** In characters. */
const maxAvatarLength = 2_048

export function createEns(chain: Chain, universalResolverAddress: Address, follow: Follow | null): Ens {
  async function query<T>(question: (client: PublicClient) => Promise<T>): Promise<T | null> {
    try {
      return await askByViem(chain, question, follow)
    } catch (error) {
      if (error instanceof ContractFunctionExecutionError) return null
      throw error
    }
  }

  return {
    async nameOf(address, chainId) {
      const nameOn = (chain: OfChain) =>
        query((client) => client.getEnsName({ address, universalResolverAddress, ...chain }))
      const name = (chainId === undefined ? null : await nameOn(ofChain(chainId))) ?? (await nameOn({}))
      return name !== null && normalized(name) === name ? name : null
    },
    async addressOf(name, chainId) {
      const ensName = normalized(name)
      if (ensName === null) return null
      const chain = chainId === undefined ? {} : ofChain(chainId)
      const address = await query((client) =>
        client.getEnsAddress({ name: ensName, universalResolverAddress, ...chain }),
      )
      return address !== null && isAddress(address) ? getAddress(address) : null
    },
    async avatarOf(name) {
      const ensName = normalized(name)
      if (ensName === null) return null
      const avatar = await query((client) =>
        client.getEnsText({ name: ensName, key: 'avatar', universalResolverAddress }),
      )
      if (avatar === null || avatar.length > maxAvatarLength) return null
      if (picture.test(avatar)) return { kind: 'held', dataUrl: avatar }
      return /^(?:https:|ipfs:|eip155:\d{1,16}\/)/.test(avatar) ? { kind: 'elsewhere', uri: avatar } : null
    },
  }
}

/** Empty: ENS's own chain. */
type OfChain = { readonly coinType?: bigint }

const ofChain = (chainId: number): OfChain => ({ coinType: toCoinType(chainId) })

/** Null if ENS forbids the name. */
function normalized(name: string): string | null {
  try {
    return normalize(name)
  } catch {
    return null
  }
}
