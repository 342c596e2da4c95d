import * as z from 'zod/mini'

/** `0x` and 64 hexadecimal digits (spec §5). */
export const TransactionHash = z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/))
