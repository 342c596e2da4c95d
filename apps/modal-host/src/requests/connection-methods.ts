import type { CaipNetworkId, HostParams, Namespace } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import type { Sessions } from '../connections/sessions/sessions'

export type ConnectionMethodsOptions = {
  readonly sessions: Pick<Sessions, 'connection'>
  /** Rejects with SWITCH_NETWORK_NOT_FOUND if not configured. */
  readonly switchTo: (networkId: CaipNetworkId, signal: AbortSignal) => Promise<void>
}

/** EIP-3326 and EIP-3085: no leading zeros. */
const NamesChain = z.object({ chainId: z.string().check(z.regex(/^0x[1-9a-f][\da-f]{0,12}$/i)) })

/**
 * Answers EVM requests about the connection itself; undefined for all other methods. A connected page wallet answers
 * them in the page.
 *
 * 1. `wallet_switchEthereumChain` and `wallet_addEthereumChain` ask the connected wallet to switch, adding a missing
 *    chain. Parameters that name no chain are INVALID_PARAMS; so is adding an unconfigured network, since 4902 would
 *    send the dapp from switching to adding and back.
 * 2. `wallet_requestPermissions` and `wallet_getPermissions` (EIP-2255) return `eth_accounts` while an account is
 *    connected or being restored.
 */
export function createConnectionMethods({ sessions, switchTo }: ConnectionMethodsOptions) {
  return ({ namespace, method, params }: HostParams<'rpc'>, signal: AbortSignal): Promise<unknown> | undefined => {
    if (namespace !== 'eip155') return undefined
    switch (method) {
      case 'wallet_switchEthereumChain':
        return switchChain(params, signal)
      case 'wallet_addEthereumChain':
        return addChain(params, signal)
      case 'wallet_requestPermissions':
      case 'wallet_getPermissions':
        return Promise.resolve(permissionsOf(addresses('eip155')))
      default:
        return undefined
    }
  }

  async function switchChain(params: unknown, signal: AbortSignal): Promise<null> {
    await switchTo(readChain(params), signal)
    return null
  }

  async function addChain(params: unknown, signal: AbortSignal): Promise<null> {
    const id = readChain(params)
    try {
      await switchTo(id, signal)
      return null
    } catch (thrown) {
      if (!(thrown instanceof Failure) || thrown.code !== 'SWITCH_NETWORK_NOT_FOUND') throw thrown
      const message = `${id} can’t be added: it isn’t one of the app’s configured networks`
      throw new Failure('INVALID_PARAMS', { message, cause: thrown })
    }
  }

  function addresses(namespace: Namespace): string[] {
    const connection = sessions.connection(namespace)
    if (connection.status === 'disconnected') return []
    return connection.accounts?.map(({ address }) => address) ?? []
  }
}

function permissionsOf(accounts: readonly string[]) {
  const caveats = [{ type: 'restrictReturnedAccounts', value: accounts }]
  return accounts.length === 0 ? [] : [{ parentCapability: 'eth_accounts', caveats }]
}

function readChain(params: unknown): CaipNetworkId {
  const parsed = NamesChain.safeParse(Array.isArray(params) ? params[0] : undefined)
  if (!parsed.success) throw new Failure('INVALID_PARAMS', { cause: parsed.error })
  return `eip155:${Number(parsed.data.chainId)}`
}
