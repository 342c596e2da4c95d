import { isSolanaAddress } from '@postern/chains/solana/adapter'
import { type SignTransaction, signAndSend, withSignature } from '@postern/chains/solana/send'
import {
  type Account,
  type CaipNetworkId,
  currentNetworkId,
  isCaipNetworkId,
  limits,
  type PageWallet,
  solanaRequests,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
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

/** More accounts than any wallet grants. */
const mostAccounts = 256
const Accounts = solanaRequests.solana_getAccounts.result.check(z.maxLength(mostAccounts))

/**
 * A Solana wallet of the dapp's page, used over the link.
 *
 * 1. Everything from the wallet is parsed: accounts are 32 bytes in base58, each once.
 * 2. `connect` prompts (solana_requestAccounts); `reconnect` only reads (solana_getAccounts), with a 10 s timeout. Null
 *    without an account.
 * 3. The session chooses its network: the preferred one if the wallet supports it, otherwise the first configured one
 *    that it supports, otherwise the first that it names. Every request names it.
 * 4. A network that the wallet does not support is CHAIN_NOT_SUPPORTED.
 * 5. Requests are parsed first: an account outside the session is UNAUTHORIZED, an unconfigured network
 *    CHAIN_NOT_SUPPORTED, a method that needs no approval UNSUPPORTED_METHOD.
 * 6. If the wallet signs but cannot send, the endpoint sends; one that signs a single transaction signs several in
 *    turn.
 * 7. `disconnect` does not wait for the wallet.
 * 8. Events of other wallets and malformed events are ignored.
 */
export function createPageSolanaConnector(
  wallet: PageWallet,
  { ask, onWalletEvent, networks, preferredNetwork, clientOf }: PageConnectorDependencies,
): Connector {
  const dialect = createDialect(wallet, ask)
  let accounts: readonly Account[] = []
  let networkId = firstNetwork()

  function isFor(id: CaipNetworkId): boolean {
    return wallet.networks === undefined || wallet.networks.includes(id)
  }

  function firstNetwork(): CaipNetworkId {
    const preferred = preferredNetwork()
    if (isFor(preferred)) return preferred
    const own = networks.list.find(
      ({ chainNamespace, caipNetworkId }) => chainNamespace === 'solana' && isFor(caipNetworkId),
    )
    return own?.caipNetworkId ?? wallet.networks?.[0] ?? preferred
  }

  async function read(method: 'solana_getAccounts' | 'solana_requestAccounts', options: AskOptions) {
    accounts = toAccounts(await dialect.ask(Accounts, method, {}, options))
    return accounts
  }

  function sessionOf([first, ...others]: readonly Account[]): WalletSession | null {
    networkId = firstNetwork()
    return first === undefined ? null : { accounts: [first, ...others], networkId }
  }

  /** Reads the accounts if none are cached. */
  async function granted(signal: AbortSignal): Promise<readonly Account[]> {
    return accounts.length > 0 ? accounts : read('solana_getAccounts', { signal, timeout: limits.rpcTimeout })
  }

  /** Fills in the default account and network. */
  async function target(
    asked: { pubkey?: string | undefined; network?: CaipNetworkId | undefined },
    signal: AbortSignal,
  ) {
    const [first, ...others] = await granted(signal)
    const account = [first, ...others].find(
      (one) => one && (asked.pubkey === undefined || one.address === asked.pubkey),
    )
    if (account === undefined) throw new Failure('UNAUTHORIZED')
    const network = asked.network === undefined ? networkId : currentNetworkId(asked.network)
    if (networks.get(network)?.chainNamespace !== 'solana' || !isFor(network)) throw new Failure('CHAIN_NOT_SUPPORTED')
    return { pubkey: account.address, network }
  }

  async function signMessage(raw: unknown, signal: AbortSignal) {
    const { params, result } = solanaRequests.solana_signMessage
    const asked = parseParams(params, raw)
    return dialect.ask(result, 'solana_signMessage', { ...asked, ...(await target(asked, signal)) }, { signal })
  }

  async function signTransaction(raw: unknown, signal: AbortSignal) {
    const { params, result } = solanaRequests.solana_signTransaction
    const asked = parseParams(params, raw)
    return dialect.ask(result, 'solana_signTransaction', { ...asked, ...(await target(asked, signal)) }, { signal })
  }

  async function signAllTransactions(raw: unknown, signal: AbortSignal) {
    const { params, result } = solanaRequests.solana_signAllTransactions
    const asked = parseParams(params, raw)
    const where = await target(asked, signal)
    if (dialect.can('solana_signAllTransactions')) {
      const answer = await dialect.ask(result, 'solana_signAllTransactions', { ...asked, ...where }, { signal })
      if (answer.transactions.length !== asked.transactions.length) throw new Failure('TRANSACTION_MISMATCH')
      return answer
    }
    const transactions: string[] = []
    for (const transaction of asked.transactions) {
      const answer = await signTransaction({ ...where, transaction }, signal)
      transactions.push(withSignature(transaction, where.pubkey, answer))
    }
    return { transactions }
  }

  async function signAndSendTransaction(raw: unknown, signal: AbortSignal) {
    const { params, result } = solanaRequests.solana_signAndSendTransaction
    const asked = parseParams(params, raw)
    const where = await target(asked, signal)
    if (dialect.can('solana_signAndSendTransaction'))
      return dialect.ask(result, 'solana_signAndSendTransaction', { ...asked, ...where }, { signal })
    const sign: SignTransaction = (transaction, ended) => signTransaction({ ...where, transaction }, ended)
    return signAndSend({ ...asked, account: where.pubkey }, { sign, rpc: clientOf(where.network).rpc }, signal)
  }

  const requests = new Map<string, (raw: unknown, signal: AbortSignal) => Promise<unknown>>([
    ['solana_signMessage', signMessage],
    ['solana_signTransaction', signTransaction],
    ['solana_signAllTransactions', signAllTransactions],
    ['solana_signAndSendTransaction', signAndSendTransaction],
  ])

  function toEvent(event: string, data: unknown): ConnectorEvent | null {
    if (event === 'disconnect') {
      accounts = []
      return { kind: 'disconnected' }
    }
    if (event === 'accountsChanged') {
      accounts = toAccounts(Accounts.parse(data))
      return { kind: 'accounts', accounts }
    }
    if (event !== 'chainChanged' || !isCaipNetworkId(data) || !data.startsWith('solana:')) return null
    networkId = currentNetworkId(data)
    return { kind: 'network', networkId }
  }

  return {
    id: wallet.id,
    name: wallet.name,
    type: wallet.type,
    ...(wallet.icon !== undefined && { imageUrl: wallet.icon }),
    pageWallet: wallet.id,
    namespace: 'solana',
    stableId: stableIdOf(wallet),

    connect: async (signal) => sessionOf(await read('solana_requestAccounts', { signal })),

    reconnect: async (signal) => sessionOf(await read('solana_getAccounts', { signal, timeout: limits.rpcTimeout })),

    async disconnect() {
      accounts = []
      if (!dialect.can('solana_disconnect')) return
      void dialect.ask(z.unknown(), 'solana_disconnect', {}, { timeout: limits.rpcTimeout }).catch(() => {})
    },

    async switchNetwork({ caipNetworkId }) {
      if (!isFor(caipNetworkId)) throw new Failure('CHAIN_NOT_SUPPORTED')
      networkId = caipNetworkId
      return networkId
    },

    async request(method, params, signal) {
      const send = requests.get(method)
      if (send === undefined) throw new Failure('UNSUPPORTED_METHOD')
      return send(params, signal)
    },

    listen: (listener) =>
      onWalletEvent(({ wallet: id, event, data }) => {
        if (id !== wallet.id) return
        const parsed = orNull(() => toEvent(event, data))
        if (parsed !== null) listener(parsed)
      }),
  }
}

function toAccounts(answer: readonly { readonly pubkey: string }[]): readonly Account[] {
  const addresses = [...new Set(answer.map(({ pubkey }) => pubkey))]
  if (!addresses.every(isSolanaAddress)) throw new Failure('INTERNAL')
  return addresses.map((address) => ({ namespace: 'solana', address, type: 'eoa' }))
}

/** A malformed event has no caller to reject. */
function orNull<T>(read: () => T | null): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
