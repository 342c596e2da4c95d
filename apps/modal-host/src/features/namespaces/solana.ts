import { Failure } from '@postern/protocol/failure'
import * as z from 'zod/mini'
import { solanaRules } from '../recipient/solana'
import type { NamespaceFeatures } from './namespace-features'

const Mint = z.object({
  value: z.object({
    data: z.object({
      parsed: z.object({ type: z.literal('mint'), info: z.object({ decimals: z.int().check(z.gte(0), z.lte(255)) }) }),
    }),
  }),
})
const Params = z.object({ transaction: z.string() })

export const solana: NamespaceFeatures = {
  recipient: solanaRules,
  loadSender: async () => (await import('../send/senders/solana/sender')).sender,
  async tokenFacts({ rpc }, address, signal) {
    const params = [address, { encoding: 'jsonParsed', commitment: 'confirmed' }]
    const mint = Mint.safeParse(await rpc.request({ method: 'getAccountInfo', params }, signal))
    return mint.success ? { decimals: mint.data.value.data.parsed.info.decimals } : {}
  },
  sent(hash, { params }) {
    const request = Params.safeParse(params)
    if (!request.success) throw new Failure('INVALID_PARAMS', { cause: request.error })
    return { namespace: 'solana', hash, transaction: request.data.transaction }
  },
}
