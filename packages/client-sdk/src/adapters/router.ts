import type { PageWallet } from '@postern/protocol'
import { failure, isPosternError, ProviderRpcError } from '../errors'
import type { ProviderOptions } from '../providers/options'
import { isRestoring } from '../state'
import type { Account, CaipNetworkId, Connection, Namespace, RequestArguments, Snapshot } from '../types'

export type RouterOptions = ProviderOptions & {
  readonly namespace: Exclude<Namespace, 'eip155'>
  /** The wallets of the page, with what each can do by itself. */
  readonly pageWallets: () => readonly PageWallet[]
  /** How this namespace tells of accounts. */
  readonly shape: (accounts: readonly Account[]) => unknown
  /** Tells of a change: everybody, or `only` one. */
  readonly events: (event: RouterEvent, data: Followed, only?: (data: never) => void) => void
}

export type RouterEvent = 'connect' | 'disconnect' | 'accountsChanged' | 'networkChanged'

export type Followed = { readonly accounts: readonly Account[]; readonly networkId: CaipNetworkId | undefined }

export type Router = {
  request(args: RequestArguments): Promise<unknown>
  /** Those of the live connection. */
  accounts(): readonly Account[]
  /** Asks the visitor when nobody is connected, unless it is to be silent. */
  connect(silent: boolean): Promise<readonly Account[]>
  disconnect(): Promise<void>
  networkId(): CaipNetworkId | undefined
  /** Tells a listener, in a moment, where its event has come about since `seen`. */
  catchUp(event: string, listener: (data: never) => void, seen: Snapshot): void
  stop(): void
}

/** Without an account there is nobody to ask. What is sent raw carries its own signature. */
const needsAccount = /^\w+_(sign|sendTransfer)/

/**
 * Where a request of Solana or Bitcoin goes (docs/reference/providers.md).
 *
 * 1. Connected to a wallet of the page that can do it itself: straight to it. All else goes to the host, which asks the wallet behind it,
 *    composes what the wallet lacks, or reads from the chain.
 * 2. A PSBT to be broadcast goes to the host unless the wallet sends by itself.
 * 3. `…requestAccounts` connects when nobody is connected; requests at the same time share one modal. `…getAccounts` never asks anybody.
 * 4. What needs an account is refused with 4100 when there is none. Every failure carries a number.
 * 5. Events follow the snapshot, each once a change; a connection that is being confirmed is no change. Who listened before this code was there hears
 *    what changed since.
 */
export function createRouter(options: RouterOptions): Router {
  const { namespace, getSnapshot } = options
  const connection = (): Connection | undefined => getSnapshot().connections[namespace]
  const accounts = () => accountsIn(getSnapshot())
  const networkId = () => networkIn(getSnapshot())
  let connecting: Promise<Connection> | undefined
  let told = follow(getSnapshot())

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
    if (silent || accounts().length > 0) return accounts()
    connecting ??= options.connect(namespace).finally(() => {
      connecting = undefined
    })
    const made = await connecting
    return made.status === 'connected' ? made.accounts : []
  }

  async function route({ method, params }: RequestArguments): Promise<unknown> {
    if (typeof method !== 'string' || method === '' || method.length > 128) throw failure('INVALID_REQUEST')
    const own = method.startsWith(`${namespace}_`)
    const name = own ? method.slice(namespace.length + 1) : ''
    if (name === 'getAccounts' || name === 'getAccountAddresses') return options.shape(await connect(true))
    if (name === 'requestAccounts') return options.shape(await connect(false))
    if (name === 'disconnect') return options.disconnect(namespace).then(() => null)
    const given: unknown = own && Array.isArray(params) ? params[0] : params
    if (name === 'switchNetwork') return options.switchNetwork(networkOf(given) ?? '').then(() => null)
    if (!own && networkId() === undefined) await options.settled(namespace)
    if (name === 'getNetwork') return networkId() ?? null
    const current = connection()
    if (current?.status === 'connected' && needsAccount.test(method)) {
      const filled = { ...defaults(method), ...(typeof given === 'object' ? given : null) }
      const wallet = options.pageWallets().find(({ id }) => id === current.connector.pageWallet)
      const broadcasts = Reflect.get(filled, 'broadcast') === true
      const can = (wanted: string) => wallet?.methods?.some((each) => each === wanted) === true
      if (wallet !== undefined && can(method) && (!broadcasts || can('bip122_sendTransfer'))) {
        const provider = options.wallet(wallet.id)
        if (provider === undefined) throw failure('DISCONNECTED')
        return provider.request({ method, params: [filled] })
      }
      return options.rpc({ namespace, method, params: filled, networkId: networkOf(filled) ?? networkId() })
    }
    if (needsAccount.test(method)) throw failure('UNAUTHORIZED')
    return options.rpc({ namespace, method, params: given, networkId: networkOf(given) ?? networkId() })
  }

  /** What a wallet wants to know and a dapp need not say. */
  function defaults(method: string): object {
    const first = accounts().find(({ type }) => type !== 'ordinals') ?? accounts()[0]
    if (namespace === 'solana') return { pubkey: first?.address, network: networkId() }
    return method === 'bip122_signMessage' ? { address: first?.address } : {}
  }

  function onChange(): void {
    if (isRestoring(connection())) return
    const before = told
    const now = follow(getSnapshot())
    told = now
    for (const event of changes(before, now)) options.events(event, now)
  }

  function catchUp(event: string, listener: (data: never) => void, seen: Snapshot): void {
    if (seen === getSnapshot()) return
    // By then whoever stopped listening before the code was there has left.
    queueMicrotask(() => {
      const found = changes(follow(seen), told).find((each) => each === event)
      if (found !== undefined) options.events(found, told, listener)
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

/** The provider for whoever listens by a call that was made when `seen` was so: what changed until its code was there, the listener hears. */
export function since<P extends { on(event: never, listener: never): void }>(
  provider: P,
  { catchUp }: Router,
  seen: Snapshot,
): P {
  const on = (event: string, listener: (data: never) => void) => {
    Reflect.apply(provider.on, provider, [event, listener])
    catchUp(event, listener, seen)
  }
  return Object.create(provider, { on: { value: on } })
}

/** In the order in which they are told. */
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

/** Failures of ours get the shape that a dapp's code looks at: a number in `code`. */
export async function numbered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    throw isPosternError(error) ? new ProviderRpcError(error) : error
  }
}

function networkOf(params: unknown): CaipNetworkId | undefined {
  const network: unknown = typeof params === 'object' && params !== null ? Reflect.get(params, 'network') : undefined
  return typeof network === 'string' && isNetworkId(network) ? network : undefined
}

function isNetworkId(text: string): text is CaipNetworkId {
  return /^(solana|bip122):[-\w]{1,32}$/.test(text)
}
