import * as z from 'zod/mini'

/** What a connected address shows; both are absent if unknown. */
export const Profile = z.strictObject({
  /** ENS, or a name of the gateway: one line of at most 64 characters. */
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
  /** The dapp's own `avatar`, else the name's: a `data:` URI of at most 262,144 characters. */
  avatar: z.optional(z.string().check(z.maxLength(262_144))),
})
export type Profile = z.infer<typeof Profile>
