import * as z from 'zod/mini'

const checks = [z.maxLength(65_536), z.regex(/^data:image\//)] as const

/** A `data:` URI, which causes no request. */
export const DataImage = z.string().check(...checks)

/** White space is dropped. */
export const OptionImage = z.string().check(z.trim(), ...checks)

/** Spec §2, group `custom`. Links are checked when opened. */
export const CustomWallet = z.strictObject({
  id: z.string().check(z.minLength(1), z.maxLength(128)),
  name: z.string().check(z.minLength(1), z.maxLength(128)),
  imageUrl: z.optional(OptionImage),
  homepage: z.optional(z.string().check(z.maxLength(2048))),
  chains: z.optional(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(128))),
  rdns: z.optional(z.string().check(z.maxLength(256))),
  mobile_link: z.optional(z.string().check(z.maxLength(2048))),
  desktop_link: z.optional(z.string().check(z.maxLength(2048))),
  webapp_link: z.optional(z.string().check(z.maxLength(2048))),
  app_store: z.optional(z.string().check(z.maxLength(2048))),
  play_store: z.optional(z.string().check(z.maxLength(2048))),
  chrome_store: z.optional(z.string().check(z.maxLength(2048))),
})
export type CustomWallet = z.infer<typeof CustomWallet>
