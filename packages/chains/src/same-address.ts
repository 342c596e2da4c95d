/** Hexadecimal is one address in whatever case; base58 tells cases apart, and bech32 is lower case here. */
export function isSameAddress(one: string, other: string): boolean {
  return one === other || (one.startsWith('0x') && one.toLowerCase() === other.toLowerCase())
}
