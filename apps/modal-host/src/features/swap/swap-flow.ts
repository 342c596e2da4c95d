import { isSameAddress } from '@postern/chains/same-address'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Host } from '../../snapshot/contract'
import type { MoneyHost, TrackedTransaction } from '../../snapshot/money'
import { perHost } from '../../view-kit/loading/per-host'
import { isCarriedOut, watchTransaction } from '../transaction/watch'
import {
  asCalls,
  asTransaction,
  builtSwap,
  isPriceMoved,
  isWithoutRoute,
  planSwap,
  quoteOf,
  type Stop,
  type SwapOrder,
  type WalletRequest,
} from './plan'
import { isExpired } from './quote'
import type { Side, SwapForm } from './tokens'

export type Step = 'approve' | 'swap'

export type Run =
  | { readonly kind: 'idle' }
  | { readonly kind: 'checking' }
  | { readonly kind: 'waiting'; readonly step: Step; readonly together: boolean; readonly transaction: string }
  /** Less than `before` would arrive. The wallet was not asked. */
  | { readonly kind: 'changed'; readonly before: bigint }
  | { readonly kind: 'stopped'; readonly step: Step | 'check'; readonly stop: Stop }
  /** The transaction's own view shows the rest. */
  | { readonly kind: 'sent'; readonly transaction: string }

export type SwapState = {
  /** Account and network in one opening of the modal; another scope resets the form. */
  readonly scope: string | null
  readonly form: SwapForm | null
  readonly side: Side
  readonly order: SwapOrder | null
  readonly approved: boolean
  readonly run: Run
  readonly sent: string | null
}

export type SwapFlow = {
  readonly store: StoreApi<SwapState>
  setForm(scope: string, form: SwapForm): void
  chooseSide(side: Side): void
  review(order: SwapOrder): void
  confirm(): Promise<void>
  /** A pending request is tracked elsewhere. */
  leave(): void
}

export type SwapFlowOptions = {
  readonly host: Pick<Host, 'store'>
  readonly money: Pick<MoneyHost, 'api' | 'client' | 'request' | 'transact' | 'clock'>
}

const initialState: SwapState = {
  scope: null,
  form: null,
  side: 'from',
  order: null,
  approved: false,
  run: { kind: 'idle' },
  sent: null,
}

/**
 * Creates the flow of a swap, from review to transaction.
 *
 * 1. At an expired price, the wallet is not asked: the price is reloaded, and if less would arrive, the user must
 *    confirm again.
 * 2. The swap must match what was shown, within the slippage tolerance, even after an approval.
 * 3. An approval is for the exact amount and confirmed on chain before the swap; a wallet with atomic calls gets one
 *    request for both.
 * 4. A rejection, failure or revert stops at its step; a granted approval (`approved`) is skipped on the next try. A
 *    pending request is not repeated, even if the user left and came back.
 * 5. After leaving, closing the modal, or a change of account or network, the wallet is asked for nothing more.
 */
export function createSwapFlow({ host, money }: SwapFlowOptions): SwapFlow {
  const store = createStore<SwapState>(() => initialState)
  let going: AbortController | null = null

  function leave(): void {
    going?.abort(new Failure('ABORTED'))
    going = null
    if (store.getState().run.kind !== 'idle') store.setState({ run: { kind: 'idle' } })
  }

  async function confirm(): Promise<void> {
    const { order, run } = store.getState()
    if (order === null || run.kind === 'checking' || run.kind === 'waiting' || run.kind === 'sent') return
    going?.abort(new Failure('ABORTED'))
    const controller = new AbortController()
    going = controller
    // Rule 5.
    const unlisten = host.store.subscribe(({ open }) => {
      if (!open && going === controller) leave()
    })
    try {
      const next = await carryOut(order, controller.signal)
      if (controller.signal.aborted) return
      store.setState({ run: next, ...(next.kind === 'sent' && { sent: next.transaction }) })
    } catch (thrown) {
      if (!controller.signal.aborted) store.setState({ run: { kind: 'stopped', step: 'check', stop: stopOf(thrown) } })
    } finally {
      unlisten()
    }
  }

  async function carryOut(shown: SwapOrder, signal: AbortSignal): Promise<Run> {
    store.setState({ run: { kind: 'checking' } })
    try {
      // Rule 1.
      const order = isExpired(shown.quote, money.clock.now()) ? await renewQuote(shown, signal) : shown
      if (order.quote.toAmount < shown.quote.toAmount) return { kind: 'changed', before: shown.quote.toAmount }
      const plan = await planSwap(money, order, signal)
      if (plan.approvals.length === 0) return await swap(order, asTransaction(order, 'swap', plan.swap), false, signal)
      if (plan.atomic) return await swap(order, asCalls(order, plan.approvals, plan.swap), true, signal)
      // Rule 3.
      for (const approval of plan.approvals) {
        const stop = await allow(order, asTransaction(order, 'approve', approval), signal)
        if (stop !== null) return { kind: 'stopped', step: 'approve', stop }
      }
      store.setState({ approved: true, run: { kind: 'checking' } })
      const again = await builtSwap(money, order, signal)
      if (!isSameAddress(again.to, plan.swap.to)) throw new Failure('INTERNAL')
      return await swap(order, asTransaction(order, 'swap', again), false, signal)
    } catch (thrown) {
      // Rule 2: shows the new quote.
      if (signal.aborted || !isPriceMoved(thrown)) throw thrown
      await renewQuote(shown, signal)
      return { kind: 'changed', before: shown.quote.toAmount }
    }
  }

  async function renewQuote(order: SwapOrder, signal: AbortSignal): Promise<SwapOrder> {
    const quote = await quoteOf(money, order, signal)
    if (quote === null) throw new Failure('HTTP_STATUS', { data: { status: 404 } })
    const next = { ...order, quote }
    signal.throwIfAborted()
    store.setState({ order: next })
    return next
  }

  async function allow(order: SwapOrder, request: WalletRequest, signal: AbortSignal): Promise<Stop | null> {
    if (isPending(order, request)) return pending
    const id = transact(order, request, signal)
    store.setState({ run: { kind: 'waiting', step: 'approve', together: false, transaction: id } })
    const status = await waitForStatus(id, ({ kind }) => kind !== 'asking' && kind !== 'sent', signal)
    return isCarriedOut(status) ? null : stopped(status)
  }

  async function swap(order: SwapOrder, request: WalletRequest, together: boolean, signal: AbortSignal): Promise<Run> {
    if (isPending(order, request)) return { kind: 'stopped', step: 'swap', stop: pending }
    const id = transact(order, request, signal)
    // The transaction may be sent after the user left.
    store.setState({ run: { kind: 'waiting', step: 'swap', together, transaction: id }, sent: id })
    const status = await waitForStatus(id, ({ kind }) => kind !== 'asking', signal)
    const isUnsent = status.kind === 'declined' || status.kind === 'failed'
    return isUnsent ? { kind: 'stopped', step: 'swap', stop: stopped(status) } : { kind: 'sent', transaction: id }
  }

  /** Rule 4. */
  function isPending(
    { networkId, address }: SwapOrder,
    { purpose: { kind, amount, symbol, to } }: WalletRequest,
  ): boolean {
    return host.store.getState().transactions.some(({ networkId: on, from, purpose, status }) => {
      const isSame = purpose.kind === kind && purpose.amount === amount && purpose.symbol === symbol
      const isThere = on === networkId && isSameAddress(from, address) && isSameAddress(purpose.to, to)
      return status.kind === 'asking' && isSame && isThere
    })
  }

  /** Rule 5. */
  function transact({ networkId, address }: SwapOrder, request: WalletRequest, signal: AbortSignal): string {
    signal.throwIfAborted()
    const { connections } = host.store.getState()
    const connection = connections.eip155
    if (connection?.status !== 'connected' || connection.accounts[0]?.address.toLowerCase() !== address.toLowerCase())
      throw new Failure('UNAUTHORIZED')
    if (connection.networkId !== networkId) throw new Failure('CHAIN_DISCONNECTED')
    return money.transact({ networkId, ...request })
  }

  function waitForStatus(
    id: string,
    isDone: (status: TrackedTransaction['status']) => boolean,
    signal: AbortSignal,
  ): Promise<TrackedTransaction['status']> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        stop()
        reject(signal.reason)
      }
      signal.addEventListener('abort', abort, { once: true })
      const stop = watchTransaction(host, id, (transaction) => {
        const status = transaction?.status
        if (status === undefined || !isDone(status)) return null
        return () => {
          signal.removeEventListener('abort', abort)
          resolve(status)
        }
      })
    })
  }

  return {
    store,
    setForm: (scope, form) => store.setState({ scope, form, sent: null }),
    chooseSide: (side) => store.setState({ side }),
    review(order) {
      leave()
      store.setState({ order, approved: false })
    },
    confirm,
    leave,
  }
}

const pending = stopOf(new Failure('REQUEST_PENDING'))

function stopOf(thrown: unknown): Stop {
  if (isWithoutRoute(thrown)) return { kind: 'noRoute' }
  const { code, message } = asFailure(thrown)
  return code === 'USER_REJECTED' ? { kind: 'declined' } : { kind: 'failed', code, message }
}

function stopped(status: TrackedTransaction['status']): Stop {
  if (status.kind === 'failed') return { kind: 'failed', code: status.code, message: status.message }
  if (status.kind === 'declined') return { kind: 'declined' }
  const outcome = status.kind === 'ended' ? status.outcome.kind : 'unknown'
  if (outcome === 'reverted' || outcome === 'partlyReverted') return { kind: 'reverted' }
  return { kind: outcome === 'cancelled' || outcome === 'replaced' || outcome === 'dropped' ? 'replaced' : 'unknown' }
}

export const swapFlowOf = perHost((host, money: MoneyHost) => createSwapFlow({ host, money }))
