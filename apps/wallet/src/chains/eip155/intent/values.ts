import * as z from 'zod/mini'

export const Address = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/))

/** Every form that the signer accepts, with leading zeros and `-0`. */
export const Uint = z.pipe(
  z.union([z.string().check(z.regex(/^(?:-?\d{1,80}|0x[0-9a-fA-F]{1,64})$/)), z.int()]),
  z.pipe(
    z.transform((value: string | number) => BigInt(value)),
    z.bigint().check(z.gte(0n)),
  ),
)
