import { accountsFrom, areOn, GrantedAccounts } from '@postern/chains/bip122/accounts'
import { type Account, bip122Requests, type CaipNetworkId, limits, type Network } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import * as z from 'zod/mini'
import type { AskOptions, ConnectorEvent, PageConnectorDependencies, WalletSession } from '../connector'
import type { PageDialect } from '../page/page-calls'
import type { WalletLink } from '../page/wallet-link'
import { untilSwitched } from '../until-switched'
import { type BitcoinRequestContext, requestBitcoin } from './requests'
import { type BitcoinSession, type NetworkChoice, networkOf, reduceBitcoinSession } from './session'

/**
 * A Bitcoin wallet of the dapp's page, used over the link. See `session.ts` and `requests.ts`.
 *
 * 1. Everything from the wallet is parsed: accounts are addresses of one network, normalised, unique, payments first.
 * 2. `connect` prompts (bip122_requestAccounts); `reconnect` only reads (bip122_getAccountAddresses).
 * 3. The network is the wallet's own (bip122_getNetwork) if its addresses are valid there; otherwise one that they are
 *    valid on, the preferred first. An unconfigured network is shown as it is.
 * 4. A wallet that can switch (bip122_switchNetwork) has about a second; its network and accounts then decide.
 *    Otherwise the connector switches to a network that the addresses are also valid on, else CHAIN_NOT_SUPPORTED.
 * 5. Requests are parsed first: an account outside the session is UNAUTHORIZED, a recipient on another network
 *    INVALID_ADDRESS, a method that needs no approval UNSUPPORTED_METHOD.
 * 6. If the wallet signs but cannot send, the host sends, also a PSBT to broadcast.
 * 7. Leaving ends the wallet's grant (bip122_disconnect), if it can.
 * 8. Malformed events are ignored. Accounts of another network bring their network.
 * 9. Accounts announced while the wallet is asked for its network are newer than its response.
 */
export function createBip122Dialect(
  link: WalletLink,
  { networks, preferredNetwork, clientOf, clock }: PageConnectorDependencies,
): PageDialect {
  const listeners = new Set<(event: ConnectorEvent) => void>()
  let session: BitcoinSession = { accounts: [], networkId: preferredNetwork() }

  const networkChoice = (): NetworkChoice => ({
    preferred: preferredNetwork(),
    configured: networks.list.map(({ caipNetworkId }) => caipNetworkId),
    supported: link.wallet.networks,
  })

  function followWallet(listener: (event: ConnectorEvent) => void): () => void {
    return link.onEvent((event) => {
      const [next, events] = reduceBitcoinSession(session, event, networkChoice())
      session = next
      for (const one of events) listener(one)
    })
  }

  async function readSession(
    method: 'bip122_getAccountAddresses' | 'bip122_requestAccounts',
    options: AskOptions & { readonly signal: AbortSignal },
    expectedNetwork: CaipNetworkId | null = null,
  ): Promise<WalletSession | null> {
    const params = method === 'bip122_requestAccounts' ? { network: preferredNetwork() } : {}
    const accounts = accountsFrom(await link.ask(GrantedAccounts, method, params, options))
    session = { ...session, accounts }
    if (accounts.length === 0) return null
    // Rule 9.
    const stop = followWallet(() => {})
    const stated = await readNetwork(options.signal).finally(stop)
    const [first, ...others] = session.accounts
    if (first === undefined) return null
    session = { ...session, networkId: networkOf(session.accounts, stated ?? expectedNetwork, networkChoice()) }
    return { accounts: [first, ...others], networkId: session.networkId }
  }

  function readGranted(signal: AbortSignal, expectedNetwork?: CaipNetworkId): Promise<WalletSession | null> {
    return readSession('bip122_getAccountAddresses', { signal, timeout: limits.rpcTimeout }, expectedNetwork)
  }

  async function readNetwork(signal: AbortSignal): Promise<CaipNetworkId | null> {
    if (!link.can('bip122_getNetwork')) return null
    const { result } = bip122Requests.bip122_getNetwork
    try {
      return await link.ask(result, 'bip122_getNetwork', {}, { signal, timeout: limits.rpcTimeout })
    } catch (thrown) {
      if (signal.aborted) throw thrown
      return null
    }
  }

  async function accounts(signal: AbortSignal): Promise<readonly Account[]> {
    if (session.accounts.length === 0) await readGranted(signal)
    return session.accounts
  }

  /** Rule 4. */
  async function switchWallet({ caipNetworkId }: Network, signal: AbortSignal): Promise<void> {
    const before = session.accounts
    try {
      await link.ask(z.unknown(), 'bip122_switchNetwork', { network: caipNetworkId }, { signal })
    } catch (thrown) {
      const cause = asFailure(thrown)
      throw cause.code === 'CHAIN_NOT_ADDED' ? new Failure('CHAIN_NOT_SUPPORTED', { cause }) : cause
    }
    await untilSwitched(
      () => readNetwork(signal),
      (stated) => stated === null || stated === caipNetworkId,
      clock,
    )
    await readGranted(signal, caipNetworkId)
    if (haveSameAddresses(before, session.accounts)) return
    for (const listener of [...listeners]) listener({ kind: 'accounts', accounts: session.accounts })
  }

  const requests: BitcoinRequestContext = {
    link,
    accounts,
    networkId: () => session.networkId,
    client() {
      if (networks.get(session.networkId) === undefined) throw new Failure('CHAIN_NOT_SUPPORTED')
      return clientOf(session.networkId)
    },
  }

  return {
    connect: (signal) => readSession('bip122_requestAccounts', { signal }),

    read: (signal) => readGranted(signal),

    async revoke() {
      session = { ...session, accounts: [] }
      if (link.can('bip122_disconnect'))
        await link.ask(z.unknown(), 'bip122_disconnect', {}, { timeout: limits.rpcTimeout })
    },

    async switchNetwork(network, signal) {
      const { caipNetworkId } = network
      if (link.can('bip122_switchNetwork')) await switchWallet(network, signal)
      else if (areOn(await accounts(signal), caipNetworkId)) session = { ...session, networkId: caipNetworkId }
      if (session.networkId !== caipNetworkId) throw new Failure('CHAIN_NOT_SUPPORTED')
      return session.networkId
    },

    request: (method, params, signal) => requestBitcoin(requests, method, params, signal),

    listen(listener) {
      listeners.add(listener)
      const stop = followWallet(listener)
      return () => {
        listeners.delete(listener)
        stop()
      }
    },
  }
}

function haveSameAddresses(left: readonly Account[], right: readonly Account[]): boolean {
  return left.length === right.length && left.every(({ address }, index) => address === right[index]?.address)
}
