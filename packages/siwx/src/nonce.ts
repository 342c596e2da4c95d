import { hex } from './hex'

/**
 * 128 random bits as 32 hexadecimal characters, valid in every chain's message (EIP-4361 requires eight alphanumeric
 * ones).
 *
 * @example
 * createNonce() // '5f0c…'
 */
export function createNonce(random: Pick<typeof crypto, 'getRandomValues'> = crypto): string {
  return hex(random.getRandomValues(new Uint8Array(16)))
}
