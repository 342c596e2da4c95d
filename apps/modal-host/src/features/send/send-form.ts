import { isSameAddress } from '@postern/chains/same-address'
import type { Account, CaipNetworkId, Network } from '@postern/protocol'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { useHost } from '../../view-kit/host-context'
import { perHost } from '../../view-kit/loading/per-host'
import type { stateOfSent } from '../transaction/watch'
import type { AmountEntry } from './amount'
import type { FeeChoice } from './senders/sender'
import type { SendToken } from './token'

/** Frozen for the review: the request uses these values. With `all` the amount follows the fee. */
export type Reviewed = {
  readonly network: Network
  readonly account: Account
  readonly token: SendToken
  readonly amount: bigint
  readonly all: boolean
  readonly to: string
  readonly name: string | null
  readonly choice: FeeChoice
}

export type SendForm = {
  /** Another owner resets the form. */
  readonly owner: { readonly networkId: CaipNetworkId; readonly address: string } | null
  readonly token: string
  readonly amount: AmountEntry
  /** The user chose Max: the amount follows the fee. */
  readonly all: boolean
  readonly recipient: string
  readonly choice: FeeChoice
  readonly reviewed: Reviewed | null
  readonly sent: string | null
}

const empty: SendForm = {
  owner: null,
  token: 'native',
  amount: { text: '', unit: 'token' },
  all: false,
  recipient: '',
  choice: 'normal',
  reviewed: null,
  sent: null,
}

export function ofToken(token: string): Pick<SendForm, 'token' | 'amount' | 'all'> {
  return { token, amount: empty.amount, all: false }
}

/** The form is empty for another account; on another network of the namespace only the recipient stays. */
export function forOwner(form: SendForm, owner: NonNullable<SendForm['owner']>): SendForm {
  const { networkId, address } = owner
  if (form.owner?.networkId === networkId && form.owner.address === address) return form
  const isSameChain = form.owner?.networkId.split(':')[0] === networkId.split(':')[0]
  const isSameAccount = isSameChain && isSameAddress(form.owner?.address ?? '', address)
  return { ...empty, owner, recipient: isSameAccount ? form.recipient : '' }
}

/** The form is reset once sent, stays after a rejection, and keeps a pending transaction. */
export function afterSent(form: SendForm, state: ReturnType<typeof stateOfSent>): SendForm {
  if (state === 'went') return { ...empty, owner: form.owner }
  return state === 'asking' ? form : { ...form, sent: null }
}

/** Keeps an identical pending request, so that it is not repeated. */
export function withReview(form: SendForm, reviewed: Reviewed): Pick<SendForm, 'reviewed' | 'sent'> {
  return { reviewed, sent: form.reviewed !== null && isSame(form.reviewed, reviewed) ? form.sent : null }
}

function isSame(one: Reviewed, other: Reviewed): boolean {
  const isThere =
    one.network.caipNetworkId === other.network.caipNetworkId && one.account.address === other.account.address
  const isSameAmount = one.all ? other.all : !other.all && one.amount === other.amount
  const isThat = one.token.key === other.token.key && isSameAmount && one.choice === other.choice
  return isThere && isThat && one.to === other.to
}

export const sendFormOf = perHost(() => createStore<SendForm>(() => empty))

export function useSendForm(): { readonly form: SendForm; change(changes: Partial<SendForm>): void } {
  const store = sendFormOf(useHost())
  return { form: useStore(store), change: (changes) => store.setState(changes) }
}
