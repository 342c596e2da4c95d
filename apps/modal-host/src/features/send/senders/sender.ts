import type { Account, Network } from '@postern/protocol'
import type { MoneyHost } from '../../../snapshot/money'
import type { SendToken } from '../token'

/** Without a recipient, the cost is that of a typical transfer. */
export type Draft = {
  readonly network: Network
  readonly account: Account
  readonly token: SendToken
  readonly to: string | null
  /** If known, the chain checks exactly this transfer. */
  readonly amount: bigint | null
}

export type FeeChoice = 'slow' | 'normal' | 'fast'

/** In smallest units: `balance`, `max` and `min` of the token, the rest of the native currency. */
export type Quote = {
  readonly balance: bigint
  /** The largest amount that leaves the reserved fee. */
  readonly max: bigint
  readonly min: bigint
  /** Null if only the wallet knows. */
  readonly fee: bigint | null
  /** Set if it differs from `fee`. */
  readonly maxFee: bigint | null
  /** Rent of the recipient's new account. */
  readonly deposit: bigint
  readonly native: bigint
  /** Besides a token amount. */
  readonly needed: bigint
  /** The recipient would lose or refuse the transfer. */
  readonly refusal:
    | 'tokenAccount'
    | 'program'
    | 'tokenContract'
    | 'theirFrozen'
    | 'newFrozen'
    | 'memo'
    | 'confidential'
    | null
  readonly obstacle?: 'nonTransferable' | 'transferHook' | 'paused' | 'frozen' | 'unreadable'
  readonly withheld?: bigint
  /** The issuer can move the token out of any account. */
  readonly canBeTakenBack?: true
  readonly wouldFail: boolean
  /** In satoshis per 1,000 vbytes; null without a choice. */
  readonly rates: Readonly<Record<FeeChoice, bigint>> | null
}

export type TransferRequest = { readonly method: string; readonly params: unknown }

export type PreparedTransfer = {
  quote(amount: bigint | null, choice: FeeChoice): Quote
  readonly preFeeAmount?: (received: bigint) => bigint
  request(amount: bigint, choice: FeeChoice, signal: AbortSignal): Promise<TransferRequest>
}

export type Sender = {
  /** Rejects with a Failure if the chain does not respond, as `request` does. */
  prepare(draft: Draft, money: Pick<MoneyHost, 'client'>, signal: AbortSignal): Promise<PreparedTransfer>
}

export function atLeastZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n
}
