import * as z from 'zod/mini'

/** Name and avatar of a connected address, where known. */
export const Profile = z.strictObject({
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
  avatar: z.optional(z.string().check(z.maxLength(262_144))),
})
export type Profile = z.infer<typeof Profile>
