import {
  type CaipNetworkId,
  type Connection,
  type HostState,
  type Init,
  type Namespace,
  type Network,
  namespaces,
  resolveNetwork,
  toNetwork,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { ScriptedAccount } from './script'

export type Connected = Extract<Connection, { status: 'connected' }>

/**
 * The modal's state, as it tells the page.
 *
 * 1. Every change emits a state with the next `seq`.
 * 2. As in the real modal, each configured namespace has a connection, and without an account it is `disconnected`.
 */
export function createHostState(emit: (state: HostState) => void) {
  let state: HostState = {
    seq: 0,
    open: false,
    themeMode: 'light',
    networks: [],
    activeNetworkId: null,
    connections: {},
  }

  function set(change: Partial<HostState>): void {
    state = { ...state, ...change, seq: state.seq + 1 }
    emit(state)
  }

  function connect(namespace: Namespace, connection: Connected): void {
    set({ connections: { ...state.connections, [namespace]: connection }, activeNetworkId: connection.networkId })
  }

  /** A configured network. */
  function find(network: string | number): Network {
    const name = typeof network === 'number' ? `eip155:${network}` : network
    const id = resolveNetwork(name)?.id ?? name
    const found = state.networks.find(({ caipNetworkId }) => caipNetworkId === id)
    if (found === undefined) throw new Failure('SWITCH_NETWORK_NOT_FOUND')
    return found
  }

  return {
    get: () => state,
    set,
    connect,
    isConnected: (namespace?: Namespace) =>
      namespaces.some((each) => each === (namespace ?? each) && state.connections[each]?.status === 'connected'),
    /** The first state of a page. A page that reloads the modal keeps its connections. */
    start({ networks: configured, theme, colorScheme }: Init): HostState {
      const networks = configured.map(networkOf)
      const activeNetworkId = state.activeNetworkId ?? networks[0]?.caipNetworkId ?? null
      const configuredNamespaces = [...new Set(networks.map(({ chainNamespace }) => chainNamespace))]
      const unconnected = Object.fromEntries(configuredNamespaces.map((namespace) => [namespace, disconnected]))
      const connections = { ...unconnected, ...state.connections }
      const themeMode = themeModeOf(theme, colorScheme)
      state = { ...state, networks, activeNetworkId, connections, themeMode, seq: state.seq + 1 }
      return state
    },
    connectionOf({ namespace = 'eip155', address, chainId, wallet }: ScriptedAccount): Connected {
      const first = state.networks.find(({ chainNamespace }) => chainNamespace === namespace)?.caipNetworkId
      const networkId: CaipNetworkId | undefined =
        typeof chainId === 'number' ? `eip155:${chainId}` : (chainId ?? first)
      if (networkId === undefined)
        throw new Failure('INVALID_PARAMS', { message: `The dapp has no ${namespace} network.` })
      const isConfigured = state.networks.some(({ caipNetworkId }) => caipNetworkId === networkId)
      return {
        status: 'connected',
        connector: { id: 'scripted', name: wallet ?? 'Scripted Wallet', type: 'WALLET_CONNECT' },
        accounts: [{ namespace, address, type: namespace === 'bip122' ? 'payment' : 'eoa' }],
        networkId,
        ...(!isConfigured && { unsupported: true }),
      }
    },
    switchNetwork(network: string | number): void {
      const { chainNamespace, caipNetworkId } = find(network)
      const connection = state.connections[chainNamespace]
      const connections =
        connection?.status === 'connected'
          ? { ...state.connections, [chainNamespace]: { ...connection, networkId: caipNetworkId } }
          : state.connections
      set({ connections, activeNetworkId: caipNetworkId })
    },
    disconnect(namespace?: Namespace): void {
      for (const each of namespaces)
        if (each === (namespace ?? each) && state.connections[each]?.status === 'connected')
          set({ connections: { ...state.connections, [each]: disconnected } })
    },
  }
}

const disconnected: Connection = { status: 'disconnected' }

export function themeModeOf(theme: Init['theme'], colorScheme: 'light' | 'dark'): 'light' | 'dark' {
  const mode = theme?.mode
  return mode === 'light' || mode === 'dark' ? mode : colorScheme
}

function networkOf(input: Init['networks'][number]): Network {
  const known = resolveNetwork(typeof input === 'string' ? input : input.id)
  const definition = typeof input === 'string' ? known : { ...known, ...input }
  if (definition !== null) return toNetwork(definition)
  throw new Failure('INVALID_PARAMS', {
    message: `The network ${JSON.stringify(input)} is not known: pass its definition.`,
  })
}
