import type { Nft } from '@postern/protocol'
import { plainText } from '@postern/ui/plain-text'

/** The NFT's own name, otherwise its collection's with its number. Untrusted text on one line. */
export function nameOfNft({ name, collection, tokenId }: Pick<Nft, 'name' | 'collection' | 'tokenId'>): string {
  const number = `#${plainText(tokenId, 14)}`
  return plainText(name ?? '', 80) || `${plainText(collection ?? '', 60)} ${number}`.trim()
}

export function addressOfContract(contract: string): string {
  return contract.slice(contract.lastIndexOf(':') + 1)
}
