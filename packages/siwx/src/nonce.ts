import { hex } from './hex'

/**
 * A nonce for one sign-in message: 128 random bits as 32 hexadecimal characters, which every chain's message can hold (EIP-4361 asks for eight alphanumeric ones).
 *
 * @example
 * createNonce() // '5f0c…'
 */
export function createNonce(random: Pick<Crypto, 'getRandomValues'> = crypto): string {
  return hex(random.getRandomValues(new Uint8Array(16)))
}
