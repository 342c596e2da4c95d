import { builtInNetworks } from '@postern/protocol'

/** Ids of the networks where visitors can sign in with a wallet, as far as a project does not name some of them. */
export function signInNetworks(networks: readonly { readonly id: string }[]): ReadonlySet<string> {
  return new Set([...networks, ...Object.values(builtInNetworks)].map(({ id }) => id))
}

/** What is wrong with a project's sign-in chains; null: nothing. */
export function signInChainsProblem(
  chains: readonly string[] | null | undefined,
  known: ReadonlySet<string>,
): string | null {
  const unknown = chains?.filter((id) => !known.has(id)) ?? []
  if (unknown.length === 0) return null
  const [are, networks] = unknown.length === 1 ? ['is', 'no network'] : ['are', 'no networks']
  return `${unknown.join(', ')} ${are} ${networks} of this gateway, so no user could sign in there. POSTERN_NETWORKS adds networks`
}
