/** How a namespace sends: what it costs, what is left for it, and what the wallet is asked. */
import type { Account, Network } from '@postern/protocol'
import type { MoneyHost } from '../../../snapshot/money'
import type { SendToken } from '../token'

/** What a transfer is about; without a recipient the cost is that of any. */
export type Draft = {
  readonly network: Network
  readonly account: Account
  readonly token: SendToken
  readonly to: string | null
  /** Where it is known, the chain is asked whether just this would go through. */
  readonly amount: bigint | null
}

/** How soon, where there is a choice. */
export type FeeChoice = 'slow' | 'normal' | 'fast'

/** Amounts are smallest units: of the token for `balance`, `max` and `least`, of the network's currency for the rest. */
export type Quote = {
  readonly balance: bigint
  /** The most that can be sent with the fee held back. */
  readonly max: bigint
  /** The least that the chain takes. */
  readonly least: bigint
  /** What it will likely cost; null where only the wallet can say. */
  readonly fee: bigint | null
  /** What it costs at most, where that is another. */
  readonly atMost: bigint | null
  /** What opening an account for the recipient takes; stays with that account. */
  readonly deposit: bigint
  readonly native: bigint
  /** What must be there of the network's currency beside an amount of a token. */
  readonly needed: bigint
  /** Sending there would lose it, or be refused by the account that is there. */
  readonly refusal:
    | 'tokenAccount'
    | 'program'
    | 'tokenContract'
    | 'theirFrozen'
    | 'newFrozen'
    | 'memo'
    | 'confidential'
    | null
  /** Why the token cannot be sent to anybody; absent where it can. */
  readonly obstacle?: 'nonTransferable' | 'transferHook' | 'paused' | 'frozen' | 'unreadable'
  /** What the token itself keeps back of the amount, so that the rest arrives; absent where it keeps nothing. */
  readonly withheld?: bigint
  /** Its issuer can move the token wherever it is; absent where nobody can. */
  readonly canBeTakenBack?: true
  /** The chain says that it would fail now. */
  readonly wouldFail: boolean
  /** Fees to choose from, in satoshis per 1,000 virtual bytes; null where there is no choice. */
  readonly rates: Readonly<Record<FeeChoice, bigint>> | null
}

export type WalletQuestion = { readonly method: string; readonly params: unknown }

/** A draft with what the chain said of it. */
export type OpenedDraft = {
  quote(amount: bigint | null, choice: FeeChoice): Quote
  /** What has to leave so that just this arrives; absent where a token never keeps anything back. */
  readonly leavingFor?: (arriving: bigint) => bigint
  /** What the wallet is asked. Rejects where the chain does not answer. */
  question(amount: bigint, choice: FeeChoice, signal: AbortSignal): Promise<WalletQuestion>
}

export type SendWay = {
  /** Rejects with a Failure where the chain does not answer. */
  open(draft: Draft, money: Pick<MoneyHost, 'client'>, signal: AbortSignal): Promise<OpenedDraft>
}

/** @returns `amount`, or 0 where it is below. */
export function atLeastZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n
}
