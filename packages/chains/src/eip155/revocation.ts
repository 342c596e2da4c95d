import type { Amount } from '../amount'

/** Whether an approval takes one back: of an amount by approving nothing, of an item by approving the zero address. */
export function isRevocation(spender: string, { raw, tokenId, maybeItem }: Amount): boolean {
  return tokenId === undefined ? raw === '0' && maybeItem === undefined : /^0x0{40}$/.test(spender)
}
