import { accountsFrom, areOn, GrantedAccounts, isAddressTextOn, networksOf } from '@postern/chains/bip122/accounts'
import { parseBitcoinAddress } from '@postern/chains/bip122/address'
import type { SignPsbt } from '@postern/chains/bip122/transfer'
import {
  type Account,
  bip122Requests,
  type CaipNetworkId,
  isCaipNetworkId,
  limits,
  type Network,
  type PageWallet,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import * as z from 'zod/mini'
import {
  type AskOptions,
  type Connector,
  type ConnectorEvent,
  type PageConnectorDependencies,
  stableIdOf,
  type WalletSession,
} from './connector'
import { createDialect, parseParams } from './page-dialect'

/**
 * A Bitcoin wallet of the dapp's page, used over the link.
 *
 * 1. Everything from the wallet is parsed: accounts are addresses of one network, normalised and unique, payments
 *    first.
 * 2. `connect` prompts (bip122_requestAccounts); `reconnect` only reads (bip122_getAccountAddresses), with a 10 s
 *    timeout. Null without an account.
 * 3. The network is the wallet's own (bip122_getNetwork) if its addresses are valid there; otherwise one that they are
 *    valid on, the preferred before other configured ones. An unconfigured network is shown as it is.
 * 4. A switch asks the wallet if it can (bip122_switchNetwork), then reads its network and accounts, which decide.
 *    Otherwise the connector itself switches to a network that the addresses are also valid on; any other is
 *    CHAIN_NOT_SUPPORTED.
 * 5. Requests are parsed first: an account outside the session is UNAUTHORIZED, a recipient on another network
 *    INVALID_ADDRESS, a method that needs no approval UNSUPPORTED_METHOD.
 * 6. If the wallet signs but cannot send, the host builds and sends the transfer (`chains/bip122/transfer.ts`). A PSBT
 *    to broadcast works the same: the wallet only signs, and the host compares the result with the request. A PSBT
 *    request names its network, which the bytes do not.
 * 7. `disconnect` does not wait for the wallet.
 * 8. Events of other wallets and malformed events are ignored. Accounts of another network bring their network with
 *    them.
 * 9. Accounts announced while the wallet is asked for its network are newer than its response: the session has the
 *    latest, never a mix.
 */
export function createPageBitcoinConnector(
  wallet: PageWallet,
  { ask, onWalletEvent, networks, preferredNetwork, clientOf }: PageConnectorDependencies,
): Connector {
  const dialect = createDialect(wallet, ask)
  const listeners = new Set<(event: ConnectorEvent) => void>()
  let accounts: readonly Account[] = []
  let networkId = preferredNetwork()

  async function sessionFrom(
    method: 'bip122_getAccountAddresses' | 'bip122_requestAccounts',
    options: AskOptions & { readonly signal: AbortSignal },
    expected: CaipNetworkId | null = null,
  ): Promise<WalletSession | null> {
    const params = method === 'bip122_requestAccounts' ? { network: preferredNetwork() } : {}
    accounts = accountsFrom(await dialect.ask(GrantedAccounts, method, params, options))
    if (accounts.length === 0) return null
    // 9: `accounts` follows the wallet's events
    const stop = onOwnEvents(() => {})
    const told = await ownNetwork(options.signal).finally(stop)
    const [first, ...others] = accounts
    if (first === undefined) return null
    networkId = networkOf(accounts, told ?? expected)
    return { accounts: [first, ...others], networkId }
  }

  function readSession(signal: AbortSignal, expected?: CaipNetworkId): Promise<WalletSession | null> {
    return sessionFrom('bip122_getAccountAddresses', { signal, timeout: limits.rpcTimeout }, expected)
  }

  /** Null if the wallet does not say, or not validly. */
  async function ownNetwork(signal: AbortSignal): Promise<CaipNetworkId | null> {
    if (!dialect.can('bip122_getNetwork')) return null
    const { result } = bip122Requests.bip122_getNetwork
    try {
      return await dialect.ask(result, 'bip122_getNetwork', {}, { signal, timeout: limits.rpcTimeout })
    } catch (thrown) {
      if (signal.aborted) throw thrown
      return null
    }
  }

  function networkOf(of: readonly Account[], told: CaipNetworkId | null): CaipNetworkId {
    const configured = networks.list.map(({ caipNetworkId }) => caipNetworkId)
    const likely = [preferredNetwork(), ...configured].filter((id) => wallet.networks?.includes(id) ?? true)
    const possible = networksOf(of)
    const found = [...(told === null ? [] : [told]), ...likely].find((id) => possible.includes(id))
    return found ?? possible[0] ?? preferredNetwork()
  }

  /** Reads the accounts if none are cached. */
  async function granted(signal: AbortSignal): Promise<readonly Account[]> {
    if (accounts.length === 0) await readSession(signal)
    return accounts
  }

  async function accountAt(address: string, signal: AbortSignal): Promise<Account> {
    const wanted = parseBitcoinAddress(address)?.address
    const account = (await granted(signal)).find((one) => one.address === wanted)
    if (account === undefined) throw new Failure('UNAUTHORIZED')
    return account
  }

  async function signMessage(raw: unknown, signal: AbortSignal) {
    const { params, result } = bip122Requests.bip122_signMessage
    const asked = parseParams(params, raw)
    const { address } = await accountAt(asked.address, signal)
    return dialect.ask(result, 'bip122_signMessage', { ...asked, address }, { signal })
  }

  async function signPsbt(raw: unknown, signal: AbortSignal) {
    const { params, result } = bip122Requests.bip122_signPsbt
    const { broadcast = false, ...asked } = parseParams(params, raw)
    if ((await granted(signal)).length === 0) throw new Failure('UNAUTHORIZED')
    const signInputs = await Promise.all(
      asked.signInputs.map(async (input) => ({ ...input, address: (await accountAt(input.address, signal)).address })),
    )
    const esplora = broadcast ? ownClient().esplora : null
    const signed = await dialect.ask(
      result,
      'bip122_signPsbt',
      { ...asked, signInputs, network: networkId },
      { signal },
    )
    if (esplora === null) return signed
    const { sendSigned } = await import('@postern/chains/bip122/transfer')
    return { psbt: signed.psbt, ...(await sendSigned(asked.psbt, signed.psbt, esplora, signal)) }
  }

  async function sendTransfer(raw: unknown, signal: AbortSignal) {
    const { params, result } = bip122Requests.bip122_sendTransfer
    const asked = parseParams(params, raw)
    const payment = (await granted(signal)).find(({ type }) => type === 'payment')
    const sender = asked.account === undefined ? payment : await accountAt(asked.account, signal)
    if (sender === undefined) throw new Failure('UNAUTHORIZED')
    for (const address of [asked.recipientAddress, asked.changeAddress])
      if (address !== undefined && !isAddressTextOn(address, networkId)) throw new Failure('INVALID_ADDRESS')
    if (dialect.can('bip122_sendTransfer'))
      return dialect.ask(result, 'bip122_sendTransfer', { ...asked, account: sender.address }, { signal })

    const { esplora } = ownClient()
    const signPsbtResult = bip122Requests.bip122_signPsbt.result
    const sign: SignPsbt = (request, ended) =>
      dialect.ask(signPsbtResult, 'bip122_signPsbt', { ...request, network: networkId }, { signal: ended })
    const transfer = await import('@postern/chains/bip122/transfer')
    const { recipientAddress, changeAddress, feeRate } = asked
    return transfer.sendTransfer(
      { networkId, sender, recipientAddress, amount: BigInt(asked.amount), changeAddress, feeRate },
      { esplora, signPsbt: sign },
      signal,
    )
  }

  function ownClient() {
    if (networks.get(networkId) === undefined) throw new Failure('CHAIN_NOT_SUPPORTED')
    return clientOf(networkId)
  }

  const requests = new Map<string, (raw: unknown, signal: AbortSignal) => Promise<unknown>>([
    ['bip122_signMessage', signMessage],
    ['bip122_signPsbt', signPsbt],
    ['bip122_sendTransfer', sendTransfer],
  ])

  function toEvents(event: string, data: unknown): readonly ConnectorEvent[] {
    if (event === 'disconnect') {
      accounts = []
      return [{ kind: 'disconnected' }]
    }
    if (event === 'accountsChanged') {
      accounts = accountsFrom(GrantedAccounts.parse(data))
      return [
        { kind: 'accounts', accounts },
        ...movedTo(accounts.length === 0 ? networkId : networkOf(accounts, networkId)),
      ]
    }
    if (event !== 'chainChanged' || !isCaipNetworkId(data) || !data.startsWith('bip122:')) return []
    networkId = data
    return [{ kind: 'network', networkId }]
  }

  function onOwnEvents(listener: (event: ConnectorEvent) => void): () => void {
    return onWalletEvent(({ wallet: id, event, data }) => {
      if (id !== wallet.id) return
      for (const parsed of orNone(() => toEvents(event, data))) listener(parsed)
    })
  }

  function movedTo(id: CaipNetworkId): readonly ConnectorEvent[] {
    if (id === networkId) return []
    networkId = id
    return [{ kind: 'network', networkId }]
  }

  async function askToSwitch({ caipNetworkId }: Network, signal: AbortSignal): Promise<void> {
    const before = accounts
    try {
      await dialect.ask(z.unknown(), 'bip122_switchNetwork', { network: caipNetworkId }, { signal })
    } catch (thrown) {
      const cause = asFailure(thrown)
      throw cause.code === 'CHAIN_NOT_ADDED' ? new Failure('CHAIN_NOT_SUPPORTED', { cause }) : cause
    }
    await readSession(signal, caipNetworkId)
    if (isSame(before, accounts)) return
    for (const listener of [...listeners]) listener({ kind: 'accounts', accounts })
  }

  return {
    id: wallet.id,
    name: wallet.name,
    type: wallet.type,
    ...(wallet.icon !== undefined && { imageUrl: wallet.icon }),
    pageWallet: wallet.id,
    namespace: 'bip122',
    stableId: stableIdOf(wallet),

    connect: (signal) => sessionFrom('bip122_requestAccounts', { signal }),

    reconnect: (signal) => readSession(signal),

    async disconnect() {
      accounts = []
      if (!dialect.can('bip122_disconnect')) return
      void dialect.ask(z.unknown(), 'bip122_disconnect', {}, { timeout: limits.rpcTimeout }).catch(() => {})
    },

    async switchNetwork(network, signal) {
      if (dialect.can('bip122_switchNetwork')) await askToSwitch(network, signal)
      else if (areOn(await granted(signal), network.caipNetworkId)) networkId = network.caipNetworkId
      if (networkId !== network.caipNetworkId) throw new Failure('CHAIN_NOT_SUPPORTED')
      return networkId
    },

    async request(method, params, signal) {
      const send = requests.get(method)
      if (send === undefined) throw new Failure('UNSUPPORTED_METHOD')
      return send(params, signal)
    },

    listen(listener) {
      listeners.add(listener)
      const stop = onOwnEvents(listener)
      return () => {
        listeners.delete(listener)
        stop()
      }
    },
  }
}

function isSame(left: readonly Account[], right: readonly Account[]): boolean {
  return left.length === right.length && left.every(({ address }, index) => address === right[index]?.address)
}

/** A malformed event has no caller to reject. */
function orNone<T>(read: () => readonly T[]): readonly T[] {
  try {
    return read()
  } catch {
    return []
  }
}
