import type { CaipNetworkId, Namespace } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { Connector, ConnectorEvent, GrantedConnector, MultiConnector } from '../connectors/connector'
import { keepEvents } from '../connectors/kept-events'
import type { WalletConnectOptions } from '../connectors/walletconnect/options'

type Asked = {
  readonly namespaces: readonly Namespace[]
  readonly signal: AbortSignal
  pairing(uri: string | null): void
  approve(topic: string, ...namespaces: Namespace[]): void
  reject(failure: Failure): void
}

export const remoteAccounts = {
  eip155: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  solana: '4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA',
  bip122: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
} as const

function remoteAddress(namespace: Namespace): string {
  const addresses: { readonly [N in Namespace]?: string } = remoteAccounts
  const address = addresses[namespace]
  if (address === undefined) throw new Error(`The test wallet has no ${namespace} account`)
  return address
}

export function testMulti(held = new Map<string, Set<Namespace>>()) {
  const asked: Asked[] = []
  const opened: string[] = []
  const requests: { readonly namespace: Namespace; readonly method: string }[] = []
  const listeners = new Map<string, Set<(event: ConnectorEvent) => void>>()
  let relay: ReturnType<MultiConnector['relay']['status']> = 'unused'
  const relayListeners = new Set<() => void>()
  let prepared = 0
  let ended = 0
  let options: WalletConnectOptions | null = null

  function connectorOf(namespace: Namespace, stableId: string, name = 'Remote'): Connector {
    const session = () =>
      ({
        accounts: [{ namespace, address: remoteAddress(namespace), type: namespace === 'bip122' ? 'payment' : 'eoa' }],
        networkId: options?.preferredNetwork(namespace) ?? (`${namespace}:1` satisfies CaipNetworkId),
      }) as const
    return {
      id: stableId,
      name,
      type: 'WALLET_CONNECT',
      namespace,
      stableId,
      connect: () => Promise.reject(new Failure('UNSUPPORTED_METHOD')),
      reconnect: async () =>
        held.get(stableId)?.has(namespace) ? { kind: 'granted', session: session() } : { kind: 'ended' },
      async disconnect() {
        opened.push(`end ${stableId} ${namespace}`)
        held.get(stableId)?.delete(namespace)
      },
      switchNetwork: async ({ caipNetworkId }) => caipNetworkId,
      async request(method) {
        requests.push({ namespace, method })
        return 'answered'
      },
      listen(listener) {
        const key = `${stableId} ${namespace}`
        const own = listeners.get(key) ?? new Set()
        listeners.set(key, own.add(listener))
        return () => void own.delete(listener)
      },
    }
  }

  const multi: MultiConnector = {
    connect({ namespaces, signal, onPairing }) {
      return new Promise<readonly GrantedConnector[]>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
        asked.push({
          namespaces,
          signal,
          pairing: (uri) => onPairing(uri === null ? null : { uri, expiresAt: 240_000 }),
          reject,
          async approve(topic, ...granted) {
            const stableId = `walletconnect:${topic}`
            held.set(stableId, new Set(granted))
            const made = granted.map(async (namespace) => {
              const connector = connectorOf(namespace, stableId)
              const restored = await connector.reconnect(signal)
              return restored.kind === 'granted'
                ? [{ connector, session: restored.session, events: keepEvents(connector) }]
                : []
            })
            resolve((await Promise.all(made)).flat())
          },
        })
      })
    },
    restore: (namespace, stableId, { name }) => connectorOf(namespace, stableId, name),
    prepare() {
      prepared += 1
    },
    relay: {
      status: () => relay,
      subscribe(listener) {
        relayListeners.add(listener)
        return () => void relayListeners.delete(listener)
      },
    },
    end() {
      ended += 1
    },
  }

  return {
    held,
    asked,
    requests,
    ends: opened,
    create: async (given: WalletConnectOptions) => {
      options = given
      return multi
    },
    options: () => options,
    prepared: () => prepared,
    ended: () => ended,
    relayListeners: () => relayListeners.size,
    setRelay(status: typeof relay) {
      relay = status
      for (const listener of relayListeners) listener()
    },
    /** On the wallet's initiative. */
    emit(topic: string, namespace: Namespace, event: ConnectorEvent) {
      for (const listener of [...(listeners.get(`walletconnect:${topic}` + ` ${namespace}`) ?? [])]) listener(event)
    },
  }
}
