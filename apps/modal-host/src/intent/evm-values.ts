/** Values in typed data. */
import * as z from 'zod/mini'

export const Address = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/))

/** Decimal, hexadecimal or a JSON number. */
export const Uint = z.pipe(
  z.union([z.string().check(z.regex(/^(\d{1,78}|0x[0-9a-fA-F]{1,64})$/)), z.int().check(z.gte(0))]),
  z.transform((value) => BigInt(value)),
)
