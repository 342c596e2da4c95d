import { checksum } from 'ox/Address'

/** The EIP-55 form of an address with or without its `0x`. */
export function checksumAddress(address: string): string {
  const digits = address.startsWith('0x') ? address.slice(2) : address
  return checksum(`0x${digits}`)
}
