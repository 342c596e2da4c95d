import * as z from 'zod/mini'
import { SendOptions } from '../wallet-requests'
import { Address, Base64 } from './fields'

export const solanaSubjects = [
  /** ed25519 over the bytes of `message` (base64). */
  z.object({ kind: z.literal('solana.message'), address: Address, message: Base64 }),
  /** Wire format, base64. `sends`: the wallet also sends them. */
  z.object({
    kind: z.literal('solana.transactions'),
    address: Address,
    transactions: z.array(Base64).check(z.minLength(1), z.maxLength(32)),
    sends: z.boolean(),
    sendOptions: z.optional(SendOptions),
  }),
] as const
