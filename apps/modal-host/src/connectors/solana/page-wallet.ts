import { isSolanaAddress } from '@postern/chains/solana/adapter'
import {
  type Account,
  type CaipNetworkId,
  currentNetworkId,
  isCaipNetworkId,
  limits,
  solanaRequests,
} from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import type { AskOptions, ConnectorEvent, PageConnectorDependencies, WalletSession } from '../connector'
import type { PageDialect } from '../page/page-calls'
import type { WalletLink } from '../page/wallet-link'
import { requestSolana, type SolanaRequestContext } from './requests'

/** More than any wallet grants. */
const maxAccounts = 256
const Accounts = solanaRequests.solana_getAccounts.result.check(z.maxLength(maxAccounts))

/**
 * A Solana wallet of the dapp's page, used over the link. See `requests.ts`.
 *
 * 1. Everything from the wallet is parsed: accounts are 32 bytes in base58, each once.
 * 2. `connect` prompts (solana_requestAccounts); `reconnect` only reads (solana_getAccounts).
 * 3. The session's network is the preferred one if the wallet supports it, otherwise the first configured one that it
 *    supports, otherwise the first that it names. Every request names it.
 * 4. A network that the wallet does not support is CHAIN_NOT_SUPPORTED.
 * 5. Requests are parsed first: an account outside the session is UNAUTHORIZED, an unconfigured network
 *    CHAIN_NOT_SUPPORTED, a method that needs no approval UNSUPPORTED_METHOD.
 * 6. If the wallet signs but cannot send, the endpoint sends; one that signs a single transaction signs several in
 *    turn.
 * 7. Leaving ends the wallet's grant (solana_disconnect), if it can.
 * 8. Malformed events are ignored.
 */
export function createSolanaDialect(
  link: WalletLink,
  { networks, preferredNetwork, clientOf }: Omit<PageConnectorDependencies, 'clock'>,
): PageDialect {
  const { wallet } = link
  let accounts: readonly Account[] = []
  let networkId = firstNetwork()

  function isSupported(id: CaipNetworkId): boolean {
    return wallet.networks === undefined || wallet.networks.includes(id)
  }

  function firstNetwork(): CaipNetworkId {
    const preferred = preferredNetwork()
    if (isSupported(preferred)) return preferred
    const own = networks.list.find(
      ({ chainNamespace, caipNetworkId }) => chainNamespace === 'solana' && isSupported(caipNetworkId),
    )
    return own?.caipNetworkId ?? wallet.networks?.[0] ?? preferred
  }

  async function read(method: 'solana_getAccounts' | 'solana_requestAccounts', options: AskOptions) {
    accounts = toAccounts(await link.ask(Accounts, method, {}, options))
    return accounts
  }

  function sessionOf([first, ...others]: readonly Account[]): WalletSession | null {
    networkId = firstNetwork()
    return first === undefined ? null : { accounts: [first, ...others], networkId }
  }

  async function grantedAccounts(signal: AbortSignal): Promise<readonly Account[]> {
    return accounts.length > 0 ? accounts : read('solana_getAccounts', { signal, timeout: limits.rpcTimeout })
  }

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

  const requests: SolanaRequestContext = {
    link,
    accounts: grantedAccounts,
    networkId: () => networkId,
    isUsable: (id) => networks.get(id)?.chainNamespace === 'solana' && isSupported(id),
    clientOf,
  }

  return {
    connect: async (signal) => sessionOf(await read('solana_requestAccounts', { signal })),

    read: async (signal) => sessionOf(await read('solana_getAccounts', { signal, timeout: limits.rpcTimeout })),

    async revoke() {
      accounts = []
      if (link.can('solana_disconnect'))
        await link.ask(z.unknown(), 'solana_disconnect', {}, { timeout: limits.rpcTimeout })
    },

    async switchNetwork({ caipNetworkId }) {
      if (!isSupported(caipNetworkId)) throw new Failure('CHAIN_NOT_SUPPORTED')
      networkId = caipNetworkId
      return networkId
    },

    request: (method, params, signal) => requestSolana(requests, method, params, signal),

    listen: (listener) =>
      link.onEvent(({ event, data }) => {
        const parsed = orNull(() => toEvent(event, data))
        if (parsed !== null) listener(parsed)
      }),
  }
}

function toAccounts(granted: readonly { readonly pubkey: string }[]): readonly Account[] {
  const addresses = [...new Set(granted.map(({ pubkey }) => pubkey))]
  if (!addresses.every(isSolanaAddress)) throw new Failure('INTERNAL')
  return addresses.map((address) => ({ namespace: 'solana', address, type: 'eoa' }))
}

/** An event has no caller to reject. */
function orNull<T>(read: () => T | null): T | null {
  try {
    return read()
  } catch {
    return null
  }
}
