import * as z from 'zod/mini'
import { bip122Rules } from '../recipient/bip122'
import type { NamespaceFeatures } from './namespace-features'

const Params = z.object({ psbt: z.optional(z.string()) })

export const bip122: NamespaceFeatures = {
  recipient: bip122Rules,
  loadSender: async () => (await import('../send/senders/bip122')).sender,
  tokenFacts: async () => ({}),
  sent(hash, { params, from }) {
    const { psbt } = Params.safeParse(params).data ?? {}
    return { namespace: 'bip122', hash, address: from, ...(psbt !== undefined && { psbt }) }
  },
}
