import type { HostMethod, HostParams } from '@postern/protocol'
import { isProfile, isReceipt, isWallets } from '../link/guards'
import { isPosternError } from '../shared/errors'
import { requestFailure } from '../shared/failures'
import { noop } from '../shared/noop'
import { isConnection } from '../state/guards'
import type { ConnectOptions, Namespace } from '../types/index'
import { createChannel } from './channel'
import type { Modal, ModalOptions } from './contract'
import { connectHost } from './frame/host-connection'
import { createTimers } from './frame/timers'
import { warnOfHost } from './host-warning'
import { createPageServices } from './services/page-services'
import { createVisits } from './visits'

/** Opening the channel at once would slow an opening. */
const channelDelayMs = 1_000

/**
 * The modal as the page sees it (docs/reference/page-link.md); `machine.ts` has its states.
 *
 * 1. Until the frame is ready, the dialog shows the card's outline, and Escape leaves it.
 * 2. A frame that fails settles every request. An alert says why if a request waited; the next use tries again.
 * 3. A reloaded frame gets the unanswered requests. A lost frame is replaced, and its open modal opens again.
 * 4. The dialog shows while the host says so; before the host is ready, while a visit waits.
 * 5. After `destroy` every request rejects with DESTROYED, and no listener, frame, timer or channel is left.
 * 6. Each visit looks for wallets that appeared without an event, and loads missing code of other namespaces.
 */
export function createModal(options: ModalOptions): Modal {
  const { window } = options
  if (options.dapp.host === undefined) warnOfHost(window, options.origin)
  const timers = createTimers(window)
  const host = connectHost({
    modal: options,
    timers,
    serve: (...request) => services.serve(...request),
    pageWallets: () => services.list(),
    onReady: () => timers.after(channelDelayMs, channel.listen),
    onSessionChanged: () => channel.notify(),
    onLeave: () => visits.reject(requestFailure('USER_REJECTED')),
    onReopen: () => void visit('open', {}).catch(noop),
  })
  const services = createPageServices(options, host)
  const channel = createChannel(window, options.prefix, options.onPeerChanged)
  const visits = createVisits({ request, onStart: host.startVisit, onEnd: host.endVisit })

  /** Emits failures that the user or the dapp did not choose. */
  async function request<M extends HostMethod>(method: M, params: HostParams<M>, signal?: AbortSignal) {
    try {
      return await host.request(method, params, signal)
    } catch (error) {
      if (isPosternError(error) && !/^(USER_REJECTED|ABORTED|DESTROYED)$/.test(error.code)) options.emit('error', error)
      throw error
    }
  }

  function visit<M extends HostMethod>(method: M, params: HostParams<M>, signal?: AbortSignal): Promise<unknown> {
    services.lookForWallets()
    return visits.start(method, params, signal)
  }

  services.lookForWallets()
  return {
    load: host.load,
    request,
    // By name, because a click handler may pass its event.
    async open({ view, swap, namespace } = {}) {
      try {
        await visit('open', { view, swap, namespace })
      } catch (error) {
        if (!isPosternError(error) || error.code !== 'USER_REJECTED') throw error
      }
    },
    async pay(params) {
      const receipt = await visit('pay', params)
      if (!isReceipt(receipt)) throw requestFailure('INTERNAL')
      return receipt
    },
    async connect<N extends Namespace>({ namespace, wallet, social, email, signal }: ConnectOptions<N> = {}) {
      checkSignal(signal)
      const connection = await visit('connect', { namespace, wallet, social, email }, signal)
      if (!isConnection<N>(connection)) throw requestFailure('INTERNAL')
      return connection
    },
    async getWallets() {
      const wallets = await request('getWallets', null)
      if (!isWallets(wallets)) throw requestFailure('INTERNAL')
      return wallets
    },
    async getProfile(address) {
      const profile = await request('getProfile', { address })
      if (!isProfile(profile)) throw requestFailure('INTERNAL')
      return profile
    },
    rpc: ({ namespace, method, params, networkId }) => host.request('rpc', { namespace, method, params, networkId }),
    wallets: services.list,
    wallet: services.wallet,
    sendWallets: services.sendWallets,
    dismiss: host.dismiss,
    draw: host.draw,
    destroy() {
      host.destroy()
      channel.close()
      services.stop()
      timers.stop()
    },
  }
}

/** The signal stays in the page; the host checks the rest. @throws INVALID_PARAMS */
function checkSignal(signal: AbortSignal | undefined): void {
  if (!signal || 'aborted' in Object(signal)) return
  const error = requestFailure('INVALID_PARAMS')
  error.message += ': signal'
  throw error
}
