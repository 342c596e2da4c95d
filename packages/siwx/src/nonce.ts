import { hex } from './hex'

/**
 * 128 random bits in hexadecimal, for every chain (EIP-4361 needs eight alphanumeric characters).
 *
 * @example
 * createNonce() // '5f0c…'
 */
export function createNonce(random: Pick<typeof crypto, 'getRandomValues'> = crypto): string {
  return hex(random.getRandomValues(new Uint8Array(16)))
}
