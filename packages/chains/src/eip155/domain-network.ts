/** EIP-712: `chainId`, or a salt with a known network's number, as Polygon's bridged tokens have. */
import { builtInNetworks } from '@postern/protocol'
import type { Field } from './decode-call'

/** Decimal; null if not a known network's. */
export function networkOfSalt(salt: unknown): string | null {
  if (typeof salt !== 'string' || !/^0x0{48}[0-9a-fA-F]{16}$/.test(salt)) return null
  const chainId = `${BigInt(salt)}`
  return Object.values(builtInNetworks).some(({ id }) => id === `eip155:${chainId}`) ? chainId : null
}

export function isForEveryNetwork(domain: readonly Field[]): boolean {
  return !domain.some(({ name, value }) => name === 'chainId' || (name === 'salt' && networkOfSalt(value) !== null))
}
