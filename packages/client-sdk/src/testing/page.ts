import type { PageWallet } from '@postern/protocol'
import type { WalletProvider } from '../discovery/wallet-provider'
import type { ProviderOptions } from '../providers/options'
import { emptySnapshot, isBeingAsked } from '../state/state'
import type { Connection, Namespace, Snapshot } from '../types/index'

/** Records requests; the test sets the snapshot. */
export function testPage(first: Partial<Snapshot> = {}) {
  let snapshot: Snapshot = { ...emptySnapshot, ...first }
  const listeners = new Set<() => void>()
  const asked = {
    host: [] as unknown[],
    wallet: [] as unknown[],
    connects: [] as Namespace[],
    disconnects: [] as Namespace[],
  }
  const answers = { host: async (): Promise<unknown> => null, wallet: async (): Promise<unknown> => null }
  let granted: Connection = { status: 'disconnected' }
  const set = (change: Partial<Snapshot>) => {
    snapshot = { ...snapshot, ...change }
    for (const listener of [...listeners]) listener()
  }
  const wallet: WalletProvider = {
    request(args) {
      asked.wallet.push(args)
      return answers.wallet()
    },
    on: () => () => {},
  }
  const page: ProviderOptions = {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async connect(namespace) {
      asked.connects.push(namespace)
      set({ connections: { ...snapshot.connections, [namespace]: granted } })
      return granted
    },
    async disconnect(namespace) {
      asked.disconnects.push(namespace)
      const { [namespace]: _, ...connections } = snapshot.connections
      set({ connections })
    },
    async switchNetwork() {},
    rpc(request) {
      asked.host.push(request)
      return answers.host()
    },
    wallet: (id) => (id === 'w' ? wallet : undefined),
    settled: (namespace) =>
      new Promise((resolve) => {
        const check = () => {
          if (!isBeingAsked(snapshot.connections[namespace])) resolve(null)
        }
        listeners.add(check)
        check()
      }),
  }
  return {
    page,
    asked,
    answers,
    listeners,
    set,
    grant(connection: Connection) {
      granted = connection
    },
  }
}

export function pageWallet(namespace: Namespace, methods: NonNullable<PageWallet['methods']>): PageWallet {
  return { id: 'w', namespace, type: 'ANNOUNCED', name: 'W', methods }
}
