import { isComposedMethod } from '@postern/protocol/composed-methods'
import type { ProviderOptions } from '../../providers/options'
import { untilRestored } from '../../providers/until-restored'
import { callAll } from '../../shared/call-all'
import { failure, isPosternError, ProviderRpcError } from '../../shared/errors'
import { isObject } from '../../shared/is-object'
import { isRestoring, shownAccounts } from '../../state/state'
import type {
  CaipNetworkId,
  Connection,
  Eip1193Provider,
  Hex,
  ProviderEvents,
  ProviderListeners,
  RequestArguments,
  Snapshot,
} from '../../types/index'

/** Includes unlisted methods that a wallet may know. eth_sendRawTransaction carries its signature. */
const needsAccount =
  /^(personal_|wallet_(?!addEthereumChain|switchEthereumChain)|eth_(sign|sendTransaction|sendUserOperation|decrypt|getEncryptionPublicKey))/

/** ERC-7715. EIP-2255 uses the same method for accounts. */
const namesPermission = (params: unknown) =>
  isObject(params) && isObject(params[0]) && 'permissionsContext' in params[0]

/**
 * The EIP-1193 provider of the dapp's page.
 *
 * 1. Requests to a connected page wallet never cross the frame, nor do results and errors. Only methods that the host
 *    composes go to the host.
 * 2. `eth_requestAccounts`, `wallet_requestPermissions` and `wallet_connect` connect if disconnected. Concurrent
 *    requests share one modal.
 * 3. `eth_accounts` is empty without a connection. While an earlier session's wallet is being asked, `eth_accounts` and
 *    methods that need an account wait. If the wallet could not be asked (`reconnecting`), `eth_accounts` returns the
 *    shown account, and the host asks again for a method that needs it.
 * 4. `eth_chainId` and `net_version` return the active network. Everything else goes to the host.
 * 5. A method that needs an account rejects with 4100 without one; `wallet_getPermissions` is then empty.
 *    `wallet_disconnect` disconnects; so does `wallet_revokePermissions`, unless it names an ERC-7715 permission.
 * 6. A malformed request is -32600. It does not leave the page.
 * 7. `connect`, `disconnect` (4900), `chainChanged` and `accountsChanged` fire once per change of the snapshot.
 *    Restoring a connection, or learning the first network, is no change.
 */
export function createEip155Provider(options: ProviderOptions): { provider: Eip1193Provider; stop(): void } {
  const listeners: { [E in keyof ProviderEvents]: Set<ProviderListeners[E]> } = {
    connect: new Set(),
    disconnect: new Set(),
    chainChanged: new Set(),
    accountsChanged: new Set(),
    message: new Set(),
  }
  let observed = observe(options.getSnapshot())
  let connecting: Promise<Connection<'eip155'>> | undefined
  let relayed: { readonly wallet: string; readonly end: () => void } | undefined

  const provider: Eip1193Provider = {
    request: typed(async (args) => {
      try {
        return await route(args)
      } catch (error) {
        throw isPosternError(error) ? new ProviderRpcError(error) : error
      }
    }),
    on(event, listener) {
      if (Object.hasOwn(listeners, event)) listeners[event].add(listener)
      return provider
    },
    removeListener(event, listener) {
      if (Object.hasOwn(listeners, event)) listeners[event].delete(listener)
      return provider
    },
  }

  const emit = <E extends keyof ProviderEvents>(event: E, data: ProviderEvents[E]) => callAll(listeners[event], data)

  async function route(args: RequestArguments): Promise<unknown> {
    const { method, params } = readArguments(args)
    if (/^wallet_(disconnect|revokePermissions)$/.test(method) && !namesPermission(params))
      return options.disconnect('eip155').then(() => null)
    if (method === 'eth_accounts' || method === 'eth_requestAccounts') {
      if (isRestoring(options.getSnapshot().connections.eip155)) await options.settled('eip155')
      const shownAddresses = shownAccounts(options.getSnapshot().connections.eip155).map(({ address }) => address)
      return shownAddresses.length > 0 || method === 'eth_accounts' ? shownAddresses : accountsOf(await connectOnce())
    }
    if (needsAccount.test(method)) await untilRestored(options, 'eip155')
    const { connections } = options.getSnapshot()
    const connection = connections.eip155
    if (connection?.status === 'connected') {
      const id = connection.connector.pageWallet
      if (id === undefined || isComposedMethod('eip155', method)) return local(method) ?? ask(method, params)
      const wallet = options.wallet(id)
      if (wallet === undefined) throw failure('DISCONNECTED')
      return wallet.request(params === undefined ? { method } : { method, params })
    }
    if (needsAccount.test(method) && isRestoring(connection)) return ask(method, params)
    if (/^wallet_(requestP|connect$)/.test(method)) {
      // The user has just approved.
      await connectOnce()
      return ask(method, params)
    }
    if (method === 'wallet_getPermissions') return []
    if (needsAccount.test(method)) throw failure('UNAUTHORIZED')
    if (activeNetwork(options.getSnapshot()) === undefined) await options.settled('eip155')
    return local(method) ?? ask(method, params)
  }

  function ask(method: string, params: unknown): Promise<unknown> {
    return options.rpc({ namespace: 'eip155', method, params, networkId: activeNetwork(options.getSnapshot()) })
  }

  function local(method: string): string | undefined {
    const { chainId } = observe(options.getSnapshot())
    if (method === 'eth_chainId') return chainId
    return method === 'net_version' ? chainId && String(Number(chainId)) : undefined
  }

  function connectOnce(): Promise<Connection<'eip155'>> {
    connecting ??= options.connect('eip155').finally(() => {
      connecting = undefined
    })
    return connecting
  }

  function onChange(): void {
    const snapshot = options.getSnapshot()
    if (isRestoring(snapshot.connections.eip155)) return
    const before = observed
    const now = observe(snapshot)
    observed = now
    relayMessages(snapshot.connections.eip155)
    const wasConnected = before.accounts.length > 0
    const isConnected = now.accounts.length > 0
    if (!wasConnected && isConnected && now.chainId !== undefined) emit('connect', { chainId: now.chainId })
    if (before.chainId !== undefined && now.chainId !== undefined && before.chainId !== now.chainId)
      emit('chainChanged', now.chainId)
    if (before.accounts.join() !== now.accounts.join()) emit('accountsChanged', [...now.accounts])
    if (wasConnected && !isConnected) emit('disconnect', new ProviderRpcError(failure('DISCONNECTED')))
  }

  /** Relays messages of `eth_subscribe`. */
  function relayMessages(connection: Connection | undefined): void {
    const id = connection?.status === 'connected' ? connection.connector.pageWallet : undefined
    if (relayed?.wallet === id) return
    relayed?.end()
    const wallet = id === undefined ? undefined : options.wallet(id)
    relayed = undefined
    if (id === undefined || wallet === undefined) return
    relayed = { wallet: id, end: wallet.on('message', (data) => isMessage(data) && emit('message', data)) }
  }

  const unsubscribe = options.subscribe(onChange)
  onChange()
  return {
    provider,
    stop() {
      unsubscribe()
      relayed?.end()
    },
  }
}

/** The caller states the result type. */
export function typed(handle: (args: RequestArguments) => Promise<unknown>): Eip1193Provider['request'] {
  function request<T>(args: RequestArguments): Promise<T>
  function request(args: RequestArguments): Promise<unknown> {
    return handle(args)
  }
  return request
}

type Observed = {
  readonly accounts: readonly Hex[]
  readonly chainId: string | undefined
}

function observe(snapshot: Snapshot): Observed {
  const id = activeNetwork(snapshot)
  const chainId = id && `0x${Number(id.slice(7)).toString(16)}`
  return { accounts: accountsOf(snapshot.connections.eip155), chainId }
}

function accountsOf(connection: Connection<'eip155'> | undefined): Hex[] {
  return connection?.status === 'connected' ? connection.accounts.map(({ address }) => address) : []
}

function activeNetwork({ connections, activeNetworkId, networks }: Snapshot): CaipNetworkId | undefined {
  const connection = connections.eip155
  if (connection?.status === 'connected') return connection.networkId
  if (activeNetworkId?.startsWith('eip155:') === true) return activeNetworkId
  return networks.find(({ chainNamespace }) => chainNamespace === 'eip155')?.caipNetworkId
}

function readArguments(args: unknown): { method: string; params: unknown } {
  const { method, params } = isObject(args) ? args : {}
  const isMethod = typeof method === 'string' && method && method.length <= 128
  if (!isMethod || (params !== undefined && !isObject(params))) throw failure('INVALID_REQUEST')
  return { method, params }
}

function isMessage(data: unknown): data is ProviderEvents['message'] {
  return isObject(data) && typeof data.type === 'string' && 'data' in data
}
