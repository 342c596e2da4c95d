/** Hex ignores case, base58 does not, and bech32 is always lower case here. */
export function isSameAddress(one: string, other: string): boolean {
  return one === other || (one.startsWith('0x') && one.toLowerCase() === other.toLowerCase())
}
