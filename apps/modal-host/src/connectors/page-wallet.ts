import type { ChainAdapter } from '@postern/chains/adapter'
import { chainIdOf, networkIdFromWallet } from '@postern/chains/eip155'
import {
  type Account,
  type CaipNetworkId,
  fromWalletError,
  isMissingChain,
  limits,
  type Network,
  type PageWallet,
  pageMethods,
} from '@postern/protocol'
import { Failure, fromLinkError, toLinkError } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import * as z from 'zod/mini'
import {
  type AskOptions,
  type Connector,
  type ConnectorEvent,
  type PageConnectorDependencies,
  stableIdOf,
  type WalletRequest,
  type WalletSession,
} from './connector'

export type PageWalletDependencies = Pick<PageConnectorDependencies, 'ask' | 'onWalletEvent'> & {
  readonly adapter: ChainAdapter
}

/** At most as many accounts as a wallet may sensibly grant. */
const Accounts = z.array(z.string()).check(z.maxLength(256))

/**
 * An EIP-1193 wallet of the dapp's page, used over the link.
 *
 * 1. Whatever the wallet answers or announces is parsed: accounts are addresses, the chain is a positive integer.
 * 2. `connect` asks (eth_requestAccounts), then reads the chain; `reconnect` only reads (eth_accounts), and gives up after 10 s.
 * 3. A switch that fails with 4902, 5000 or -32603 adds the chain and switches again; if that fails it is CHAIN_NOT_SUPPORTED (spec §8).
 *    A visitor's no is always USER_REJECTED, never a reason to ask again.
 * 4. After a switch the wallet is asked where it is: that, and not its word, is the network.
 * 5. `disconnect` revokes the permission (EIP-2255) where the wallet knows how; that it does not is no failure.
 * 6. Events of other wallets, and events that do not parse, are ignored.
 * 7. The page names a failure by its outer number alone. One that it could not name is looked through here: what it wraps, and its words.
 * 8. What the wallet tells between its answers, which nobody listens to yet, is newer than those: the session is what it said last, never a mix.
 */
export function createPageWalletConnector(
  wallet: PageWallet,
  { adapter, ask, onWalletEvent }: PageWalletDependencies,
): Connector {
  const { namespace } = wallet

  function send(method: WalletRequest['method'], params: unknown[] | undefined, options: AskOptions): Promise<unknown> {
    return askByName({ wallet: wallet.id, method, ...(params && { params }) }, options)
  }

  async function askByName(request: WalletRequest, options: AskOptions): Promise<unknown> {
    try {
      return await ask(request, options)
    } catch (thrown) {
      throw named(asFailure(thrown))
    }
  }

  /** 8. */
  async function sessionFrom(
    method: 'eth_requestAccounts' | 'eth_accounts',
    options: AskOptions & { readonly signal: AbortSignal },
  ): Promise<WalletSession | null> {
    const lists: unknown[] = []
    const moves: CaipNetworkId[] = []
    const stop = onWalletEvent(({ wallet: id, event, data }) => {
      if (id !== wallet.id) return
      const moved = event === 'chainChanged' ? networkIdFromWallet(data) : undefined
      if (moved !== undefined) moves.push(moved)
      if (event === 'accountsChanged') lists.push(data)
    })
    try {
      const answer = await send(method, undefined, options)
      lists.length = 0
      let accounts = await toAccounts(answer)
      if (accounts.length === 0) return null
      const asked = await readNetwork(options.signal)
      moves.length = 0
      for (const list of lists) accounts = await toAccounts(list).catch(() => accounts)
      const [first, ...others] = accounts
      return first === undefined ? null : { accounts: [first, ...others], networkId: moves.at(-1) ?? asked }
    } finally {
      stop()
    }
  }

  async function toAccounts(raw: unknown): Promise<readonly Account[]> {
    const parsed = Accounts.safeParse(raw)
    if (!parsed.success) throw new Failure('INTERNAL', { cause: parsed.error })
    const addresses = await adapter.normaliseAddresses(parsed.data)
    return [...new Set(addresses)].map((address) => ({ namespace, address, type: 'eoa' }))
  }

  async function readNetwork(signal: AbortSignal): Promise<CaipNetworkId> {
    const networkId = networkIdFromWallet(await send('eth_chainId', undefined, { signal, timeout: limits.rpcTimeout }))
    if (networkId === undefined) throw new Failure('INTERNAL')
    return networkId
  }

  async function addThenSwitch(network: Network, signal: AbortSignal): Promise<void> {
    try {
      await send('wallet_addEthereumChain', [await addChainParameters(network)], { signal })
      // Many wallets switch as they add; the others need to be asked.
      if ((await readNetwork(signal)) !== network.caipNetworkId) await askToSwitch(network, signal)
    } catch (thrown) {
      const cause = asFailure(thrown)
      if (isRefusal(cause) || cause.code === 'ABORTED' || cause.code === 'LINK_CLOSED') throw cause
      throw new Failure('CHAIN_NOT_SUPPORTED', { cause })
    }
  }

  function askToSwitch(network: Network, signal: AbortSignal): Promise<unknown> {
    return send('wallet_switchEthereumChain', [{ chainId: hexChainId(network) }], { signal })
  }

  return {
    id: wallet.id,
    name: wallet.name,
    type: wallet.type,
    ...(wallet.icon !== undefined && { imageUrl: wallet.icon }),
    pageWallet: wallet.id,
    namespace,
    stableId: stableIdOf(wallet),

    async connect(signal) {
      // What writes addresses is a chunk of its own: it loads while the wallet asks its owner.
      adapter.normaliseAddresses([]).catch(() => {})
      return sessionFrom('eth_requestAccounts', { signal })
    },

    reconnect: (signal) => sessionFrom('eth_accounts', { signal, timeout: limits.rpcTimeout }),

    async disconnect() {
      // Nobody waits for it: the session has ended here whatever the wallet makes of it.
      void send('wallet_revokePermissions', [{ eth_accounts: {} }], { timeout: limits.rpcTimeout }).catch(() => {})
    },

    async switchNetwork(network, signal) {
      try {
        await askToSwitch(network, signal)
      } catch (thrown) {
        const cause = asFailure(thrown)
        if (isRefusal(cause) || !isMissingChain(toLinkError(cause))) throw cause
        await addThenSwitch(network, signal)
      }
      const networkId = await readNetwork(signal)
      if (networkId !== network.caipNetworkId) throw new Failure('CHAIN_NOT_SUPPORTED')
      return networkId
    },

    async request(method, params, signal) {
      const parsed = pageMethods.walletRequest.params.safeParse({ wallet: wallet.id, method, params })
      if (!parsed.success || !/^(eth|personal|wallet)_/.test(method)) throw new Failure('UNSUPPORTED_METHOD')
      return askByName(parsed.data, { signal })
    },

    listen(listener) {
      // Checksums are computed in a chunk of their own: only the newest list of accounts may come through.
      let turn = 0
      let listening = true
      const stop = onWalletEvent(({ wallet: id, event, data }) => {
        if (id !== wallet.id) return
        const mine = event === 'accountsChanged' ? ++turn : turn
        toEvent(event, data).then(
          (parsed) => {
            if (parsed !== null && listening && (parsed.kind !== 'accounts' || mine === turn)) listener(parsed)
          },
          () => {},
        )
      })
      return () => {
        listening = false
        stop()
      }
    },
  }

  async function toEvent(event: string, data: unknown): Promise<ConnectorEvent | null> {
    if (event === 'accountsChanged') return { kind: 'accounts', accounts: await toAccounts(data) }
    if (event === 'disconnect') return { kind: 'disconnected' }
    if (event !== 'chainChanged') return null
    const networkId = networkIdFromWallet(data)
    return networkId === undefined ? null : { kind: 'network', networkId }
  }
}

/** The failure under its better name, where what it wraps or says has one; else the failure itself, whole. */
function named(failure: Failure): Failure {
  if (failure.code !== 'INTERNAL' && failure.code !== 'UNKNOWN') return failure
  const { rpc, message, data } = failure
  const found = fromLinkError(fromWalletError({ code: rpc, message, data }))
  return found.code === 'INTERNAL' || found.code === 'UNKNOWN' ? failure : found
}

/** A visitor's no. 5000 stands for it with some wallets and for an unknown chain with others: there the words decide. */
function isRefusal({ code, rpc, message }: Failure): boolean {
  return code === 'USER_REJECTED' && (rpc !== 5000 || fromWalletError({ message }).code === 'USER_REJECTED')
}

function hexChainId(network: Network): string {
  return `0x${chainIdOf(network.caipNetworkId).toString(16)}`
}

/**
 * Source: EIP-3085. A wallet asks from an origin of its own, which the gateway refuses, so the public endpoints of a network that is known come
 * first. The list of them is a chunk of its own.
 */
export async function addChainParameters(network: Network): Promise<Record<string, unknown>> {
  const { builtInUpstreams } = await import('@postern/protocol/upstreams.gen')
  const { name, nativeCurrency, caipNetworkId, blockExplorers } = network
  const rpcUrls = [...new Set([...(builtInUpstreams[caipNetworkId] ?? []), ...network.rpcUrls])]
  return {
    chainId: hexChainId(network),
    chainName: name,
    nativeCurrency,
    rpcUrls,
    ...(blockExplorers.length > 0 && { blockExplorerUrls: blockExplorers.map(({ url }) => url) }),
  }
}
