/** What the user reads before an approval. */

import type { Amount } from '@postern/chains/amount'
import type { ChainClient } from '@postern/chains/chain-client'
import type { CallStep, Field } from '@postern/chains/eip155/decode-call'
import type { ApprovalRequest, CaipNetworkId, SignInWay } from '@postern/protocol'

export type { Amount, Field }

/** `abilities`: null if unreadable; `resource` is then the whole text. */
export type SignInGrant = { readonly resource: string; readonly abilities: readonly string[] | null }

export type IntentStep =
  | CallStep
  | {
      readonly kind: 'signIn'
      readonly scheme?: string
      readonly domain: string
      /** May not be the signer's. */
      readonly account: string
      readonly statement?: string
      readonly fields: readonly Field[]
      /** ERC-5573. */
      readonly grants?: readonly SignInGrant[]
    }
  /** An empty transaction that replaces a waiting one. */
  | { readonly kind: 'cancel'; readonly cancelled: readonly IntentStep[] }
  | { readonly kind: 'message'; readonly text: string; readonly isText: boolean }
  | {
      readonly kind: 'typedData'
      readonly domain: readonly Field[]
      readonly primaryType: string
      readonly fields: readonly Field[]
      /** The steps before it show all that it does. */
      readonly isRead?: true
      /** An order whose contract need not keep it. */
      readonly isPromise?: true
      readonly expiry?: number
    }
  | {
      readonly kind: 'instruction'
      readonly program: string
      readonly name?: string
      readonly fields: readonly Field[]
      /** Takes nothing from the owner that no other step names. */
      readonly isHarmless?: true
      /** The step before it is its deposit, an estimate. */
      readonly hasDeposit?: true
      /** The token that it brings to the owner; without one, native currency. */
      readonly brings?: { readonly token?: string }
    }
  | {
      readonly kind: 'outputs'
      readonly outputs: readonly { readonly to: string; readonly amount: Amount; readonly own: boolean }[]
      /** All of the owner's coins, if what leaves is uncertain. */
      readonly gives?: Amount
      readonly fee?: Amount
    }
  | {
      readonly kind: 'permission'
      readonly action: 'grant' | 'revoke'
      readonly signer?: string
      readonly type: string
      readonly fields: readonly Field[]
      readonly amount?: Amount
      readonly expiry?: number
    }
  | { readonly kind: 'user'; readonly provider: SignInWay; readonly email?: string | undefined }
  /** The filler takes `gives` and owes `gets`. */
  | {
      readonly kind: 'order'
      readonly gives: readonly Amount[]
      readonly gets: readonly { readonly amount: Amount; readonly to: string }[]
      readonly contract: string
      readonly expiry?: number
    }

/** Most severe first. Texts: `approve.warning.<kind>`. */
export type Warning =
  | { readonly kind: 'domainMismatch'; readonly domain: string; readonly origin: string }
  /** A text that opens like a sign-in but is unreadable. */
  | { readonly kind: 'unreadSignIn' }
  | { readonly kind: 'otherAccount'; readonly named: string; readonly signer: string }
  | { readonly kind: 'wouldFail'; readonly reason?: string }
  /** A site derives an account from the signature. */
  | { readonly kind: 'derivesKey' }
  /** A smart account's sign-in for another or an unclear network. */
  | { readonly kind: 'otherNetwork'; readonly chainId: string }
  /** `to`: absent if unknown. */
  | { readonly kind: 'givesControl'; readonly to?: string }
  | { readonly kind: 'unlimitedApproval'; readonly spender: string }
  /** At least the owner's present balance. */
  | { readonly kind: 'coversBalance'; readonly spender: string }
  | { readonly kind: 'approvesAll'; readonly spender: string }
  | { readonly kind: 'hiddenApproval'; readonly spender: string }
  /**
   * An order that pays the owner nothing, mostly others (`share`), or maybe nothing (`promise`); or a swap for another
   * address (`swap`).
   */
  | { readonly kind: 'givesForNothing'; readonly of?: 'share' | 'promise' | 'swap' }
  | { readonly kind: 'lowMinimum' }
  | { readonly kind: 'givesAnyItem' }
  /** Adds to an unknown allowance. */
  | { readonly kind: 'unknownTotal'; readonly spender: string }
  | { readonly kind: 'everyNetwork' }
  /** Epoch seconds, over 90 days away. */
  | { readonly kind: 'longExpiry'; readonly expiry: number }
  /** A durable nonce (Solana), or a signature without an end. */
  | { readonly kind: 'neverExpires' }
  /** BIP-143 signs no other input's value. */
  | { readonly kind: 'unprovenInput' }
  | { readonly kind: 'unusualSighash' }
  | { readonly kind: 'highFee' }
  /** The fee may be any amount. */
  | { readonly kind: 'unknownFee' }
  /** Epoch seconds. */
  | { readonly kind: 'lockedUntil'; readonly time: number }
  /** Without code, or new to the user. */
  | { readonly kind: 'unknownContract'; readonly contract: string }
  | { readonly kind: 'firstTimeRecipient'; readonly recipient: string }
  | {
      readonly kind: 'lookalikeRecipient'
      readonly recipient: string
      readonly earlier: string
      readonly isOwn?: true
    }
  /** Only the chain knows the address. */
  | { readonly kind: 'unknownRecipient'; readonly recipient: string }
  /** A form without a meaning today: anyone can take what is sent. */
  | { readonly kind: 'anyoneCanSpend'; readonly recipient: string }
  /** Small coins may carry an inscription or a rune. */
  | { readonly kind: 'mayCarryCollectible' }
  | { readonly kind: 'amountOrItem'; readonly token: string }
  /** `contract`: may use the signature for all that it can reach. */
  | { readonly kind: 'notDecoded'; readonly contract?: string }
  | { readonly kind: 'unreadCode' }
  /** The domain is the page's, but the URI is not. */
  | { readonly kind: 'otherUri'; readonly uri: string; readonly origin: string }
  | { readonly kind: 'tooLong'; readonly more: number }
  /** ERC-5573. */
  | { readonly kind: 'signInGrants' }
  /** The page's paymaster may take tokens. */
  | { readonly kind: 'pagePaymaster'; readonly paymaster: string }
  /** The chain includes only one of the two. */
  | { readonly kind: 'speedUp' }
  /** The waiting one may still be included. `sponsored`: a paymaster pays for one of them. */
  | { readonly kind: 'cancel'; readonly sponsored?: true }
  /** A paymaster pays only for the waiting one. */
  | { readonly kind: 'ownFee' }

export type BalanceChange = { readonly direction: 'in' | 'out'; readonly amount: Amount }

export type Intent = {
  readonly steps: readonly IntentStep[]
  readonly warnings: readonly Warning[]
  readonly moreSteps?: number
  /** Max, in the native currency; null if nothing is sent. */
  readonly fee: { readonly amount: Amount; readonly sponsored: boolean } | 'unknown' | null
  /** By simulation. `partial`: more may change. */
  readonly changes:
    | { readonly kind: 'unknown' }
    | { readonly kind: 'known'; readonly changes: readonly BalanceChange[]; readonly partial?: true }
  readonly own?: readonly string[]
  /** The exact bytes to sign, as text. */
  readonly raw: readonly { readonly name: string; readonly text: string }[]
}

/**
 * From transactions, not signatures. A called contract is no known recipient, because a call is cheap. An approval
 * makes no contract known.
 */
export type KnownParties = { readonly recipients: readonly string[]; readonly contracts: readonly string[] }

export type ListedToken = { readonly address: string; readonly symbol: string; readonly decimals: number }

export type DescribeContext = {
  readonly clientOf: (networkId: CaipNetworkId) => ChainClient
  readonly nativeCurrency: { readonly symbol: string; readonly decimals: number }
  /** In this namespace. */
  readonly own: readonly string[]
  /** Of this user on this dapp. */
  readonly known: KnownParties
  /** The operator's, on the request's network. */
  readonly routers?: readonly string[]
  /** The gateway's, besides the build's. */
  readonly tokens?: readonly ListedToken[]
  readonly signal: AbortSignal
}

/**
 * Decodes without the chain, then calls `onIntent` again with its facts. Never rejects: missing facts stay unknown, and
 * undecodable bytes are shown raw with `notDecoded`.
 */
export type DescribeApproval = (
  request: ApprovalRequest,
  context: DescribeContext,
  onIntent: (intent: Intent) => void,
) => Promise<void>
