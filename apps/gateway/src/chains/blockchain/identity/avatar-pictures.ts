/**
 * Pictures that a name's record points at: a remote URL, or an NFT.
 *
 * 1. An NFT is shown only while the name's address owns it (ENSIP-12, https://docs.ens.domains/ensip/12).
 */
import type { Address } from 'viem'
import type { Nfts, Picture } from '../nfts/nfts'
import type { Remote } from '../remote/remote'

export type AvatarPictures = {
  isWithinReach(uri: string): boolean
  /** @param owner resolves the name's address. */
  picture(uri: string, owner: () => Promise<Address | null>): Promise<Picture | null>
}

const Collectible = /^(eip155:\d{1,16})\/(erc721|erc1155):(0x[0-9a-fA-F]{40})\/(\d{1,78})$/

export function createAvatarPictures(
  nfts: Pick<Nfts, 'pictureOf'>,
  remote: Pick<Remote, 'isWithinReach' | 'picture'>,
): AvatarPictures {
  return {
    isWithinReach: (uri) => Collectible.test(uri) || remote.isWithinReach(uri),
    async picture(uri, owner) {
      const [, chainId, kind, contract, tokenId] = Collectible.exec(uri) ?? []
      if (chainId === undefined) return remote.picture(uri)
      const address = await owner()
      return address === null ? null : nfts.pictureOf(address, `${chainId}:${contract}:${kind}:${tokenId}`)
    },
  }
}
