import type { Modal } from '../modal/contract'
import type { PosternError } from '../shared/errors'
import { noop } from '../shared/noop'
import type { ConnectOptions, Namespace, Postern } from '../types/index'

export type ModalCalls = Pick<Modal, 'request' | 'rpc'> & {
  load(): void
  readonly api: Pick<
    Postern,
    'open' | 'connect' | 'pay' | 'disconnect' | 'switchNetwork' | 'getIdentityToken' | 'getWallets' | 'getProfile'
  >
}

/** Passes calls to the modal in order, once its code has loaded. `onMissing` gets load failures. */
export function createModalCalls(
  loadModal: () => Promise<Modal>,
  onMissing: (error: PosternError) => void,
): ModalCalls {
  const ask = <T>(question: (modal: Modal) => Promise<T>): Promise<T> => {
    const modal = loadModal()
    modal.catch(onMissing)
    return modal.then(question)
  }
  const request: Modal['request'] = (...args) => ask((modal) => modal.request(...args))
  return {
    request,
    load: () => void loadModal().then(({ load }) => load(), noop),
    rpc: (params) => ask((modal) => modal.rpc(params)),
    api: {
      open: (options) => ask((modal) => modal.open(options)),
      connect: <N extends Namespace>(options?: ConnectOptions<N>) => ask((modal) => modal.connect(options)),
      pay: (payment) => ask((modal) => modal.pay(payment)),
      disconnect: (namespace) => request('disconnect', { namespace }).then(noop),
      switchNetwork: (network) => request('switchNetwork', { network }).then(noop),
      getIdentityToken: (options) => request('getIdentityToken', options?.user ? options : null).then(String),
      getWallets: () => ask((modal) => modal.getWallets()),
      getProfile: (address) => ask((modal) => modal.getProfile(address)),
    },
  }
}
