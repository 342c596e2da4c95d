import type { Nft } from '@postern/protocol'
import { plainText } from '@postern/ui/plain-text'

/** What a collectible is called: its own name, else its collection's with its number. Strangers' words, in one line. */
export function nameOfNft({ name, collection, tokenId }: Pick<Nft, 'name' | 'collection' | 'tokenId'>): string {
  const number = `#${plainText(tokenId, 14)}`
  return plainText(name ?? '', 80) || `${plainText(collection ?? '', 60)} ${number}`.trim()
}

/** The address of a CAIP-10 account. */
export function addressOfContract(contract: string): string {
  return contract.slice(contract.lastIndexOf(':') + 1)
}
