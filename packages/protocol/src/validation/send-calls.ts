import * as z from 'zod/mini'

const ZeroX = z.string().check(z.regex(/^0x[0-9a-fA-F]*$/))

/** EIP-5792: `to` and `data` start with 0x. Unknown members are kept. */
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
