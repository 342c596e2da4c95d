/** The worth of what a request can take from the account, in US dollars, by this build's own knowledge. */
import { isSameAddress } from '@postern/chains/same-address'
import {
  type ApprovalRequest,
  builtInNetworks,
  type CaipNetworkId,
  limits,
  type NetworkDefinition,
  namespaceOf,
  nativeAddressOf,
  type PriceQuery,
  Prices,
} from '@postern/protocol'
import { dollarTokens } from '@postern/protocol/networks/dollar-tokens'
import * as z from 'zod/mini'
import { feeOf, feeOfFees, isSponsored } from '../../chains/eip155/intent/fee'
import { computeBudget } from '../../chains/solana/intent/accounts'
import type { Amount, Intent, IntentStep, Warning } from '../../intent/intent'
import { factsOfNetwork } from '../../namespace-facts'
import { floorPrices } from './floor-prices'

/** `native`: in base units of the native currency. */
export type Loss = { readonly native: bigint; readonly dollars: number }

const nothing: Loss = { native: 0n, dollars: 0 }

/**
 * The account's max loss by this request; null if unknown.
 *
 * 1. A sign-in for the page's own domain, and who the user is, move nothing.
 * 2. On a built-in EVM test network, a transaction takes nothing, nor do typed data with chain id and contract in the
 *    signed domain. Without a contract, a service may ignore the chain id. Solana and Bitcoin signatures name no
 *    network, so their networks count alike.
 * 3. The network's coin, dollar tokens, Bitcoin outputs to others, and the max fee unless sponsored count in full.
 * 4. A speed-up counts only as the increase of the fee if the caller has the replaced EVM hash: the chain includes one
 *    of the two. Otherwise it counts in full: the user may no longer count on the payment. A cancellation takes its
 *    fee.
 * 5. Everything else is unknown, as are unread data, and a warning that more may happen.
 */
export function lossOf(
  { subject, networkId }: Pick<ApprovalRequest, 'subject' | 'networkId'>,
  intent: Intent,
): Loss | null {
  if (isForTestNetwork({ subject, networkId })) return nothing
  const added = addedBySpeedUp(subject)
  if (added !== null) return { native: added > 0n ? added : 0n, dollars: 0 }
  const { steps, fee, warnings } = intent
  if (steps.length === 0 || warnings.some(({ kind }) => !isHarmless(kind))) return null
  if (fee === 'unknown') return null
  const losses = steps.map((step) => lossOfStep(step, networkId, fee !== null))
  if (fee !== null && !fee.sponsored) losses.push(lossOfAmount(fee.amount, networkId))
  return losses.reduce(
    (sum, loss) =>
      sum === null || loss === null ? null : { native: sum.native + loss.native, dollars: sum.dollars + loss.dollars },
    nothing,
  )
}

/** Rule 4: in wei; null unless it is a speed-up whose caller has the hash. A paymaster's fee takes nothing. */
function addedBySpeedUp(subject: ApprovalRequest['subject']): bigint | null {
  if (subject.kind !== 'eip155.transaction' && subject.kind !== 'eip155.userOperation') return null
  const { replaces } = subject
  if (replaces?.kind !== 'speedUp' || !replaces.isFollowed) return null
  const wasPaid = 'paymaster' in replaces && replaces.paymaster !== undefined
  return (isSponsored(subject) ? 0n : feeOf(subject)) - (wasPaid ? 0n : feeOfFees(replaces.fees))
}

function lossOfStep(step: IntentStep, networkId: CaipNetworkId, hasFee: boolean): Loss | null {
  switch (step.kind) {
    case 'signIn':
    case 'user':
    case 'deploy':
      return nothing
    case 'cancel':
      return hasFee ? nothing : null
    case 'transfer':
      return lossOfAmount(step.amount, networkId)
    case 'outputs': {
      const paid = step.outputs.filter(({ own }) => !own)
      // Without a known fee, the inputs may pay any.
      if (!hasFee || !paid.every(({ amount }) => isNative(amount))) return null
      return { native: paid.reduce((sum, { amount }) => sum + BigInt(amount.raw), 0n), dollars: 0 }
    }
    case 'instruction':
      // It sets the fee, which counts.
      return step.program === computeBudget ? nothing : null
    default:
      return null
  }
}

function lossOfAmount(amount: Amount, networkId: CaipNetworkId): Loss | null {
  if (isNative(amount)) return { native: BigInt(amount.raw), dollars: 0 }
  const { token, tokenId, unlimited, maybeItem } = amount
  if (token === undefined || tokenId !== undefined || unlimited || maybeItem) return null
  const found = dollarTokensOf(networkId).find(({ address }) => isSameAddress(address, token))
  return found === undefined ? null : { native: 0n, dollars: Number(amount.raw) / 10 ** found.decimals }
}

/** Rule 2: a Solana transaction for a test network may be valid on the main network. */
function dollarTokensOf(networkId: CaipNetworkId) {
  return Object.entries(dollarTokens).flatMap(([id, tokens]) => (mayHoldOn(id, networkId) ? tokens : []))
}

/** Whether a signature for a network may be valid on network `id`. */
function mayHoldOn(id: string, networkId: CaipNetworkId): boolean {
  if (factsOfNetwork(networkId).signsForOneNetwork) return id === networkId
  return id.startsWith(`${namespaceOf(networkId)}:`)
}

function isNative({ token, tokenId, unlimited, everything }: Amount): boolean {
  return token === undefined && tokenId === undefined && unlimited === undefined && everything === undefined
}

/** Warnings that say nothing about what else may leave. */
function isHarmless(kind: Warning['kind']): boolean {
  switch (kind) {
    case 'highFee':
    case 'firstTimeRecipient':
    case 'lookalikeRecipient':
    case 'wouldFail':
    case 'speedUp':
    case 'cancel':
    case 'ownFee':
      return true
    default:
      return false
  }
}

const networks: readonly NetworkDefinition[] = Object.values(builtInNetworks)

const Domain = z.object({
  types: z.object({ EIP712Domain: z.array(z.object({ name: z.string(), type: z.string() })) }),
  domain: z.object({
    chainId: z.union([z.number(), z.string()]),
    verifyingContract: z.string().check(z.regex(/^0x(?!0{40}$)[0-9a-f]{40}$/i)),
  }),
})

/** Rule 2. */
function isForTestNetwork({ subject, networkId }: Pick<ApprovalRequest, 'subject' | 'networkId'>): boolean {
  switch (subject.kind) {
    case 'eip155.transaction':
    case 'eip155.transactions':
    case 'eip155.userOperation':
      return isTestNetwork(networkId)
    case 'eip155.typedData':
      return isTestNetwork(signedNetworkOf(subject.json))
    default:
      return false
  }
}

function isTestNetwork(id: string | null): boolean {
  return networks.some((network) => network.id === id && network.testnet === true)
}

/** Null if no contract on that network checks the domain. */
function signedNetworkOf(json: string): string | null {
  const parsed = Domain.safeParse(parsedJson(json))
  if (!parsed.success) return null
  const { types, domain } = parsed.data
  const isSigned = (name: string, type: string) =>
    types.EIP712Domain.some((member) => member.name === name && member.type === type)
  const isChecked = isSigned('chainId', 'uint256') && isSigned('verifyingContract', 'address')
  return isChecked ? `eip155:${Number(domain.chainId)}` : null
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export type PriceOptions = {
  readonly projectId: string
  readonly baseUrl: string
  readonly fetch: typeof fetch
  readonly signal: AbortSignal
}

/**
 * In US dollars; null if unknown.
 *
 * 1. A coin counts with the higher of the build's floor and the gateway's price: the gateway can only send a request to
 *    the window.
 * 2. Without a floor the worth is unknown. Without a response, the floor counts.
 * @param limitUsd no price is requested if the floor already exceeds it
 */
export async function dollarsOf(
  loss: Loss | null,
  networkId: CaipNetworkId,
  limitUsd: number,
  options: PriceOptions,
): Promise<number | null> {
  if (loss === null || loss.native === 0n) return loss?.dollars ?? null
  const floor = floorPrices.get(ownCoinOf(networkId) ?? '')
  if (floor === undefined) return null
  const coins = Number(loss.native) / 10 ** limits.nativeDecimals[namespaceOf(networkId)]
  const atFloor = coins * floor + loss.dollars
  if (atFloor > limitUsd) return atFloor
  const price = await nativePrice(networkId, options).catch(() => null)
  return Math.max(atFloor, coins * (price ?? 0) + loss.dollars)
}

/** Rule 2. */
function ownCoinOf(networkId: CaipNetworkId): string | undefined {
  return networks.find(({ id }) => mayHoldOn(id, networkId))?.nativeCurrency.symbol
}

async function nativePrice(
  networkId: CaipNetworkId,
  { projectId, baseUrl, fetch, signal }: PriceOptions,
): Promise<number | null> {
  const address = `${networkId}:${nativeAddressOf(networkId)}`
  const query: PriceQuery = { currency: 'usd', addresses: [address], projectId }
  const response = await fetch(`${baseUrl}/v1/fungible/price?${new URLSearchParams({ projectId })}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(query),
    signal,
  })
  if (!response.ok) return null
  const prices = Prices.safeParse(await response.json())
  return prices.data?.fungibles.find((one) => one.address === address)?.price ?? null
}
