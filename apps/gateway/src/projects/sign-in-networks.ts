import { builtInNetworks } from '@postern/protocol'

/** Networks of wallet sign-in, unless a project names some of them. */
export function signInNetworks(networks: readonly { readonly id: string }[]): ReadonlySet<string> {
  return new Set([...networks, ...Object.values(builtInNetworks)].map(({ id }) => id))
}

/** Null: nothing is wrong. */
export function signInChainsProblem(
  chains: readonly string[] | null | undefined,
  known: ReadonlySet<string>,
): string | null {
  const unknown = chains?.filter((id) => !known.has(id)) ?? []
  if (unknown.length === 0) return null
  const [are, networks] = unknown.length === 1 ? ['is', 'no network'] : ['are', 'no networks']
  return `${unknown.join(', ')} ${are} ${networks} of this gateway, so no user could sign in there. POSTERN_NETWORKS adds networks`
}
