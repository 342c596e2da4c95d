import type { PosternError } from './errors'
import type { Modal } from './modal/contract'
import { noop } from './noop'
import type { ConnectOptions, Namespace, Postern } from './types'

export type ModalCalls = Pick<Modal, 'request' | 'rpc'> & {
  /** Prepares the frame. */
  load(): void
  /** The instance's own methods. */
  readonly api: Pick<Postern, 'open' | 'connect' | 'pay' | 'disconnect' | 'switchNetwork' | 'getIdentityToken'>
}

/** Calls to the modal, in order, also before its code is loaded. `onMissing` gets the error of each call without it. */
export function createModalCalls(
  loadModal: () => Promise<Modal>,
  onMissing: (error: PosternError) => void,
): ModalCalls {
  const getModal = () => {
    const modal = loadModal()
    modal.catch(onMissing)
    return modal
  }
  const request: Modal['request'] = async (...args) => (await getModal()).request(...args)
  return {
    request,
    load: () => void loadModal().then(({ load }) => load(), noop),
    rpc: async (params) => (await getModal()).rpc(params),
    api: {
      open: async (options = {}) => (await getModal()).open(options),
      async connect<N extends Namespace>(options?: ConnectOptions<N>) {
        return (await getModal()).connect(options)
      },
      pay: async (payment) => (await getModal()).pay(payment),
      async disconnect(namespace) {
        await request('disconnect', { namespace })
      },
      async switchNetwork(network) {
        await request('switchNetwork', { network })
      },
      getIdentityToken: async () => String(await request('getIdentityToken', null)),
    },
  }
}
