import { SolanaAddress, safeRpcMethods } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { base58 } from '@scure/base'
import * as z from 'zod/mini'
import type { ChainAdapter } from '../adapter'

/** An ed25519 public key, or an address derived from a program: 32 bytes in base58, which has one way to write them and no checksum. */
export function isSolanaAddress(text: string): boolean {
  if (!SolanaAddress.safeParse(text).success) return false
  return base58.decode(text).length === 32
}

/** Lamports are 64 bits wide and come as a JSON number: beyond 2^53 it is as near as JSON gets. Source: https://solana.com/docs/rpc/http/getbalance */
const Balance = z.object({
  value: z.number().check(z.refine((value) => Number.isInteger(value) && value >= 0 && value < 2 ** 64)),
})

/** Solana's own methods have no namespace before their names; every other method of the table has one. */
const reads: ReadonlySet<string> = new Set(safeRpcMethods.filter((method) => !method.includes('_')))

export const adapter: ChainAdapter = {
  namespace: 'solana',

  async normaliseAddresses(addresses) {
    if (!addresses.every(isSolanaAddress)) throw new Failure('INVALID_PARAMS')
    return addresses
  },

  async nativeBalance({ rpc }, address, signal) {
    const params = [address, { commitment: 'confirmed' }]
    return BigInt(Balance.parse(await rpc.request({ method: 'getBalance', params }, signal)).value)
  },

  isChainRead: (method) => reads.has(method),

  read: ({ rpc }, method, params, signal) => rpc.request({ method, params }, signal),

  localAnswer(method, { accounts }) {
    if (method === 'solana_getAccounts') return accounts.map(({ address }) => ({ pubkey: address }))
    return undefined
  },
}
