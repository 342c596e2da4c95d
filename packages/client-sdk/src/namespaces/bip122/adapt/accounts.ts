import { bip122Chains } from '@postern/protocol/namespaces/bip122'
import { toHex } from '../../../adapters/bytes'
import { listOf, member, textOf } from '../../../adapters/call'
import type { BitcoinAccount, CaipNetworkId } from '../../../types/index'

type Candidate = {
  readonly each: unknown
  readonly address: string
  readonly purpose: BitcoinAccount['purpose'] | undefined
}

/**
 * Reads the field names of all supported wallets; ignores other coins (Leather, Xverse).
 * Default purpose: `ordinals` for a taproot address next to others, else `payment`.
 */
export function readAccounts(list: unknown): BitcoinAccount[] {
  const candidates = listOf(list).flatMap((each): Candidate[] => {
    const address = textOf(typeof each === 'string' ? each : member(each, 'address'))
    const symbol = member(each, 'symbol')
    const purpose = member(each, 'purpose')
    if (address === undefined || (symbol !== undefined && symbol !== 'BTC')) return []
    if (purpose !== undefined && purpose !== 'payment' && purpose !== 'ordinals') return []
    return [{ each, address, purpose }]
  })
  return candidates.map(({ each, address, purpose }) => {
    const key = member(each, 'publicKey')
    const publicKey = key instanceof Uint8Array ? toHex(key) : textOf(key)
    const path = textOf(member(each, 'derivationPath') ?? member(each, 'path'))
    return {
      address,
      ...(publicKey !== undefined && { publicKey }),
      ...(path !== undefined && { path }),
      purpose: purpose ?? (candidates.length > 1 && isTaproot(address) ? 'ordinals' : 'payment'),
    }
  })
}

export function isTaproot(address: string): boolean {
  return /^(bc|tb|bcrt)1p/i.test(address)
}

const names: Readonly<Record<string, CaipNetworkId>> = {
  ...bip122Chains,
  livenet: bip122Chains.mainnet,
  testnet4: 'bip122:00000000da84f2bafbbc53dee25a72ae',
}

/** Null if not Bitcoin. */
export function readNetwork(name: unknown): CaipNetworkId | null {
  const key = String(name)
    .toLowerCase()
    .replace(/^bitcoin_/, '')
  return Object.hasOwn(names, key) ? (names[key] ?? null) : null
}

export function nameNetwork(id: unknown): string | undefined {
  return Object.keys(names).find((name) => names[name] === id)
}
