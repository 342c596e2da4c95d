import type { CaipNetworkId, Namespace } from '@postern/protocol'
import { solanaAccount } from '../solana/accounts'
import { bip122Methods, bitcoinAddresses } from './bitcoin'
import { eip155Account, eip155Methods } from './eip155'
import { solanaMethods } from './solana'

/** Anything unknown counts as `eip155`, which then finds no chain. */
export function namespaceOf(key: string): Namespace {
  const [namespace] = key.split(':')
  return namespace === 'solana' || namespace === 'bip122' ? namespace : 'eip155'
}

export const namespaceNames: { readonly [N in Namespace]: string } = {
  eip155: 'Ethereum and other EVM chains',
  solana: 'Solana',
  bip122: 'Bitcoin',
}

type Proposed = {
  readonly chains?: readonly string[]
  readonly methods: readonly string[]
  readonly events: readonly string[]
}
export type Proposal = {
  readonly requiredNamespaces: Readonly<Record<string, Proposed>>
  readonly optionalNamespaces: Readonly<Record<string, Proposed>>
}
export type Granted = { chains: string[]; accounts: string[]; methods: string[]; events: string[] }
export type GrantedNamespaces = Partial<Record<Namespace, Granted>>

const supported: {
  readonly [N in Namespace]: { readonly methods: readonly string[]; readonly events: readonly string[] }
} = {
  eip155: { methods: eip155Methods, events: ['accountsChanged', 'chainChanged'] },
  solana: { methods: solanaMethods, events: ['accountsChanged', 'chainChanged'] },
  bip122: { methods: bip122Methods, events: ['accountsChanged', 'chainChanged', 'bip122_addressesChanged'] },
}

/** CAIP-10. Ordinals addresses are in the session properties instead. */
export function accountOn(chainId: string, index: number): string {
  const address = {
    eip155: () => eip155Account(index).address,
    solana: () => solanaAccount(index).address,
    bip122: () => bitcoinAddresses(index)[0].address,
  }[namespaceOf(chainId)]()
  return `${chainId}:${address}`
}

/**
 * Computes the namespaces to grant.
 *
 * 1. Per namespace: the chains that are both proposed and `granted`, with the proposed methods and events that this
 *    wallet supports.
 * 2. A required chain or method that the wallet lacks is a rejection: null.
 * 3. Nothing in common is a rejection too.
 */
export function grantedNamespaces(
  { requiredNamespaces, optionalNamespaces }: Proposal,
  granted: readonly CaipNetworkId[],
  account: number,
): GrantedNamespaces | null {
  const result: GrantedNamespaces = {}
  for (const [required, namespaces] of [
    [true, requiredNamespaces],
    [false, optionalNamespaces],
  ] as const) {
    for (const [key, { chains: listed, methods, events }] of Object.entries(namespaces)) {
      const namespace = namespaceOf(key)
      // A key may be a chain id.
      const chains = key.includes(':') ? [key] : (listed ?? [])
      const known = granted.filter((id) => chains.includes(id))
      const has = supported[namespace] ?? { methods: [], events: [] }
      if (required && (known.length < chains.length || methods.some((method) => !has.methods.includes(method))))
        return null
      if (known.length === 0) continue
      const before = result[namespace] ?? { chains: [], accounts: [], methods: [], events: [] }
      const all = (old: readonly string[], more: readonly string[]) => [...new Set([...old, ...more])]
      const together = all(before.chains, known)
      result[namespace] = {
        chains: together,
        accounts: together.map((id) => accountOn(id, account)),
        methods: all(
          before.methods,
          methods.filter((method) => has.methods.includes(method)),
        ),
        events: all(
          before.events,
          events.filter((event) => has.events.includes(event)),
        ),
      }
    }
  }
  return Object.keys(result).length === 0 ? null : result
}

/** Bitcoin: all addresses, with keys. */
export function sessionProperties(namespaces: GrantedNamespaces, account: number): Record<string, string> {
  if (namespaces.bip122 === undefined) return {}
  return { bip122_getAccountAddresses: JSON.stringify(bitcoinAddresses(account)) }
}
