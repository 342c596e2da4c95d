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

/** The state that the modal tells the page. Every change emits a state with the next `seq`. */
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

  function setConnection(namespace: Namespace, connection: Connection | undefined): void {
    const { [namespace]: _, ...others } = state.connections
    const connections = connection === undefined ? others : { ...others, [namespace]: connection }
    set({ connections, ...(connection?.status === 'connected' && { activeNetworkId: connection.networkId }) })
  }

  /** A network that the dapp configures. */
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
    setConnection,
    /** The first state of a page. A page that reloads the modal keeps its connections. */
    start({ networks: configured, theme, colorScheme }: Init): HostState {
      const networks = configured.map(networkOf)
      const activeNetworkId = state.activeNetworkId ?? networks[0]?.caipNetworkId ?? null
      state = { ...state, networks, activeNetworkId, themeMode: themeModeOf(theme, colorScheme), seq: state.seq + 1 }
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
        if (each === (namespace ?? each) && state.connections[each] !== undefined) setConnection(each, undefined)
    },
  }
}

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
