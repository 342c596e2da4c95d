import {
  type CaipNetworkId,
  isCaipNetworkId,
  isSendingRpcRequest,
  type Namespace,
  type Network,
  type WalletUser,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { Asker } from '../../snapshot/approval'
import type { Connector, Restored, WalletIdentity, WalletSession } from '../connector'
import { restoredBy } from '../restored'
import { frameChainId, isUsable, stableIdOfUser, userAccountsIn } from './accounts'
import type { ConnectedNamespaces } from './connected-namespaces'
import type { EmbeddedEvent, EmbeddedState } from './embedded-machine'
import type { WalletFrame } from './wallet-frame/wallet-frame'

export type WalletRpc = {
  readonly id: string
  readonly method: string
  readonly networkId: CaipNetworkId
  readonly done: Promise<unknown>
  /** Set if the modal itself asks. */
  readonly asker: Asker | null
  abort(failure: Failure): void
}

export type EmbeddedConnectorContext = {
  readonly frame: Pick<WalletFrame, 'ask' | 'onNotice'>
  readonly connected: ConnectedNamespaces
  readonly state: () => EmbeddedState
  readonly dispatch: (event: EmbeddedEvent) => void
  /** All namespaces that reconnect share one read. */
  readonly signedInUser: () => Promise<WalletUser | null>
  /** Null if the user has no account in the namespace. */
  readonly sessionIn: (user: WalletUser, namespace: Namespace) => Promise<WalletSession | null>
  readonly networkOf: (namespace: Namespace) => CaipNetworkId
  readonly adopt: (user: WalletUser) => Promise<void>
  readonly randomId: () => string
  readonly onRpc: (request: WalletRpc) => void
}

export function createEmbeddedConnector(
  context: EmbeddedConnectorContext,
  namespace: Namespace,
  stableId: string,
  { name, imageUrl }: WalletIdentity,
): Connector {
  const { frame, connected, state, dispatch, sessionIn } = context

  async function read(): Promise<WalletSession | null> {
    const user = await context.signedInUser()
    if (user === null || !isUsable(user) || stableIdOfUser(user) !== stableId) return null
    if (state().user !== user) dispatch({ type: 'userChanged', user })
    return sessionIn(user, namespace)
  }

  async function reconnect(signal: AbortSignal): Promise<Restored> {
    const stop = () => connected.stopRestoring(namespace)
    signal.addEventListener('abort', stop, { once: true })
    const restored = await restoredBy(read)
    // Until its outcome is known, no other namespace is the last one.
    if (restored.kind === 'unknown' && !signal.aborted) return restored
    signal.removeEventListener('abort', stop)
    stop()
    return restored
  }

  return {
    id: 'auth',
    name,
    type: 'AUTH',
    ...(imageUrl !== undefined && { imageUrl }),
    namespace,
    stableId,
    connect: read,
    reconnect,

    async disconnect() {
      connected.stopRestoring(namespace)
      const { user } = state()
      if (user !== null && stableIdOfUser(user) !== stableId) return
      if (connected.isAnyConnected()) return
      dispatch({ type: 'sessionEnded' })
      await frame.ask('SIGN_OUT', undefined)
    },

    async switchNetwork({ caipNetworkId: networkId }: Network, signal) {
      await frame.ask('SWITCH_NETWORK', { chainId: frameChainId(networkId) }, { signal })
      const previous = state().networks[namespace]
      dispatch({ type: 'networkSwitched', namespace, networkId })
      try {
        const chain = userAccountsIn(namespace).areOfOneNetwork ? { chainId: frameChainId(networkId) } : {}
        const user = await frame.ask('GET_USER', chain, { signal })
        if ((await sessionIn(user, namespace)) === null) throw new Failure('CHAIN_NOT_SUPPORTED')
        await context.adopt(user)
      } catch (thrown) {
        dispatch({ type: 'switchFailed', namespace, networkId, previous })
        throw thrown
      }
      return networkId
    },

    request(method, params, outer, requested) {
      const networkId = networkIn(params) ?? context.networkOf(namespace)
      const controller = new AbortController()
      const onAbort = () => controller.abort(outer.reason)
      if (outer.aborted) onAbort()
      outer.addEventListener('abort', onAbort, { once: true })
      const id = context.randomId()
      const payload = { method, networkId, ...(params !== undefined && { params }) }
      let isApproved = false
      const stopListening = frame.onNotice((notice) => {
        if (notice.name === 'APPROVED' && notice.id === id) isApproved = true
      })
      const done = frame.ask('RPC_REQUEST', payload, { id, signal: controller.signal }).catch((thrown: unknown) => {
        const isLost = asFailure(thrown).code === 'LINK_CLOSED'
        // Until the user approves, a lost frame has sent nothing.
        if (isLost && isApproved && isSendingRpcRequest(method, params))
          throw new Failure('OUTCOME_UNKNOWN', { cause: thrown })
        throw thrown
      })
      const abort = (failure: Failure) => controller.abort(failure)
      context.onRpc({ id, method, networkId, done, asker: requested?.asker ?? null, abort })
      return done.finally(() => {
        stopListening()
        outer.removeEventListener('abort', onAbort)
      })
    },

    listen: (listener) => connected.listen(namespace, stableId, listener),
  }
}

/** Solana and Bitcoin requests may name their network. */
function networkIn(params: unknown): CaipNetworkId | undefined {
  const network = typeof params === 'object' && params !== null && 'network' in params ? params.network : undefined
  return typeof network === 'string' && isCaipNetworkId(network) ? network : undefined
}
