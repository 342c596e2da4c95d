import * as z from 'zod/mini'

export const NativeCurrency = z.strictObject({
  name: z.string(),
  symbol: z.string(),
  decimals: z.int().check(z.gte(0), z.lte(255)),
})
export type NativeCurrency = z.infer<typeof NativeCurrency>
