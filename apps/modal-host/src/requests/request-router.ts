import type { ChainAdapter } from '@postern/chains/adapter'
import type { ChainClient } from '@postern/chains/chain-client'
import type { ConfiguredNetworks } from '@postern/chains/networks'
import {
  type CaipNetworkId,
  classifyRpcMethod,
  factsOfMethod,
  type HostParams,
  type Namespace,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { Sessions } from '../connections/sessions/sessions'
import type { Connector } from '../connectors/connector'
import type { RequestContext } from '../snapshot/approval'
import { factsOf } from '../snapshot/namespace-facts'
import type { RemoteRequests } from './remote-requests'
import { restoredConnection } from './restored-connection'

export type RequestRouterOptions = {
  readonly networks: ConfiguredNetworks
  readonly sessions: Pick<Sessions, 'connector' | 'connection' | 'restored'>
  readonly loadAdapter: (namespace: Namespace) => Promise<ChainAdapter>
  readonly clientOf: (networkId: CaipNetworkId) => ChainClient
  readonly activeNetworkId: () => CaipNetworkId | null
  readonly onRequested: (connector: Connector) => void
  readonly duringRequest: RemoteRequests['during']
  /** Spec §4: the balance may have changed. */
  readonly onApproved: () => void
  /** The embedded wallet never allows the method (spec §8). */
  readonly onRefused: () => void
  /** The embedded wallet's smart account cannot create the contract; its standard account can. */
  readonly onStandardAccountNeeded: () => void
}

/**
 * Answers a dapp's JSON-RPC request that no page wallet handled.
 *
 * 1. Default deny: a method that is neither safe nor known to need approval reaches no wallet and no endpoint (spec §5,
 *    §6). A method that signs, sends or decrypts is RPC_NOT_ALLOWED; any other METHOD_NOT_FOUND, as feature-testing
 *    libraries expect.
 * 2. A method that needs approval goes to the connected wallet; without a wallet it is UNAUTHORIZED. While a session is
 *    being restored it waits, and goes on only for the account that the dapp shows, else UNAUTHORIZED; DISCONNECTED if
 *    the wallet cannot be asked. Another namespace's method is UNSUPPORTED_METHOD. A request for a network other than
 *    the connection's is CHAIN_DISCONNECTED: nothing is sent on the wrong network. Solana requests name their network
 *    to the wallet.
 * 3. Safe chain reads are answered here if they need no endpoint, else by the endpoints of the requested network, else
 *    the connection's, else the active one. An unconfigured network is NETWORK_NOT_FOUND; no network is
 *    NO_ACTIVE_NETWORK.
 * 4. Safe methods that only a wallet can answer go to the connected wallet if it runs behind the host, else they are
 *    UNSUPPORTED_METHOD. Reads go to no wallet: a block number does not wake a phone. Only the embedded wallet gets
 *    bundler methods.
 * 5. A method that the embedded wallet refuses opens the modal and rejects what is open there (spec §8).
 */
export function createRequestRouter({
  networks,
  sessions,
  loadAdapter,
  clientOf,
  activeNetworkId,
  onRequested,
  duringRequest,
  onApproved,
  onRefused,
  onStandardAccountNeeded,
}: RequestRouterOptions) {
  return async (
    { namespace, networkId, method, params }: HostParams<'rpc'>,
    signal: AbortSignal,
    context?: RequestContext,
  ): Promise<unknown> => {
    const kind = classifyRpcMethod(method)
    const facts = factsOfMethod(method)
    if (kind === 'unknown') throw new Failure('METHOD_NOT_FOUND')
    if (kind === 'refused') {
      if (sessions.connector(namespace)?.type === 'AUTH') onRefused()
      throw new Failure('RPC_NOT_ALLOWED')
    }
    if (kind === 'notSafe') {
      if (facts?.namespace !== namespace) throw new Failure('UNSUPPORTED_METHOD')
      const current = await restoredConnection(sessions, namespace)
      signal.throwIfAborted()
      const connector = current && sessions.connector(namespace)
      if (current === null || connector === null) throw new Failure('UNAUTHORIZED')
      const isElsewhere = networkId !== undefined && current.networkId !== networkId
      if (isElsewhere && !factsOf(namespace).requestsNameNetwork) throw new Failure('CHAIN_DISCONNECTED')
      const ask = (ended: AbortSignal) => connector.request(method, params, ended, context)
      // A view shows its own request, without the card.
      const answer = context === undefined ? duringRequest(connector, signal, ask) : ask(signal)
      onRequested(connector)
      const result = await answer.catch((thrown: unknown) => {
        // The frame has the final say.
        const code = connector.type === 'AUTH' ? asFailure(thrown).code : null
        if (code === 'RPC_NOT_ALLOWED') onRefused()
        if (code === 'CONTRACT_NEEDS_STANDARD_ACCOUNT') onStandardAccountNeeded()
        throw thrown
      })
      onApproved()
      return result
    }

    const adapter = await loadAdapter(namespace)
    // The connection may have changed while the code loaded.
    const connection = sessions.connection(namespace)
    const isConnected = connection.status === 'connected'
    const target = networkId ?? (isConnected ? connection.networkId : ownNetwork(namespace))
    const accounts = isConnected ? connection.accounts : []
    const local = target && adapter.localAnswer(method, { networkId: target, accounts })
    if (local !== undefined) return local
    const isOfChain = adapter.isChainRead(method)
    const isReachable = isOfChain || (await restoredConnection(sessions, namespace)) !== null
    const holder = isReachable ? sessions.connector(namespace) : null
    const isOfBundler = holder?.type === 'AUTH' && facts?.bundler !== undefined
    if (isOfBundler || !isOfChain) {
      if (holder === null || holder.pageWallet !== undefined || facts?.namespace !== namespace)
        throw new Failure('UNSUPPORTED_METHOD')
      return holder.request(method, params, signal, context)
    }
    if (target === undefined) throw new Failure('NO_ACTIVE_NETWORK')
    if (networks.get(target)?.chainNamespace !== namespace) throw new Failure('NETWORK_NOT_FOUND')
    return adapter.read(clientOf(target), method, params, signal)
  }

  function ownNetwork(namespace: Namespace): CaipNetworkId | undefined {
    const active = activeNetworkId()
    if (active?.startsWith(`${namespace}:`)) return active
    return networks.list.find(({ chainNamespace }) => chainNamespace === namespace)?.caipNetworkId
  }
}
