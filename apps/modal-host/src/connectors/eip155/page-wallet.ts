import type { ChainAdapter } from '@postern/chains/adapter'
import { adapter as eip155, networkIdFromWallet } from '@postern/chains/eip155/adapter'
import type { ConfiguredNetwork } from '@postern/chains/networks'
import {
  type Account,
  type CaipNetworkId,
  fromWalletError,
  isMissingChain,
  limits,
  type Network,
  pageMethods,
} from '@postern/protocol'
import { Failure, notLoaded, toLinkError } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import * as z from 'zod/mini'
import type { AskOptions, ConnectorEvent, PageConnectorDependencies, WalletSession } from '../connector'
import type { PageDialect } from '../page/page-calls'
import type { WalletLink } from '../page/wallet-link'
import { untilSwitched } from '../until-switched'
import { addChainParameters, switchChainParameters } from './chain-parameters'

const Accounts = z.array(z.string()).check(z.maxLength(256))

/**
 * An EIP-1193 wallet of the dapp's page, used over the link.
 *
 * 1. Everything from the wallet is parsed: accounts are addresses, the chain is a positive integer.
 * 2. `connect` prompts (eth_requestAccounts), then reads the chain; `reconnect` only reads (eth_accounts).
 * 3. A switch that fails with 4902, 5000 or -32603 adds the chain and switches again; if that fails,
 *    CHAIN_NOT_SUPPORTED (spec §8). If the user declines: USER_REJECTED, never a second prompt.
 * 4. After a switch the wallet has about a second; the chain that it then reports is the network.
 * 5. `disconnect` revokes the permission (EIP-2255) if the wallet supports it.
 * 6. Malformed events are ignored.
 * 7. The page maps failures by their outer code; this searches the causes and message of an unmapped one.
 * 8. Events between the wallet's responses are newer than those: the session has the latest values.
 */
export function createEip155Dialect(
  { wallet, send, onEvent }: WalletLink,
  { clock }: Pick<PageConnectorDependencies, 'clock'>,
  adapter: ChainAdapter = eip155,
): PageDialect {
  const { namespace } = wallet

  /** Rule 8. */
  async function sessionFrom(
    method: 'eth_requestAccounts' | 'eth_accounts',
    options: AskOptions & { readonly signal: AbortSignal },
  ): Promise<WalletSession | null> {
    const announcedAccounts: unknown[] = []
    const announcedNetworks: CaipNetworkId[] = []
    const stop = onEvent(({ event, data }) => {
      const networkId = event === 'chainChanged' ? networkIdFromWallet(data) : undefined
      if (networkId !== undefined) announcedNetworks.push(networkId)
      if (event === 'accountsChanged') announcedAccounts.push(data)
    })
    try {
      const granted = await send(method, undefined, options)
      announcedAccounts.length = 0
      let accounts = await toAccounts(granted)
      if (accounts.length === 0) return null
      const networkId = await readNetwork(options.signal)
      announcedNetworks.length = 0
      for (const announced of announcedAccounts) accounts = await toAccounts(announced).catch(() => accounts)
      const [first, ...others] = accounts
      if (first === undefined) return null
      return { accounts: [first, ...others], networkId: announcedNetworks.at(-1) ?? networkId }
    } finally {
      stop()
    }
  }

  async function toAccounts(raw: unknown): Promise<readonly Account[]> {
    const parsed = Accounts.safeParse(raw)
    if (!parsed.success) throw new Failure('INTERNAL', { cause: parsed.error })
    try {
      const addresses = await adapter.normaliseAddresses(parsed.data)
      return [...new Set(addresses)].map((address) => ({ namespace, address, type: 'eoa' }))
    } catch (cause) {
      // The wallet's answer is wrong, not the dapp's parameters; or the checksum code did not load.
      throw cause instanceof Failure ? new Failure('INTERNAL', { cause }) : notLoaded(cause)
    }
  }

  async function readNetwork(signal: AbortSignal): Promise<CaipNetworkId> {
    const networkId = networkIdFromWallet(await send('eth_chainId', undefined, { signal, timeout: limits.rpcTimeout }))
    if (networkId === undefined) throw new Failure('INTERNAL')
    return networkId
  }

  async function addThenSwitch(network: ConfiguredNetwork, signal: AbortSignal): Promise<void> {
    try {
      await send('wallet_addEthereumChain', [await addChainParameters(network)], { signal })
      // Many wallets switch when they add a chain.
      if ((await readNetwork(signal)) !== network.caipNetworkId) await askToSwitch(network, signal)
    } catch (thrown) {
      const cause = asFailure(thrown)
      if (isRefusal(cause) || cause.code === 'ABORTED' || cause.code === 'LINK_CLOSED') throw cause
      throw new Failure('CHAIN_NOT_SUPPORTED', { cause })
    }
  }

  function askToSwitch(network: Network, signal: AbortSignal): Promise<unknown> {
    return send('wallet_switchEthereumChain', [switchChainParameters(network)], { signal })
  }

  return {
    async connect(signal) {
      // Preloads the chunk that formats addresses.
      adapter.normaliseAddresses([]).catch(() => {})
      return sessionFrom('eth_requestAccounts', { signal })
    },

    read: (signal) => sessionFrom('eth_accounts', { signal, timeout: limits.rpcTimeout }),

    revoke: () => send('wallet_revokePermissions', [{ eth_accounts: {} }], { timeout: limits.rpcTimeout }),

    async switchNetwork(network, signal) {
      try {
        await askToSwitch(network, signal)
      } catch (thrown) {
        const cause = asFailure(thrown)
        if (isRefusal(cause) || !isMissingChain(toLinkError(cause))) throw cause
        await addThenSwitch(network, signal)
      }
      const networkId = await untilSwitched(
        () => readNetwork(signal),
        (current) => current === network.caipNetworkId,
        clock,
      )
      if (networkId !== network.caipNetworkId) throw new Failure('CHAIN_NOT_SUPPORTED')
      return networkId
    },

    async request(method, params, signal) {
      const parsed = pageMethods.walletRequest.params.safeParse({ wallet: wallet.id, method, params })
      if (!parsed.success || !/^(eth|personal|wallet)_/.test(method)) throw new Failure('UNSUPPORTED_METHOD')
      return send(parsed.data.method, parsed.data.params, { signal })
    },

    listen(listener) {
      // Checksums load in another chunk: only the newest accounts may be emitted.
      let newest = 0
      let listening = true
      const stop = onEvent(({ event, data }) => {
        const number = event === 'accountsChanged' ? ++newest : newest
        toEvent(event, data).then(
          (parsed) => {
            if (parsed !== null && listening && (parsed.kind !== 'accounts' || number === newest)) listener(parsed)
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

/** 5000 means a rejection in some wallets and an unknown chain in others; the message decides. */
function isRefusal({ code, rpc, message }: Failure): boolean {
  return code === 'USER_REJECTED' && (rpc !== 5000 || fromWalletError({ message }).code === 'USER_REJECTED')
}
