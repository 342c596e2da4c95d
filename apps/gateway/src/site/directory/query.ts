/** The query of `GET /getWallets` (interop §2). */
import { limits } from '@postern/protocol'
import * as z from 'zod/mini'

const positive = (max: number) =>
  z.pipe(
    z.string().check(z.regex(/^[1-9]\d{0,6}$/, `must be a whole number from 1 to ${max}`)),
    z.pipe(
      z.transform((text: string) => Number(text)),
      z.int().check(z.lte(max, `must be at most ${max}`)),
    ),
  )

/** Comma-separated, as existing clients send it. */
const list = z.pipe(
  z.string().check(z.maxLength(8_192, 'must be at most 8192 characters')),
  z.pipe(
    z.transform((text: string) =>
      text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    ),
    z.array(z.string()).check(z.maxLength(500, 'must name at most 500')),
  ),
)

/** CAIP-2 ids or namespaces, also those that Postern does not support. */
const chains = z.pipe(
  list,
  z
    .array(z.string())
    .check(
      z.refine(
        (values) => values.every((value) => /^[-a-z0-9]{3,8}(:[-_a-zA-Z0-9]{1,32})?$/.test(value)),
        'must be CAIP-2 ids such as eip155:1, joined by commas',
      ),
    ),
)

/** 40 entries by default, at most 100 (spec §9). Unknown parameters are dropped. */
export const WalletQuery = z.object({
  page: z._default(positive(1_000_000), 1),
  entries: z._default(positive(limits.walletSearchEntries), limits.walletPageEntries),
  /** Directory ids, reverse domain names or explorer ids. */
  include: z.optional(list),
  exclude: z.optional(list),
  chains: z.optional(chains),
  search: z.optional(z.string().check(z.maxLength(100, 'must be at most 100 characters'))),
  badge_type: z.optional(z.enum(['none', 'certified'], { error: 'must be none or certified' })),
  rdns: z.optional(list),
  names: z.optional(list),
})
export type WalletQuery = z.infer<typeof WalletQuery>
