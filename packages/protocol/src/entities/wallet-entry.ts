import * as z from 'zod/mini'

/** Absent or null: no link. */
const WalletLink = z.optional(z.nullable(z.string().check(z.maxLength(2048))))

/** Spec §3, as the directory sends it (`GET /getWallets`). */
export const WalletEntry = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(128)),
  name: z.string().check(z.minLength(1), z.maxLength(128)),
  homepage: WalletLink,
  image_id: z.optional(z.nullable(z.string().check(z.maxLength(128)))),
  image_url: WalletLink,
  order: z.optional(z.nullable(z.number())),
  /** CAIP-2 ids. */
  chains: z.optional(z.nullable(z.array(z.string()))),
  rdns: z.optional(z.nullable(z.string().check(z.maxLength(256)))),
  /** WalletConnect explorer ids, 64 hexadecimal characters each. A dapp may name the wallet by them. */
  explorer_ids: z.optional(z.nullable(z.array(z.string()))),
  badge_type: z.optional(z.nullable(z.enum(['none', 'certified']))),
  mobile_link: WalletLink,
  desktop_link: WalletLink,
  webapp_link: WalletLink,
  link_mode: WalletLink,
  app_store: WalletLink,
  play_store: WalletLink,
  chrome_store: WalletLink,
  injected: z.optional(
    z.nullable(z.array(z.object({ namespace: z.optional(z.string()), injected_id: z.optional(z.string()) }))),
  ),
})
export type WalletEntry = z.infer<typeof WalletEntry>
