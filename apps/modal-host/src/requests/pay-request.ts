import type { CaipNetworkId, Connection, HostParams, HostResult, Namespace, PaymentRequest } from '@postern/protocol'
import { parseCaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { HostSnapshot } from '../snapshot/contract'
import type { Modal } from '../snapshot/modal'
import type { SnapshotStore } from '../snapshot/store'

/**
 * The page's `pay`.
 *
 * 1. Refused where the feature is off (spec §1), on a network that is not configured, while another payment waits, and where `check` refuses it: nothing
 *    opens then.
 * 2. With nobody connected in the payment's namespace, connecting comes first, and signing in where the dapp asks for that; leaving there is
 *    USER_REJECTED, as is a connection that ends over it. Their success is seen before the payment is: the modal closes over that, and would close over
 *    the payment. A no to signing in where that is not required is no word on the payment.
 * 3. Settles with the receipt once the wallet sent it. The modal's close is the visitor's no, and so is the end of the connection; the page's own cancel
 *    closes the modal.
 * 4. What a wallet was asked for cannot be taken back by closing: then its word is waited for. Who is told no has not paid; where nobody knows, it is
 *    TRANSACTION_UNCONFIRMED.
 */
export function createPayRequest(options: {
  readonly store: SnapshotStore
  readonly modal: Modal
  readonly isConfigured: (networkId: CaipNetworkId) => boolean
  /** The request as it is shown. Rejects with the reason why it is not. */
  readonly check: (request: PaymentRequest) => Promise<PaymentRequest>
  readonly connect: (params: HostParams<'connect'>, signal: AbortSignal) => Promise<Connection>
  /** Resolves once it is known of every connection whether somebody has to sign in. */
  readonly untilSignInKnown: () => Promise<unknown>
}) {
  const { store, modal, isConfigured } = options
  let isBusy = false
  let settle: ((answer: HostResult<'pay'> | Failure) => void) | null = null

  async function pay(request: HostParams<'pay'>, signal: AbortSignal): Promise<HostResult<'pay'>> {
    if (!store.getState().features.pay) throw new Failure('METHOD_NOT_FOUND')
    if (!isConfigured(request.networkId)) throw new Failure('UNSUPPORTED_CHAIN')
    if (isBusy) throw new Failure('REQUEST_PENDING')
    isBusy = true
    try {
      const payment = await options.check(request)
      if (signal.aborted) throw new Failure('ABORTED')
      const { namespace } = parseCaipNetworkId(request.networkId)
      await options.connect({ namespace }, signal)
      await afterConnecting(signal)
      if (store.getState().connections[namespace]?.status !== 'connected') throw new Failure('USER_REJECTED')
      return await show(payment, namespace, signal)
    } finally {
      isBusy = false
      settle = null
      store.setState({ payment: null })
    }
  }

  function show(payment: HostParams<'pay'>, namespace: Namespace, signal: AbortSignal): Promise<HostResult<'pay'>> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(new Failure('ABORTED'))
      store.setState({ payment })
      modal.open('Pay')
      const end = () => {
        unlisten()
        unwatch()
        signal.removeEventListener('abort', onAbort)
      }
      const onAbort = () => {
        end()
        reject(new Failure('ABORTED'))
        modal.close()
      }
      const decline = () => {
        unlisten()
        unwatch()
        unlisten = afterWallet(() => {
          end()
          reject(new Failure('USER_REJECTED'))
        })
      }
      let unlisten = modal.onClose(decline)
      const unwatch = store.subscribe(({ connections }) => {
        if (connections[namespace]?.status === 'disconnected') decline()
      })
      signal.addEventListener('abort', onAbort, { once: true })
      settle = (answer) => {
        end()
        if (answer instanceof Failure) reject(answer)
        else resolve(answer)
      }
    })
  }

  /** Once nobody connects or signs in any more; at once where nobody did. One question may follow on another. */
  async function afterConnecting(signal: AbortSignal): Promise<void> {
    const isBusyWith = ({ connectAttempt, signIn, signInPrompt }: HostSnapshot) =>
      connectAttempt !== null || signIn !== null || signInPrompt !== null
    await unlessAborted(options.untilSignInKnown(), signal)
    while (isBusyWith(store.getState())) await unlessAborted(nextChange(), signal)
  }

  function nextChange(): Promise<void> {
    return new Promise((resolve) => {
      const stop = store.subscribe(() => {
        stop()
        resolve()
      })
    })
  }

  /** Once no wallet is asked to pay any more, and all that was sent has a hash or an end; at once where none is. What it sent has settled the payment by then. */
  function afterWallet(then: () => void): () => void {
    const isAsked = () =>
      store.getState().transactions.some(({ purpose, status }) => purpose.kind === 'pay' && isOpen(status))
    const stop = store.subscribe(look)
    function look(): void {
      if (isAsked()) return
      stop()
      // The receipt is handed over by whoever else hears of the same change.
      queueMicrotask(then)
    }
    look()
    return stop
  }

  return { pay, settle: (answer: HostResult<'pay'> | Failure) => settle?.(answer) }
}

function isOpen(status: HostSnapshot['transactions'][number]['status']): boolean {
  return status.kind === 'asking' || (status.kind === 'sent' && status.hash === null)
}

function unlessAborted<T>(waiting: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new Failure('ABORTED'))
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    waiting.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
