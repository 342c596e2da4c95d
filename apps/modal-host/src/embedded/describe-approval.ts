import type { ChainClient } from '@postern/chains/chain-client'
import {
  type Account,
  type ApprovalRequest,
  type CaipNetworkId,
  type Namespace,
  parseCaipNetworkId,
} from '@postern/protocol'
import type { KnownAddresses } from '../connections/known-addresses'
import type { DescribeContext, Intent } from '../intent/intent'
import type { Approval, HostSnapshot } from '../snapshot/contract'

export type DescriptionSources = {
  readonly clientOf: (networkId: CaipNetworkId) => ChainClient
  readonly nativeCurrencyOf: (
    networkId: CaipNetworkId,
  ) => { readonly symbol: string; readonly decimals?: number | undefined } | undefined
  readonly known: KnownAddresses
}

/** What the description of a request may use: the chain, and the addresses that the user knows. */
export function describeContext(
  { networkId }: ApprovalRequest,
  snapshot: HostSnapshot,
  { clientOf, nativeCurrencyOf, known }: DescriptionSources,
  signal: AbortSignal,
): DescribeContext {
  const { namespace } = parseCaipNetworkId(networkId)
  const own = accountsIn(snapshot, namespace)
  const owner = ownerOf(own)
  const { symbol = '', decimals = nativeDecimals[namespace] } = nativeCurrencyOf(networkId) ?? {}
  return {
    clientOf,
    nativeCurrency: { symbol, decimals },
    own: own.map(({ address }) => address),
    known: owner === undefined ? [] : known.list(owner),
    signal,
  }
}

const nativeDecimals = { eip155: 18, solana: 9, bip122: 8 } as const

/** The account under which the addresses of an approved request are remembered. */
export function approverOf({ networkId }: ApprovalRequest, snapshot: HostSnapshot): Account | undefined {
  return ownerOf(accountsIn(snapshot, parseCaipNetworkId(networkId).namespace))
}

function accountsIn({ connections }: HostSnapshot, namespace: Namespace): readonly Account[] {
  const connection = connections[namespace]
  return connection?.status === 'connected' ? connection.accounts : []
}

/** The plain and the smart account are one user's: always pick the same. */
function ownerOf(accounts: readonly Account[]): Account | undefined {
  return accounts.find(({ type }) => type === 'eoa') ?? accounts[0]
}

/** The addresses that get money or rights by what is approved. */
export function counterpartiesOf({ intent }: Pick<Approval, 'intent'>): readonly string[] {
  return (intent?.steps ?? []).flatMap(counterparties)
}

function counterparties(step: Intent['steps'][number]): readonly string[] {
  if (step.kind === 'transfer') return [step.to]
  if (step.kind === 'approve' || step.kind === 'permit' || step.kind === 'approveAll') return [step.spender]
  if (step.kind === 'swap') return [step.contract, step.recipient]
  if (step.kind === 'call') return [step.contract]
  if (step.kind === 'outputs') return step.outputs.flatMap(({ to, own }) => (own ? [] : [to]))
  return []
}
