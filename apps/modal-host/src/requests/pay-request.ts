import type { CaipNetworkId, Connection, HostParams, HostResult, Namespace, PaymentRequest } from '@postern/protocol'
import { errors, parseCaipNetworkId } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { HostSnapshot } from '../snapshot/contract'
import { featureOffText } from '../snapshot/features'
import type { Modal } from '../snapshot/modal'
import type { SnapshotStore } from '../snapshot/store'

/**
 * The page's `pay`.
 *
 * 1. It rejects, and nothing opens, if the feature is off (spec §1), the network is not configured, another payment is
 *    pending, or `check` rejects.
 * 2. If the payment's namespace is not connected, the user connects first, and signs in if the dapp asks for it. If the
 *    user leaves there, or the connection is lost, it rejects with USER_REJECTED; an optional sign-in may be declined.
 *    Pay opens after the modal has closed on that success: the close would close Pay too.
 * 3. It resolves with the receipt once the wallet has sent the payment. It rejects when the user closes the modal or
 *    the connection ends; a cancel from the page closes the modal.
 * 4. Closing cannot take back a wallet request: its result is awaited. USER_REJECTED means not paid; an unknown outcome
 *    is TRANSACTION_UNCONFIRMED.
 */
export function createPayRequest(options: {
  readonly store: SnapshotStore
  readonly modal: Modal
  readonly isConfigured: (networkId: CaipNetworkId) => boolean
  readonly check: (request: PaymentRequest) => Promise<PaymentRequest>
  readonly connect: (params: HostParams<'connect'>, signal: AbortSignal) => Promise<Connection>
  /** Resolves once every connection has been checked for a due sign-in. */
  readonly untilSignInKnown: () => Promise<unknown>
}) {
  const { store, modal, isConfigured } = options
  let isBusy = false
  let settle: ((answer: HostResult<'pay'> | Failure) => void) | null = null

  async function pay(request: HostParams<'pay'>, signal: AbortSignal): Promise<HostResult<'pay'>> {
    if (!store.getState().features.pay)
      throw new Failure('METHOD_NOT_FOUND', {
        message: `${errors.METHOD_NOT_FOUND.message}: \`features.pay\` ${featureOffText}`,
      })
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

  /** No connection or sign-in is pending; one may follow the other. */
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

  /** No payment waits for the wallet, and every sent payment has a hash or has ended. */
  function afterWallet(then: () => void): () => void {
    const isAsked = () =>
      store.getState().transactions.some(({ purpose, status }) => purpose.kind === 'pay' && isOpen(status))
    const stop = store.subscribe(look)
    function look(): void {
      if (isAsked()) return
      stop()
      // Delayed, so that another listener delivers the receipt first.
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
