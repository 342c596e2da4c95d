/**
 * The network of typed data (EIP-712): `chainId`, or a salt that is a known network's number.
 * Polygon's bridged tokens have such salts.
 */
import { builtInNetworks } from '@postern/protocol'
import type { Field } from './decode-call'

/** The salt as chain id in decimal digits; null if it is not a known network's. */
export function networkOfSalt(salt: unknown): string | null {
  if (typeof salt !== 'string' || !/^0x0{48}[0-9a-fA-F]{16}$/.test(salt)) return null
  const chainId = `${BigInt(salt)}`
  return Object.values(builtInNetworks).some(({ id }) => id === `eip155:${chainId}`) ? chainId : null
}

/** Whether a signature is valid on every network that has its contract. */
export function isForEveryNetwork(domain: readonly Field[]): boolean {
  return !domain.some(({ name, value }) => name === 'chainId' || (name === 'salt' && networkOfSalt(value) !== null))
}
