import * as z from 'zod/mini'
import { CaipNetworkId } from '../caip'

/** WalletConnect (spec §3). */
export const SessionEvent = z.object({
  id: z.union([z.int(), z.string()]),
  topic: z.string(),
  params: z.object({
    chainId: CaipNetworkId,
    event: z.object({ name: z.string(), data: z.optional(z.unknown()) }),
  }),
})
export type SessionEvent = z.infer<typeof SessionEvent>
