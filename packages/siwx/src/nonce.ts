import { hex } from './hex'

/** 128 random bits in hexadecimal (EIP-4361 needs eight alphanumeric characters). */
export function createNonce(random: Pick<typeof crypto, 'getRandomValues'> = crypto): string {
  return hex(random.getRandomValues(new Uint8Array(16)))
}
