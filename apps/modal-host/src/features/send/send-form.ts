import { isSameAddress } from '@postern/chains/same-address'
import type { Account, CaipNetworkId, Network } from '@postern/protocol'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { useHost } from '../../view-kit/host-context'
import { perHost } from '../../view-kit/per-host'
import type { stateOfSent } from '../transaction/watch'
import type { AmountEntry } from './amount'
import type { SendToken } from './token'
import type { FeeChoice } from './ways/way'

/** What was decided, frozen for the last look: whatever the wallet does meanwhile, this is what is asked for. */
export type Reviewed = {
  readonly network: Network
  readonly account: Account
  readonly token: SendToken
  readonly amount: bigint
  readonly to: string
  readonly name: string | null
  readonly choice: FeeChoice
}

export type SendForm = {
  /** Whose form it is: another account or network begins anew. Null before the first. */
  readonly owner: { readonly networkId: CaipNetworkId; readonly address: string } | null
  /** `native`, or an address. */
  readonly token: string
  readonly amount: AmountEntry
  /** All that there is: the amount follows what the fee leaves. */
  readonly all: boolean
  /** As it was typed. */
  readonly recipient: string
  readonly choice: FeeChoice
  readonly reviewed: Reviewed | null
  /** The transaction that this form became. */
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

/** Another token chosen: an amount of the one before means something else. */
export function ofToken(token: string): Pick<SendForm, 'token' | 'amount' | 'all'> {
  return { token, amount: empty.amount, all: false }
}

/** The form as somebody finds it who comes to it: another account's is empty; on another network of the same account and chain only who gets it stays. */
export function begun(form: SendForm, owner: NonNullable<SendForm['owner']>): SendForm {
  const { networkId, address } = owner
  if (form.owner?.networkId === networkId && form.owner.address === address) return form
  const isSameChain = form.owner?.networkId.split(':')[0] === networkId.split(':')[0]
  const isSameAccount = isSameChain && isSameAddress(form.owner?.address ?? '', address)
  return { ...empty, owner, recipient: isSameAccount ? form.recipient : '' }
}

/** After something was sent the next begins empty; after a no of the wallet all stands as it did, and while that has not answered it is known what it was asked. */
export function afterSent(form: SendForm, state: ReturnType<typeof stateOfSent>): SendForm {
  if (state === 'went') return { ...empty, owner: form.owner }
  return state === 'asking' ? form : { ...form, sent: null }
}

/** The form on its last look. What was asked for already is not asked for again for having been at the form between. */
export function onReview(form: SendForm, reviewed: Reviewed): Pick<SendForm, 'reviewed' | 'sent'> {
  return { reviewed, sent: form.reviewed !== null && isSame(form.reviewed, reviewed) ? form.sent : null }
}

function isSame(one: Reviewed, other: Reviewed): boolean {
  const isThere =
    one.network.caipNetworkId === other.network.caipNetworkId && one.account.address === other.account.address
  const isThat = one.token.key === other.token.key && one.amount === other.amount && one.choice === other.choice
  return isThere && isThat && one.to === other.to
}

export const sendFormOf = perHost(() => createStore<SendForm>(() => empty))

export function useSendForm(): { readonly form: SendForm; change(changes: Partial<SendForm>): void } {
  const store = sendFormOf(useHost())
  return { form: useStore(store), change: (changes) => store.setState(changes) }
}
