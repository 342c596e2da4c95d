import {
  type Account,
  type CaipNetworkId,
  currentNetworkId,
  isCaipAddress,
  isCaipNetworkId,
  type Namespace,
  parseCaipAddress,
} from '@postern/protocol'
import type { DescribedAddress } from '../dialects/dialect'
import { dialects } from '../dialects/dialects'

export type GrantedNetwork = {
  readonly networkId: CaipNetworkId
  /** The wallet's id, which may be a renamed network's old one. */
  readonly chainId: string
  readonly addresses: readonly string[]
}

export type Grant = {
  /** In the wallet's order. Never empty. */
  readonly networks: readonly GrantedNetwork[]
  readonly methods: ReadonlySet<string>
}

/** No wallet grants more or longer accounts or methods. */
const maxTexts = 2_048
const maxTextLength = 256

/**
 * Parses what a wallet granted, by namespace.
 *
 * 1. Malformed or too long accounts (CAIP-10), too long methods and unknown namespaces are dropped one by one; a list
 *    is cut at its limit.
 * 2. The keys `eip155` and `eip155:1` are equivalent; accounts of another namespace under a key are ignored.
 * 3. A renamed network is one network under its current id; the wallet's own id is stored for requests.
 * 4. A namespace without an account is not granted.
 */
export function grantsOf(namespaces: unknown): ReadonlyMap<Namespace, Grant> {
  const found = new Map<Namespace, { networks: Map<CaipNetworkId, GrantedNetwork>; methods: Set<string> }>()
  for (const [key, part] of entriesOf(namespaces)) {
    const { accounts, methods } = Object.fromEntries(entriesOf(part))
    for (const account of textsIn(accounts)) {
      if (!isCaipAddress(account)) continue
      const { namespace, networkId: chainId, address } = parseCaipAddress(account)
      if (!isCaipNetworkId(chainId) || key.split(':')[0] !== namespace) continue
      const grant = found.get(namespace) ?? { networks: new Map(), methods: new Set() }
      found.set(namespace, grant)
      for (const method of textsIn(methods)) grant.methods.add(method)
      addAccount(grant.networks, chainId, address)
    }
  }
  return new Map(
    [...found].map(([namespace, { networks, methods }]) => [namespace, { networks: [...networks.values()], methods }]),
  )
}

function entriesOf(value: unknown): readonly [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

function textsIn(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return []
  const texts: readonly unknown[] = value.slice(0, maxTexts)
  return texts.filter((text) => typeof text === 'string').filter(({ length }) => length <= maxTextLength)
}

function addAccount(networks: Map<CaipNetworkId, GrantedNetwork>, chainId: CaipNetworkId, address: string): void {
  const networkId = currentNetworkId(chainId)
  const before = networks.get(networkId)
  networks.set(networkId, {
    networkId,
    chainId: before === undefined || chainId === networkId ? chainId : before.chainId,
    addresses: [...new Set([...(before?.addresses ?? []), address])],
  })
}

/** The first granted `candidate`, otherwise the wallet's first. */
export function networkOf(grant: Grant, candidates: readonly (CaipNetworkId | undefined)[]): CaipNetworkId | undefined {
  const isGranted = (id: CaipNetworkId | undefined) => grant.networks.some(({ networkId }) => networkId === id)
  return candidates.find(isGranted) ?? grant.networks[0]?.networkId
}

export type AccountOptions = {
  readonly namespace: Namespace
  readonly networkId: CaipNetworkId
  readonly first?: string | undefined
  readonly described: readonly DescribedAddress[]
  readonly normalise: (namespace: Namespace, addresses: readonly string[]) => Promise<readonly string[]>
}

const maxAccounts = 256

/** Invalid addresses are dropped. Addresses granted on other networks follow, if they are the same accounts here. */
export async function accountsOf(grant: Grant, options: AccountOptions): Promise<readonly Account[]> {
  const { namespace, networkId } = options
  const here = grant.networks.find((network) => network.networkId === networkId)?.addresses ?? []
  const { areShared } = dialects[namespace].addresses
  const elsewhere = areShared ? grant.networks.flatMap(({ addresses }) => addresses) : []
  return toAccounts([...here, ...elsewhere], options)
}

/** Normalised, unique, the active one first. */
export async function toAccounts(
  raw: readonly string[],
  { namespace, networkId, first, described, normalise }: AccountOptions,
): Promise<readonly Account[]> {
  const normaliseOne = (address: string) =>
    normalise(namespace, [address]).then(
      ([normal]) => normal ?? [],
      () => [],
    )
  const addresses = [...new Set((await Promise.all(raw.slice(0, maxAccounts).map(normaliseOne))).flat())]
  const accounts = await dialects[namespace].addresses.accountsOn(networkId, addresses, described)
  return [
    ...accounts.filter(({ address }) => address === first),
    ...accounts.filter(({ address }) => address !== first),
  ]
}
