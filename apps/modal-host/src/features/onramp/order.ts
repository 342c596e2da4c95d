import type { BlockchainAnswer, CaipNetworkId, ErrorCode } from '@postern/protocol'
import { asFailure } from '@postern/protocol/wallet-errors'
import { useStore } from 'zustand'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { MoneyHost } from '../../snapshot/money'
import type { OpenedWindow } from '../../snapshot/popup'
import { activeAccount } from '../../view-kit/connected-account'
import { useHost, useSnapshot } from '../../view-kit/host-context'
import { perAccount } from '../../view-kit/loading/per-host'
import type { Offer } from './offers'

export type Order = {
  readonly id: string
  readonly offer: Offer
  readonly networkId: CaipNetworkId
  readonly address: string
  readonly amount: string
  readonly currency: string
  /** The displayed quote's amount. */
  readonly expected: string | null
  readonly handOver: /** The URL is loading. */
    | { readonly kind: 'preparing' }
    | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
    /** The URL could not be opened: the user must press the link. */
    | { readonly kind: 'ready'; readonly url: string }
    | { readonly kind: 'open'; readonly url: string; readonly window: OpenedWindow }
  readonly purchase: Purchase | null
}
export type Purchase = BlockchainAnswer<'onRampPurchases'>['purchases'][number]

export type OnRampForm = {
  readonly text: string
  /** ISO 4217; null until chosen. */
  readonly currency: string | null
  /** The seller's id. */
  readonly asset: string | null
  readonly choosing: 'currency' | 'asset'
  readonly order: Order | null
}

const empty: OnRampForm = { text: '', currency: null, asset: null, choosing: 'asset', order: null }

const formOf = perAccount(() => createStore<OnRampForm>(() => empty))

export function useOnRampStore(): StoreApi<OnRampForm> {
  return formOf(
    useHost(),
    useSnapshot((snapshot) => activeAccount(snapshot)?.account ?? null),
  )
}

export function useOnRampForm(): { readonly form: OnRampForm; change(changes: Partial<OnRampForm>): void } {
  const store = useOnRampStore()
  return { form: useStore(store), change: (changes) => store.setState(changes) }
}

export function isPending(order: Order | null): order is Order {
  return order !== null && order.handOver.kind !== 'failed' && (order.purchase?.status ?? 'pending') === 'pending'
}

export type OrderRequest = Pick<Order, 'offer' | 'networkId' | 'address' | 'amount' | 'currency' | 'expected'>
type Seller = Pick<MoneyHost, 'api' | 'openWindow' | 'randomId'>

/**
 * Takes the user to the seller.
 *
 * 1. The window opens inside the click, before any await; the seller's page gets no opener.
 * 2. If the browser blocks it, the URL is shown as a link. The dapp's page never learns it, or it could open another
 *    seller.
 * 3. Only the user's own address on the displayed network is passed, with a new id.
 * 4. Never rejects: the order has the status.
 */
export async function startOrder(form: StoreApi<OnRampForm>, request: OrderRequest, seller: Seller): Promise<void> {
  const window = seller.openWindow()
  const id = seller.randomId()
  form.setState({ order: { ...request, id, handOver: { kind: 'preparing' }, purchase: null } })
  const change = (next: Order['handOver']) => {
    const { order } = form.getState()
    if (order?.id === id) form.setState({ order: { ...order, handOver: next } })
    else window?.close()
  }
  const { offer, address, amount, currency } = request
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
      window.navigate(url)
      return change({ kind: 'open', url, window })
    }
    change({ kind: 'ready', url })
  } catch (thrown) {
    window?.close()
    const { code, message } = asFailure(thrown)
    change({ kind: 'failed', code, message })
  }
}
