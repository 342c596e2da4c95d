/**
 * The embedded wallet as connectors: one user, one session per namespace. The key stays in the wallet's frame. See
 * docs/internals/embedded-wallet.md.
 */

import type { ConfiguredNetworks } from '@postern/chains/networks'
import {
  type CaipNetworkId,
  isCaipNetworkId,
  type Namespace,
  type Network,
  namespaces,
  type WalletFrameNotice,
  type WalletUser,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { lazily } from '@postern/protocol/lazily'
import type { Asker } from '../../snapshot/request-context'
import type { Connector, ConnectorEvent, GrantedConnector, WalletIdentity, WalletSession } from '../connector'
import { nameOfUser, sessionOfUser, stableIdOfUser } from './accounts'
import type { EmbeddedAccountType, EmbeddedStore } from './stored'
import type { WalletFrame } from './wallet-frame/wallet-frame'

/** How often a crashed frame is reloaded without user action. */
const mostRevivals = 3

export type WalletRpc = {
  readonly id: string
  readonly method: string
  readonly networkId: CaipNetworkId
  readonly done: Promise<unknown>
  /** Set if the modal itself asks. */
  readonly asker: Asker | null
  abort(failure: Failure): void
}

export type EmbeddedWalletOptions = {
  readonly frame: WalletFrame
  readonly randomId: () => string
  readonly networks: ConfiguredNetworks
  readonly store: EmbeddedStore
  readonly preferredNetwork: (namespace: Namespace) => CaipNetworkId
  /** Loads the EIP-55 checksum function. */
  readonly checksum: () => Promise<(address: string) => string>
  readonly onRpc: (request: WalletRpc) => void
  readonly onUser: (user: WalletUser | null) => void
}

type Listener = { readonly stableId: string; hear(event: ConnectorEvent): void }

export type EmbeddedWallet = {
  user(): WalletUser | null
  /**
   * The signed-in user, or null. Rejects with SESSION_EXPIRED, or if the frame is unreachable. Pass `preferred`, the
   * last used account type, only at sign-in; later the frame knows it.
   */
  read(preferred?: EmbeddedAccountType): Promise<WalletUser | null>
  /** Stores the frame's user, and emits changed accounts. */
  adopt(user: WalletUser): Promise<void>
  /** Connectors for `wanted` namespaces that are configured and have an account. */
  grant(user: WalletUser, wanted: readonly Namespace[]): Promise<readonly GrantedConnector[]>
  restore(namespace: Namespace, stableId: string, identity: WalletIdentity): Connector
  prefer(type: EmbeddedAccountType): Promise<void>
  /** Ends the session locally. */
  forget(): void
  end(): void
}

/**
 * Creates the connectors of the embedded wallet.
 *
 * 1. The frame is asked once who is signed in, however many namespaces reconnect, without a prompt. A session of
 *    another user is ignored. A new sign-in asks again; results requested before a session ended are ignored.
 * 2. Leaving one namespace keeps the session for the others; the last one signs out. A connector of an earlier user
 *    signs no one out.
 * 3. A network switch happens in the frame and updates the accounts: another chain may have no smart account.
 * 4. A change of the user (preferred account, network, key recovery) shows in every connected namespace; sessions of an
 *    earlier user end.
 * 5. If the frame ends the session, every namespace ends. A frame lost while connected is reloaded up to three times.
 */
export function createEmbeddedWallet(options: EmbeddedWalletOptions): EmbeddedWallet {
  const { frame, networks, store, preferredNetwork } = options
  const listeners = new Map<Namespace, Set<Listener>>()
  /** Namespaces that reconnect and have no listener yet. */
  const restoring = new Set<Namespace>()
  const switched = new Map<Namespace, CaipNetworkId>()
  let user: WalletUser | null = null
  let identityToken: string | null = null
  let reading: Promise<WalletUser | null> | null = null
  let revivals = 0
  /** Number of ended sessions, to discard their late results. */
  let forgotten = 0
  /** Number of account choices and ended sessions. */
  let choices = 0
  let isEnded = false
  const checksum = lazily(options.checksum)

  const isHeld = (namespace: Namespace) => (listeners.get(namespace)?.size ?? 0) > 0 || restoring.has(namespace)
  const isConfigured = (namespace: Namespace) => networks.list.some((network) => network.chainNamespace === namespace)
  const networkOf = (namespace: Namespace) => switched.get(namespace) ?? preferredNetwork(namespace)

  function tell(namespace: Namespace, event: ConnectorEvent): void {
    for (const { stableId, hear } of [...(listeners.get(namespace) ?? [])]) {
      const isOther = user !== null && stableIdOfUser(user) !== stableId
      hear(isOther ? { kind: 'disconnected' } : event)
    }
  }

  /** The networks to try, the wanted one first. */
  function candidates(namespace: Namespace): readonly CaipNetworkId[] {
    const configured = networks.list.filter(({ chainNamespace }) => chainNamespace === namespace)
    return [...new Set([networkOf(namespace), ...configured.map(({ caipNetworkId }) => caipNetworkId)])]
  }

  async function sessionIn(given: WalletUser, namespace: Namespace): Promise<WalletSession | null> {
    if (namespace !== 'eip155') {
      const found = candidates(namespace).map((id) => sessionOfUser(given, namespace, id, (address) => address))
      return found.find((session) => session !== null) ?? null
    }
    const networkId = networkOf(namespace)
    return evmChainId(networkId) === Number(given.chainId)
      ? sessionOfUser(given, namespace, networkId, await checksum())
      : null
  }

  async function adopt(next: WalletUser): Promise<void> {
    user = next
    options.onUser(next)
    for (const namespace of namespaces) {
      if (!isHeld(namespace)) continue
      const session = await sessionIn(next, namespace)
      if (user !== next) return
      if (session !== null) tell(namespace, { kind: 'accounts', accounts: session.accounts })
    }
  }

  /** On the wanted EVM network, otherwise the first supported one. */
  async function askUser(preferredAccountType?: EmbeddedAccountType): Promise<WalletUser> {
    const wish = preferredAccountType === undefined ? {} : { preferredAccountType }
    for (const id of isConfigured('eip155') ? candidates('eip155') : []) {
      try {
        const found = await frame.ask('GET_USER', { chainId: evmChainId(id), ...wish })
        if (id !== networkOf('eip155')) switched.set('eip155', id)
        return found
      } catch (thrown) {
        if (!(thrown instanceof Failure) || thrown.code !== 'CHAIN_NOT_SUPPORTED') throw thrown
      }
    }
    return frame.ask('GET_USER', wish)
  }

  async function readNow(preferred: EmbeddedAccountType | undefined): Promise<WalletUser | null> {
    const token = identityToken
    const asked = forgotten
    const { isConnected } = await frame.ask('IS_CONNECTED', token === null ? undefined : { token })
    if (!isConnected) return null
    const found = await askUser(preferred)
    if (asked !== forgotten) return null
    frame.ask('GET_SMART_ACCOUNT_ENABLED_NETWORKS', undefined).then(
      ({ smartAccountEnabledNetworks }) => {
        if (user !== null) store.keepSmartAccountNetworks(smartAccountEnabledNetworks)
      },
      // Only a cache: the frame has the list.
      () => {},
    )
    return found
  }

  function read(preferred?: EmbeddedAccountType): Promise<WalletUser | null> {
    const mine: Promise<WalletUser | null> = readNow(preferred).finally(() => {
      if (reading === mine) reading = null
    })
    reading = mine
    return mine
  }

  function forget(): void {
    user = null
    reading = null
    forgotten += 1
    choices += 1
    identityToken = null
    switched.clear()
    store.clear()
    options.onUser(null)
    for (const namespace of namespaces) tell(namespace, { kind: 'disconnected' })
  }

  function onNotice(notice: WalletFrameNotice): void {
    if (notice.name === 'SESSION_UPDATE') identityToken = notice.token
    if (notice.name === 'SESSION_ENDED' && (user !== null || namespaces.some(isHeld))) forget()
  }

  /** 5: reload a lost frame. */
  function onLost(): void {
    if (isEnded || user === null || revivals >= mostRevivals) return
    revivals += 1
    const lost = user
    read().then(
      (found) => {
        // The user changed meanwhile.
        if (isEnded || user !== lost) return
        if (found === null) forget()
        else void adopt(found)
      },
      // The next request reloads the frame and reports the error.
      () => {},
    )
  }

  function connectorOf(namespace: Namespace, stableId: string, { name, imageUrl }: WalletIdentity): Connector {
    async function found(): Promise<WalletSession | null> {
      try {
        // 1: share one pending read
        const now = user ?? (await (reading ?? read()))
        if (now === null) return null
        if (now.locked !== undefined || stableIdOfUser(now) !== stableId) return null
        if (user !== now) {
          user = now
          options.onUser(now)
        }
        return await sessionIn(now, namespace)
      } finally {
        restoring.delete(namespace)
      }
    }

    async function switchTo(network: Network, signal: AbortSignal): Promise<CaipNetworkId> {
      const id = network.caipNetworkId
      await frame.ask('SWITCH_NETWORK', { chainId: evmChainId(id) ?? id }, { signal })
      const before = switched.get(namespace)
      switched.set(namespace, id)
      try {
        const next = await frame.ask('GET_USER', namespace === 'eip155' ? { chainId: evmChainId(id) } : {}, { signal })
        if ((await sessionIn(next, namespace)) === null) throw new Failure('CHAIN_NOT_SUPPORTED')
        await adopt(next)
      } catch (thrown) {
        // A later switch handles its own rollback.
        if (switched.get(namespace) !== id) throw thrown
        if (before === undefined) switched.delete(namespace)
        else switched.set(namespace, before)
        throw thrown
      }
      return id
    }

    return {
      id: 'auth',
      name,
      type: 'AUTH',
      ...(imageUrl !== undefined && { imageUrl }),
      namespace,
      stableId,
      connect: found,
      reconnect: found,
      // 2: the last namespace signs out
      async disconnect() {
        restoring.delete(namespace)
        if (user !== null && stableIdOfUser(user) !== stableId) return
        if (namespaces.some(isHeld)) return
        forget()
        await frame.ask('SIGN_OUT', undefined)
      },
      switchNetwork: switchTo,
      request(method, params, outer, context) {
        const networkId = networkIn(params) ?? networkOf(namespace)
        const controller = new AbortController()
        const onAbort = () => controller.abort(outer.reason)
        if (outer.aborted) onAbort()
        outer.addEventListener('abort', onAbort, { once: true })
        const id = options.randomId()
        const payload = { method, networkId, ...(params !== undefined && { params }) }
        const done = frame.ask('RPC_REQUEST', payload, { id, signal: controller.signal })
        options.onRpc({
          id,
          method,
          networkId,
          done,
          asker: context?.asker ?? null,
          abort: (failure) => controller.abort(failure),
        })
        return done.finally(() => outer.removeEventListener('abort', onAbort))
      },
      listen(listener) {
        const own = listeners.get(namespace) ?? new Set<Listener>()
        const entry = { stableId, hear: listener }
        listeners.set(namespace, own.add(entry))
        restoring.delete(namespace)
        return () => void own.delete(entry)
      },
    }
  }

  const stops = [frame.onNotice(onNotice), frame.onLost(onLost)]
  return {
    user: () => user,
    read,
    adopt,
    async grant(granted, wanted) {
      revivals = 0
      const identity = { name: nameOfUser(granted) }
      const made = namespaces
        .filter((namespace) => wanted.includes(namespace) && isConfigured(namespace))
        .map(async (namespace) => {
          const session = await sessionIn(granted, namespace)
          return session && { connector: connectorOf(namespace, stableIdOfUser(granted), identity), session }
        })
      return (await Promise.all(made)).flatMap((one) => one ?? [])
    },
    restore(namespace, stableId, identity) {
      restoring.add(namespace)
      return connectorOf(namespace, stableId, identity)
    },
    // 4: the change shows in every namespace
    async prefer(type) {
      choices += 1
      const mine = choices
      await frame.ask('SET_PREFERRED_ACCOUNT', { type })
      store.keepPreferredAccount(type)
      const next = await askUser()
      if (mine === choices) await adopt(next)
    },
    forget,
    end() {
      isEnded = true
      for (const stop of stops) stop()
      listeners.clear()
    },
  }
}

function evmChainId(id: CaipNetworkId): number | undefined {
  return id.startsWith('eip155:') ? Number(id.slice(id.indexOf(':') + 1)) : undefined
}

/** Solana and Bitcoin requests may name their network. */
function networkIn(params: unknown): CaipNetworkId | undefined {
  const network = typeof params === 'object' && params !== null && 'network' in params ? params.network : undefined
  return typeof network === 'string' && isCaipNetworkId(network) ? network : undefined
}
