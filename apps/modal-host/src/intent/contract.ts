/**
 * What a person reads before they approve: the decoded intent of exactly the bytes of an `ApprovalRequest`. Pure decoding is in this folder, with no React and no wallet;
 * `views/ApproveTransaction` draws it.
 */

import type { ChainClient } from '@postern/chains/chain-client'
import type { ApprovalRequest, CaipNetworkId } from '@postern/protocol'

/** An amount of something. `raw` in the smallest unit, decimal digits; `decimals` and `symbol` are unknown of a token that does not answer. */
export type Amount = {
  readonly raw: string
  readonly decimals?: number
  readonly symbol?: string
  /** Contract or mint; absent for the native currency. */
  readonly token?: string
  /** Of an NFT. */
  readonly tokenId?: string
  readonly unlimited?: true
}

/** One thing that the request does, in the order in which it does it. `contract` and `spender` are addresses as the namespace writes them. */
export type IntentStep =
  /** `withheld`: what the token itself keeps of it, so that the rest arrives. */
  | { readonly kind: 'transfer'; readonly to: string; readonly amount: Amount; readonly withheld?: Amount }
  | { readonly kind: 'approve'; readonly spender: string; readonly amount: Amount; readonly expiry?: number }
  | { readonly kind: 'approveAll'; readonly spender: string; readonly token: string; readonly granted: boolean }
  | { readonly kind: 'permit'; readonly spender: string; readonly amount: Amount; readonly expiry?: number }
  | {
      readonly kind: 'swap'
      readonly pay: Amount
      readonly receiveAtLeast: Amount
      readonly recipient: string
      readonly contract: string
    }
  | { readonly kind: 'deploy' }
  | { readonly kind: 'signIn'; readonly domain: string; readonly statement?: string; readonly fields: readonly Field[] }
  | { readonly kind: 'message'; readonly text: string; readonly isText: boolean }
  | {
      readonly kind: 'typedData'
      readonly domain: readonly Field[]
      readonly primaryType: string
      readonly fields: readonly Field[]
    }
  | {
      readonly kind: 'call'
      readonly contract: string
      readonly name?: string
      readonly fields: readonly Field[]
      readonly value: Amount
    }
  | {
      readonly kind: 'instruction'
      readonly program: string
      readonly name?: string
      readonly fields: readonly Field[]
    }
  | {
      readonly kind: 'outputs'
      readonly outputs: readonly { readonly to: string; readonly amount: Amount; readonly own: boolean }[]
      readonly fee?: Amount
    }
  | {
      readonly kind: 'permission'
      readonly action: 'grant' | 'revoke'
      readonly signer?: string
      readonly type: string
      readonly fields: readonly Field[]
      readonly expiry?: number
    }

/** A name with a value, nested as typed data are. */
export type Field = { readonly name: string; readonly value: string | readonly Field[]; readonly type?: string }

/** Ordered from the gravest. The texts are in the catalogue, under `approve.warning.<kind>`. */
export type Warning =
  | { readonly kind: 'domainMismatch'; readonly domain: string; readonly origin: string }
  | { readonly kind: 'wouldFail'; readonly reason?: string }
  /** `to` would decide over an account of the owner's, or over what is in it. */
  | { readonly kind: 'givesControl'; readonly to: string }
  | { readonly kind: 'unlimitedApproval'; readonly spender: string }
  | { readonly kind: 'approvesAll'; readonly spender: string }
  | { readonly kind: 'unusualSighash' }
  | { readonly kind: 'highFee' }
  /** No code where a call goes, or a contract that nobody is known to have used: the chain says the first, this visitor's history the second. */
  | { readonly kind: 'unknownContract'; readonly contract: string }
  | { readonly kind: 'firstTimeRecipient'; readonly recipient: string }
  /** Looks like the recipient of an earlier transfer, and is another: address poisoning. */
  | { readonly kind: 'lookalikeRecipient'; readonly recipient: string; readonly earlier: string }
  | { readonly kind: 'notDecoded' }

export type BalanceChange = { readonly direction: 'in' | 'out'; readonly amount: Amount }

export type Intent = {
  readonly steps: readonly IntentStep[]
  readonly warnings: readonly Warning[]
  /** What it costs at most, in the native currency; null where nothing is sent. `sponsored`: somebody else pays. */
  readonly fee: { readonly amount: Amount; readonly sponsored: boolean } | null
  /** What the chain says would change for the owner. `unknown` where it cannot tell; never invented. `partial`: something may change besides, so there is at least one. */
  readonly changes:
    | { readonly kind: 'unknown' }
    | { readonly kind: 'known'; readonly changes: readonly BalanceChange[]; readonly partial?: true }
  /** The bytes as they are signed, for the raw view: names and texts that can be copied. */
  readonly raw: readonly { readonly name: string; readonly text: string }[]
}

export type DescribeContext = {
  readonly clientOf: (networkId: CaipNetworkId) => ChainClient
  readonly nativeCurrency: { readonly symbol: string; readonly decimals: number }
  /** The owner's own addresses on this namespace. */
  readonly own: readonly string[]
  /** Recipients and contracts that this visitor approved before, on this dapp. */
  readonly known: readonly string[]
  readonly signal: AbortSignal
}

/**
 * Decodes at once what needs no chain, then asks the chain for the rest (names of tokens, code, simulation) and tells `onIntent` again. Never rejects: what cannot be asked stays
 * unknown, and what cannot be decoded is shown raw with the warning `notDecoded`.
 */
export type DescribeApproval = (
  request: ApprovalRequest,
  context: DescribeContext,
  onIntent: (intent: Intent) => void,
) => Promise<void>
