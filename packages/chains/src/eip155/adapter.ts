import { type CaipNetworkId, Eip155Address } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import type { ChainAdapter } from '../adapter'
import { askNode } from '../nodes/ask-node'

/** Source: https://ethereum.org/developers/docs/apis/json-rpc/#quantities-encoding */
export const Quantity = z.string().check(z.regex(/^0x[0-9a-fA-F]{1,64}$/))

export const adapter: ChainAdapter = {
  namespace: 'eip155',

  async normaliseAddresses(addresses) {
    const parsed = z.array(Eip155Address).safeParse(addresses)
    if (!parsed.success) throw new Failure('INVALID_PARAMS', { cause: parsed.error })
    // Keeps the hash function out of the first paint.
    const { checksumAddress } = await import('./checksum')
    return parsed.data.map(checksumAddress)
  },

  async nativeBalance({ rpc }, address, signal) {
    return BigInt(await askNode(rpc, Quantity, 'eth_getBalance', [address, 'latest'], signal))
  },

  ping: ({ rpc }, signal) => rpc.request({ method: 'eth_chainId' }, signal),

  isChainRead: (method) => method.startsWith('eth_'),

  read: ({ rpc }, method, params, signal) => rpc.request({ method, params }, signal),

  localAnswer(method, { networkId, accounts }) {
    if (method === 'eth_accounts') return accounts.map(({ address }) => address)
    if (method === 'eth_chainId') return `0x${chainIdOf(networkId).toString(16)}`
    return undefined
  },
}

export function chainIdOf(networkId: CaipNetworkId): number {
  return Number(networkId.slice(networkId.indexOf(':') + 1))
}

/** EIP-1193 requires hex; wallets also send decimal strings and numbers. */
export function networkIdFromWallet(value: unknown): CaipNetworkId | undefined {
  const isText = typeof value === 'string' && /^(0x[0-9a-fA-F]{1,14}|[1-9][0-9]{0,15})$/.test(value)
  const chainId = isText ? Number(value) : value
  return typeof chainId === 'number' && Number.isSafeInteger(chainId) && chainId > 0 ? `eip155:${chainId}` : undefined
}
