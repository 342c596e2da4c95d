/** What is being bought, while views come and go: the seller's window stays open, and so does the purchase. */
import type { BlockchainAnswer, CaipNetworkId, ErrorCode } from '@postern/protocol'
import { asFailure } from '@postern/protocol/wallet-errors'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { MoneyHost } from '../../snapshot/money'
import type { OpenedWindow } from '../../snapshot/open-window'
import { heldOf } from '../../view-kit/held'
import { useHost, useSnapshot } from '../../view-kit/host-context'
import { perAccount } from '../../view-kit/per-host'
import type { Offer } from './offers'

export type Order = {
  /** Whoever knows it may ask what became of it. */
  readonly id: string
  readonly offer: Offer
  readonly networkId: CaipNetworkId
  readonly address: string
  /** A decimal. */
  readonly amount: string
  readonly currency: string
  /** What the price on show made of it; null where there was none. */
  readonly expected: string | null
  readonly handOver: /** The seller's page is being asked for. */
    | { readonly kind: 'preparing' }
    | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
    /** The page is known and could not be opened by itself: a press on its link does. */
    | { readonly kind: 'ready'; readonly url: string }
    | { readonly kind: 'open'; readonly url: string; readonly window: OpenedWindow }
  /** Null until the seller knows of one. */
  readonly purchase: Purchase | null
}
export type Purchase = BlockchainAnswer<'onRampPurchases'>['purchases'][number]

export type OnRampForm = {
  /** As it was typed. */
  readonly text: string
  /** ISO 4217; null until it was chosen. */
  readonly currency: string | null
  /** The seller's word; null until it was chosen. */
  readonly asset: string | null
  /** What OnRampCurrency is opened for. */
  readonly choosing: 'currency' | 'asset'
  readonly order: Order | null
}

const empty: OnRampForm = { text: '', currency: null, asset: null, choosing: 'asset', order: null }

const formOf = perAccount(() => createStore<OnRampForm>(() => empty))

/** The form of the account on show, with its purchase, on whatever network of its namespace. */
export function useOnRampStore(): StoreApi<OnRampForm> {
  return formOf(
    useHost(),
    useSnapshot((snapshot) => heldOf(snapshot)?.account ?? null),
  )
}

export function useOnRampForm(): { readonly form: OnRampForm; change(changes: Partial<OnRampForm>): void } {
  const store = useOnRampStore()
  return { form: useStore(store), change: (changes) => store.setState(changes) }
}

/** Whether somebody waits for it still. */
export function isUnderWay(order: Order | null): order is Order {
  return order !== null && order.handOver.kind !== 'failed' && (order.purchase?.status ?? 'pending') === 'pending'
}

export type Wanted = Pick<Order, 'offer' | 'networkId' | 'address' | 'amount' | 'currency' | 'expected'>
type Seller = Pick<MoneyHost, 'api' | 'openWindow' | 'randomId'>

/**
 * Hands the visitor over to the seller.
 *
 * 1. The window opens inside the click, before anything is awaited; the seller's page gets no way back to it, nor to the dapp.
 * 2. Where the browser allows none, the address is there to press. The dapp's page never learns it: it could open another seller in its place.
 * 3. Money goes to the visitor's own address on the network that is on show, and to no other. The id is a new one each time.
 * 4. Never rejects: the order says how it goes. One that was left changes nothing any more.
 */
export async function handOver(form: StoreApi<OnRampForm>, wanted: Wanted, seller: Seller): Promise<void> {
  const window = seller.openWindow()
  const id = seller.randomId()
  form.setState({ order: { ...wanted, id, handOver: { kind: 'preparing' }, purchase: null } })
  const change = (next: Order['handOver']) => {
    const { order } = form.getState()
    if (order?.id === id) form.setState({ order: { ...order, handOver: next } })
    else window?.close()
  }
  const { offer, address, amount, currency } = wanted
  try {
    const { url } = await seller.api.onRampUrl({
      destinationWallets: [{ address, blockchains: [offer.network], assets: [offer.symbol] }],
      defaultNetwork: offer.network,
      defaultAsset: offer.symbol,
      partnerUserId: id,
      defaultExperience: 'buy',
      presetFiatAmount: amount,
      fiatCurrency: currency,
    })
    if (window !== null && !window.isClosed()) {
      window.lead(url)
      return change({ kind: 'open', url, window })
    }
    change({ kind: 'ready', url })
  } catch (thrown) {
    window?.close()
    const { code, message } = asFailure(thrown)
    change({ kind: 'failed', code, message })
  }
}
