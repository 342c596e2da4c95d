import * as z from 'zod/mini'

const ZeroX = z.string().check(z.regex(/^0x[0-9a-fA-F]*$/))

/** Parameters of `wallet_sendCalls` (EIP-5792): `to` and `data` of each call start with 0x. Members that we do not know stay as they are. */
export const SendCallsParams = z.tuple([
  z.looseObject({
    chainId: z.optional(ZeroX),
    from: z.optional(ZeroX),
    calls: z
      .array(z.looseObject({ to: z.optional(ZeroX), data: z.optional(ZeroX), value: z.optional(z.unknown()) }))
      .check(z.minLength(1)),
  }),
])
export type SendCallsParams = z.infer<typeof SendCallsParams>
