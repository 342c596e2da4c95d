import { checksum } from 'ox/Address'

/** EIP-55; `0x` is optional in the input. */
export function checksumAddress(address: string): string {
  const digits = address.startsWith('0x') ? address.slice(2) : address
  return checksum(`0x${digits}`)
}
