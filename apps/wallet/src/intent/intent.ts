/**
 * What the user reads before an approval, decoded from exactly the bytes of an `ApprovalRequest`. `approval/` draws it.
 */

import type { Amount } from '@postern/chains/amount'
import type { ChainClient } from '@postern/chains/chain-client'
import type { CallStep, Field } from '@postern/chains/eip155/decode-call'
import type { ApprovalRequest, CaipNetworkId, SignInWay } from '@postern/protocol'

export type { Amount, Field }

/** Null: unreadable abilities; `resource` is then the whole text. */
export type SignInGrant = { readonly resource: string; readonly abilities: readonly string[] | null }

/** In order of execution. Addresses are in the namespace's own form. */
export type IntentStep =
  | CallStep
  | {
      readonly kind: 'signIn'
      /** Only if the message names it. */
      readonly scheme?: string
      readonly domain: string
      /** The account that the message signs in, which may not be the signer. */
      readonly account: string
      readonly statement?: string
      readonly fields: readonly Field[]
      /** What the site may do for the user afterwards (ERC-5573). */
      readonly grants?: readonly SignInGrant[]
    }
  /** An empty transaction that takes the nonce or coins of a waiting one, which would do this. */
  | { readonly kind: 'cancel'; readonly cancelled: readonly IntentStep[] }
  | { readonly kind: 'message'; readonly text: string; readonly isText: boolean }
  | {
      readonly kind: 'typedData'
      readonly domain: readonly Field[]
      readonly primaryType: string
      readonly fields: readonly Field[]
      /** The steps before it show all that it does. */
      readonly isRead?: true
      /** An order whose contract need not keep what it promises. */
      readonly isPromise?: true
      /** Of the steps before it; infinite without an end. */
      readonly expiry?: number
    }
  | {
      readonly kind: 'instruction'
      readonly program: string
      readonly name?: string
      readonly fields: readonly Field[]
      /** Takes nothing from the owner that no other step names. */
      readonly isHarmless?: true
      /** The step before it is its deposit: an estimate, and nothing if the account exists. */
      readonly hasDeposit?: true
      /** What it brings to the owner, if it is harmless: a token, or the network's own coin without one. */
      readonly brings?: { readonly token?: string }
    }
  | {
      readonly kind: 'outputs'
      readonly outputs: readonly { readonly to: string; readonly amount: Amount; readonly own: boolean }[]
      /** All of the owner's coins in it, if what leaves is uncertain. */
      readonly gives?: Amount
      readonly fee?: Amount
    }
  | {
      readonly kind: 'permission'
      readonly action: 'grant' | 'revoke'
      readonly signer?: string
      readonly type: string
      readonly fields: readonly Field[]
      /** What the signer may move. */
      readonly amount?: Amount
      readonly expiry?: number
    }
  /** The site learns who signed in. */
  | { readonly kind: 'user'; readonly provider: SignInWay; readonly email?: string | undefined }
  /** A signed order: its filler takes `gives` and owes `gets`. */
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
  /** A blocked text that opens like a sign-in but cannot be read as one. */
  | { readonly kind: 'unreadSignIn' }
  /** A sign-in for another account than the signer. */
  | { readonly kind: 'otherAccount'; readonly named: string; readonly signer: string }
  | { readonly kind: 'wouldFail'; readonly reason?: string }
  /** A signature that is a key: a site derives a lasting account from it. */
  | { readonly kind: 'derivesKey' }
  /** A smart account's sign-in for another network than the request's, or for an unclear one. */
  | { readonly kind: 'otherNetwork'; readonly chainId: string }
  /** `to` would control an account of the owner, or its contents. Absent if unknown. */
  | { readonly kind: 'givesControl'; readonly to?: string }
  | { readonly kind: 'unlimitedApproval'; readonly spender: string }
  /** Limited, but not below the owner's present balance. */
  | { readonly kind: 'coversBalance'; readonly spender: string }
  | { readonly kind: 'approvesAll'; readonly spender: string }
  /** An allowance that the call does not name, seen in the simulation. */
  | { readonly kind: 'hiddenApproval'; readonly spender: string }
  /**
   * An order that pays the owner nothing, or (`share`) most to others; one whose contract need not pay (`promise`); or
   * a swap for another address (`swap`).
   */
  | { readonly kind: 'givesForNothing'; readonly of?: 'share' | 'promise' | 'swap' }
  /** A swap or an order that guarantees next to nothing. */
  | { readonly kind: 'lowMinimum' }
  /** An order whose taker chooses among the owner's items. */
  | { readonly kind: 'givesAnyItem' }
  /** An allowance that adds to an unknown one. */
  | { readonly kind: 'unknownTotal'; readonly spender: string }
  /** A signature that names no network. */
  | { readonly kind: 'everyNetwork' }
  /** Epoch seconds, more than 90 days away. */
  | { readonly kind: 'longExpiry'; readonly expiry: number }
  /**
   * Stays valid until it is sent: a Solana transaction with a durable nonce, or a call by a signature without an end.
   */
  | { readonly kind: 'neverExpires' }
  /** An input's value is only claimed (BIP-143 signs no other input's value). */
  | { readonly kind: 'unprovenInput' }
  | { readonly kind: 'unusualSighash' }
  | { readonly kind: 'highFee' }
  /** The fee cannot be read, and may be any. */
  | { readonly kind: 'unknownFee' }
  /** Epoch seconds. The chain takes the transaction much later. */
  | { readonly kind: 'lockedUntil'; readonly time: number }
  /** No code on the chain, or never used by the user before. */
  | { readonly kind: 'unknownContract'; readonly contract: string }
  | { readonly kind: 'firstTimeRecipient'; readonly recipient: string }
  /** Address poisoning: resembles an earlier recipient or the owner's address. */
  | {
      readonly kind: 'lookalikeRecipient'
      readonly recipient: string
      readonly earlier: string
      readonly isOwn?: true
    }
  /** Only the chain knows the address, and did not say it. */
  | { readonly kind: 'unknownRecipient'; readonly recipient: string }
  /** An address form without a meaning today: anyone can take what is sent there. */
  | { readonly kind: 'anyoneCanSpend'; readonly recipient: string }
  /** Spends coins so small that they may carry an inscription or a rune, which only an indexer knows. */
  | { readonly kind: 'mayCarryCollectible' }
  /** The token did not say whether it counts amounts or items. */
  | { readonly kind: 'amountOrItem'; readonly token: string }
  /** `contract`: of a signature, which it may use for all that it can reach. */
  | { readonly kind: 'notDecoded'; readonly contract?: string }
  /** The code of a new contract. */
  | { readonly kind: 'unreadCode' }
  /** A sign-in at the page's domain whose URI has another origin. */
  | { readonly kind: 'otherUri'; readonly uri: string; readonly origin: string }
  /** `more` steps and warnings are not drawn. */
  | { readonly kind: 'tooLong'; readonly more: number }
  /** A sign-in that also lets the site act for the user (ERC-5573). */
  | { readonly kind: 'signInGrants' }
  /** The page chose the paymaster, which may take tokens for the fee. */
  | { readonly kind: 'pagePaymaster'; readonly paymaster: string }
  /** The same call as a waiting one, for a higher fee. Only one of the two is included. */
  | { readonly kind: 'speedUp' }
  /** The waiting one may be included before the cancellation. `sponsored`: a paymaster pays the fee of one of them. */
  | { readonly kind: 'cancel'; readonly sponsored?: true }
  /** A paymaster pays for the waiting one, but not for its replacement. */
  | { readonly kind: 'ownFee' }

export type BalanceChange = { readonly direction: 'in' | 'out'; readonly amount: Amount }

export type Intent = {
  readonly steps: readonly IntentStep[]
  readonly warnings: readonly Warning[]
  /** Steps left out, if there are more than a person can read. */
  readonly moreSteps?: number
  /** Max fee in the native currency; null if nothing is sent. `sponsored`: another party pays. */
  readonly fee: { readonly amount: Amount; readonly sponsored: boolean } | 'unknown' | null
  /** The owner's balance changes by simulation; `unknown` rather than guessed. `partial`: more may change. */
  readonly changes:
    | { readonly kind: 'unknown' }
    | { readonly kind: 'known'; readonly changes: readonly BalanceChange[]; readonly partial?: true }
  /** The owner's addresses, to mark them as recipients. */
  readonly own?: readonly string[]
  /** The exact bytes to sign, as text to copy. Empty if nothing is signed. */
  readonly raw: readonly { readonly name: string; readonly text: string }[]
}

/**
 * Addresses that the user has dealt with in transactions; signatures do not count.
 *
 * 1. A recipient has received money or items from the user.
 * 2. The user has called a contract. Calls are cheap, so that makes it no known recipient. An approval or revocation
 *    makes no contract known.
 */
export type KnownParties = { readonly recipients: readonly string[]; readonly contracts: readonly string[] }

export type ListedToken = { readonly address: string; readonly symbol: string; readonly decimals: number }

export type DescribeContext = {
  readonly clientOf: (networkId: CaipNetworkId) => ChainClient
  readonly nativeCurrency: { readonly symbol: string; readonly decimals: number }
  /** The owner's addresses in this namespace. */
  readonly own: readonly string[]
  /** Of this user on this dapp. */
  readonly known: KnownParties
  /** The operator's exchanges on the request's network. */
  readonly routers?: readonly string[]
  /** The gateway's tokens on the request's network, besides those of the build. */
  readonly tokens?: readonly ListedToken[]
  readonly signal: AbortSignal
}

/**
 * Decodes without the chain, then asks the chain for token names, code and simulation, and calls `onIntent` again.
 * Never rejects: missing facts stay unknown, and undecodable bytes are shown raw with the warning `notDecoded`.
 */
export type DescribeApproval = (
  request: ApprovalRequest,
  context: DescribeContext,
  onIntent: (intent: Intent) => void,
) => Promise<void>
