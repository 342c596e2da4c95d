import { factsOfMethod, SolanaAddress } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { base58 } from '@scure/base'
import * as z from 'zod/mini'
import type { ChainAdapter } from '../adapter'
import { askNode } from '../nodes/ask-node'

/** 32 bytes; base58 has no checksum. */
export function isSolanaAddress(text: string): boolean {
  if (!SolanaAddress.safeParse(text).success) return false
  return base58.decode(text).length === 32
}

/** Lamports, inexact above 2^53. Source: https://solana.com/docs/rpc/http/getbalance */
const Balance = z.object({
  value: z.number().check(z.refine((value) => Number.isInteger(value) && value >= 0 && value < 2 ** 64)),
})

export const adapter: ChainAdapter = {
  namespace: 'solana',

  async normaliseAddresses(addresses) {
    if (!addresses.every(isSolanaAddress)) throw new Failure('INVALID_PARAMS')
    return addresses
  },

  async nativeBalance({ rpc }, address, signal) {
    const params = [address, { commitment: 'confirmed' }]
    return BigInt((await askNode(rpc, Balance, 'getBalance', params, signal)).value)
  },

  ping: ({ rpc }, signal) => rpc.request({ method: 'getVersion' }, signal),

  isChainRead(method) {
    const facts = factsOfMethod(method)
    return facts?.node === true && facts.namespace === 'solana'
  },

  read: ({ rpc }, method, params, signal) => rpc.request({ method, params }, signal),

  localAnswer(method, { accounts }) {
    if (method === 'solana_getAccounts') return accounts.map(({ address }) => ({ pubkey: address }))
    return undefined
  },
}
