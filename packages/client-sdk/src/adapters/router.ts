import type { PageWallet } from '@postern/protocol'
import { isStandardNamespace, namespaceOf, type StandardNamespace } from '@postern/protocol/namespaces'
import { isCaipNetworkId } from '@postern/protocol/namespaces/facts'
import type { Sign, StandardAccount } from '../namespaces/contract'
import type { ProviderOptions } from '../providers/options'
import { untilRestored } from '../providers/until-restored'
import { failure, isPosternError, ProviderRpcError } from '../shared/errors'
import { requestFailure } from '../shared/failures'
import { isRestoring, shownAccounts } from '../state/state'
import type { Account, CaipNetworkId, Connection, RequestArguments, Snapshot } from '../types/index'

export type RouterOptions = ProviderOptions & {
  readonly namespace: StandardNamespace
  readonly pageWallets: () => readonly PageWallet[]
  readonly shape: (accounts: readonly Account[]) => unknown
  /** Parameters that wallets need and dapps may omit. */
  readonly defaults: (method: string, account: Account | undefined, networkId: CaipNetworkId | undefined) => object
  readonly isValid?: (method: string, params: object) => boolean
  /** `only`: the only listener to call. */
  readonly events: (event: RouterEvent, data: Followed, only?: (data: never) => void) => void
}

export type PageOptions = ProviderOptions & Pick<RouterOptions, 'pageWallets'>

export type LoadedProvider<P> = {
  readonly provider: P
  readonly router: Router
  readonly features: Readonly<Record<string, Sign>>
  standardAccount(account: Account): Pick<StandardAccount, 'address' | 'purpose' | 'publicKey'>
  stop(): void
}

export type RouterEvent = 'connect' | 'disconnect' | 'accountsChanged' | 'networkChanged'

export type Followed = { readonly accounts: readonly Account[]; readonly networkId: CaipNetworkId | undefined }

export type Router = {
  request(args: RequestArguments): Promise<unknown>
  accounts(): readonly Account[]
  /** Prompts if disconnected, unless `silent`. */
  connect(silent: boolean): Promise<readonly Account[]>
  disconnect(): Promise<void>
  networkId(): CaipNetworkId | undefined
  /** Calls the listener if its event happened since `earlier`. */
  catchUp(event: string, listener: (data: never) => void, earlier: Snapshot): void
  stop(): void
}

/** Not raw transactions, which carry their signature. */
const needsAccount = /^\w+_(sign|sendTransfer)/

/**
 * Routes requests of Solana or Bitcoin (docs/reference/providers.md).
 *
 * 1. The connected page wallet gets the requests that it supports. The host gets the others.
 * 2. A PSBT to broadcast goes to the host unless the wallet can send.
 * 3. `…requestAccounts` connects if disconnected; concurrent requests share one modal. `…getAccounts` never prompts.
 * 4. A method that needs an account waits while a session is being restored, and rejects with 4100 without one. If the
 *    wallet could not be asked (`reconnecting`), the host asks again. Every failure has a number. A Bitcoin message
 *    that is not well-formed text is rejected: the wallet would sign another text.
 * 5. Events follow the snapshot, once per change; confirming a restored connection is no change. A listener added
 *    before this code loaded gets the changes since then.
 */
export function createRouter(options: RouterOptions): Router {
  const { namespace, getSnapshot } = options
  const connection = (): Connection | undefined => getSnapshot().connections[namespace]
  const accounts = () => accountsIn(getSnapshot())
  const networkId = () => networkIn(getSnapshot())
  let connecting: Promise<Connection> | undefined
  let current = follow(getSnapshot())

  function accountsIn({ connections }: Snapshot): readonly Account[] {
    const current = connections[namespace]
    return current?.status === 'connected' ? current.accounts : []
  }

  function networkIn({ activeNetworkId, networks, connections }: Snapshot): CaipNetworkId | undefined {
    const current = connections[namespace]
    if (current?.status === 'connected') return current.networkId
    if (activeNetworkId?.startsWith(`${namespace}:`) === true) return activeNetworkId
    return networks.find(({ chainNamespace }) => chainNamespace === namespace)?.caipNetworkId
  }

  function follow(snapshot: Snapshot): Followed {
    return { accounts: accountsIn(snapshot), networkId: networkIn(snapshot) }
  }

  async function connect(silent: boolean): Promise<readonly Account[]> {
    if (isRestoring(connection())) await options.settled(namespace)
    const shown = shownAccounts(connection())
    if (silent || shown.length > 0) return shown
    connecting ??= options.connect(namespace).finally(() => {
      connecting = undefined
    })
    const connected = await connecting
    return connected.status === 'connected' ? connected.accounts : []
  }

  async function route({ method, params }: RequestArguments): Promise<unknown> {
    if (typeof method !== 'string' || method === '' || method.length > 128) throw failure('INVALID_REQUEST')
    const isOwn = method.startsWith(`${namespace}_`)
    const name = isOwn ? method.slice(namespace.length + 1) : ''
    if (name === 'getAccounts' || name === 'getAccountAddresses') return options.shape(await connect(true))
    if (name === 'requestAccounts') return options.shape(await connect(false))
    if (name === 'disconnect') return options.disconnect(namespace).then(() => null)
    const input: unknown = isOwn && Array.isArray(params) ? params[0] : params
    if (name === 'switchNetwork') return options.switchNetwork(networkOf(input) ?? '').then(() => null)
    if (!isOwn && networkId() === undefined) await options.settled(namespace)
    if (name === 'getNetwork') return networkId() ?? null
    if (needsAccount.test(method)) await untilRestored(options, namespace)
    const current = connection()
    const isConnected = current?.status === 'connected'
    if (needsAccount.test(method) && (isConnected || isRestoring(current))) {
      const filled = { ...defaults(method), ...(typeof input === 'object' ? input : null) }
      if (options.isValid?.(method, filled) === false) throw requestFailure('INVALID_PARAMS')
      const wallet = options.pageWallets().find(({ id }) => isConnected && id === current.connector.pageWallet)
      const broadcasts = Reflect.get(filled, 'broadcast') === true
      const supports = (requested: string) => wallet?.methods?.some((each) => each === requested) === true
      if (wallet !== undefined && supports(method) && (!broadcasts || supports(`${namespace}_sendTransfer`))) {
        const provider = options.wallet(wallet.id)
        if (provider === undefined) throw failure('DISCONNECTED')
        return provider.request({ method, params: [filled] })
      }
      return options.rpc({ namespace, method, params: filled, networkId: networkOf(filled) ?? networkId() })
    }
    if (needsAccount.test(method)) throw failure('UNAUTHORIZED')
    return options.rpc({ namespace, method, params: input, networkId: networkOf(input) ?? networkId() })
  }

  function defaults(method: string): object {
    const shown = shownAccounts(connection())
    const first = shown.find(({ type }) => type !== 'ordinals') ?? shown[0]
    return options.defaults(method, first, networkId())
  }

  function onChange(): void {
    if (isRestoring(connection())) return
    const before = current
    const now = follow(getSnapshot())
    current = now
    for (const event of changes(before, now)) options.events(event, now)
  }

  function catchUp(event: string, listener: (data: never) => void, earlier: Snapshot): void {
    if (earlier === getSnapshot()) return
    // A listener that is removed at once is not called.
    queueMicrotask(() => {
      const found = changes(follow(earlier), current).find((each) => each === event)
      if (found !== undefined) options.events(found, current, listener)
    })
  }

  const unsubscribe = options.subscribe(onChange)
  return {
    request: (args) => numbered(() => route(args)),
    accounts,
    connect: (silent) => numbered(() => connect(silent)),
    disconnect: () => numbered(() => options.disconnect(namespace)),
    networkId,
    catchUp,
    stop: unsubscribe,
  }
}

/** For calls made before this code loaded. */
export function since<P extends { on(event: never, listener: never): void }>(
  provider: P,
  { catchUp }: Router,
  earlier: Snapshot,
): P {
  const on = (event: string, listener: (data: never) => void) => {
    Reflect.apply(provider.on, provider, [event, listener])
    catchUp(event, listener, earlier)
  }
  return Object.assign(Object.create(provider), { on })
}

function changes(before: Followed, now: Followed): RouterEvent[] {
  const [was, is] = [before.accounts.length > 0, now.accounts.length > 0]
  const isMoved = before.networkId !== undefined && now.networkId !== undefined && before.networkId !== now.networkId
  const isOther = JSON.stringify(before.accounts) !== JSON.stringify(now.accounts)
  return [
    ...(!was && is ? (['connect'] as const) : []),
    ...(isMoved ? (['networkChanged'] as const) : []),
    ...(isOther ? (['accountsChanged'] as const) : []),
    ...(was && !is ? (['disconnect'] as const) : []),
  ]
}

export async function numbered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw isPosternError(error) ? new ProviderRpcError(error) : error
  }
}

function networkOf(params: unknown): CaipNetworkId | undefined {
  const network: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, 'network') : undefined
  return isCaipNetworkId(network) && isStandardNamespace(namespaceOf(network)) ? network : undefined
}
