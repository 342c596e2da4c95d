import type { CaipNetworkId, Namespace } from '@postern/protocol'
import { isNamespace, namespaces } from '@postern/protocol/namespaces'
import { mobileNamespaces } from './namespaces'

/** The namespace of a key. Anything unknown is `eip155`, which then has no such chain. */
export function namespaceOf(key: string): Namespace {
  const [namespace] = key.split(':')
  return isNamespace(namespace) ? namespace : 'eip155'
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

/** CAIP-10. Ordinals addresses are in the session properties instead. */
export function accountOn(chainId: string, index: number): string {
  return `${chainId}:${mobileNamespaces[namespaceOf(chainId)].address(index)}`
}

/**
 * Computes the namespaces to grant; null rejects.
 *
 * 1. Each namespace has the chains that are both proposed and `granted`, with the proposed methods and events that this
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
  for (const [required, proposed] of [
    [true, requiredNamespaces],
    [false, optionalNamespaces],
  ] as const) {
    for (const [key, { chains: listed, methods, events }] of Object.entries(proposed)) {
      const namespace = namespaceOf(key)
      // A key may be a chain id.
      const chains = key.includes(':') ? [key] : (listed ?? [])
      const known = granted.filter((id) => chains.includes(id))
      const has = mobileNamespaces[namespace]
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

export function sessionProperties(granted: GrantedNamespaces, account: number): Record<string, string> {
  const rows = namespaces.filter((namespace) => granted[namespace] !== undefined).map((name) => mobileNamespaces[name])
  return Object.assign({}, ...rows.map((row) => row.sessionProperties?.(account)))
}
