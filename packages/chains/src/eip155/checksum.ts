import { checksum } from 'ox/Address'

/** EIP-55; the input may lack `0x`. */
export function checksumAddress(address: string): `0x${string}` {
  const digits = address.startsWith('0x') ? address.slice(2) : address
  return checksum(`0x${digits}`)
}

/** Mixed case must be EIP-55; one case has no checksum. */
export function isWellCased(address: string): boolean {
  const digits = address.replace(/^0x/, '')
  const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase()
  return !isMixed || digits === checksumAddress(digits).slice(2)
}
