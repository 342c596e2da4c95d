import * as z from 'zod/mini'

/** In display order (spec §5). */
export const socialProviders = ['google', 'github', 'apple', 'facebook', 'x', 'discord'] as const
export const SocialProvider = z.enum(socialProviders)
export type SocialProvider = z.infer<typeof SocialProvider>

export type SignInProvider = SocialProvider | 'farcaster'

/** Not translated. */
export const signInProviderNames: Readonly<Record<SignInProvider, string>> = {
  google: 'Google',
  github: 'GitHub',
  apple: 'Apple',
  facebook: 'Facebook',
  x: 'X',
  discord: 'Discord',
  farcaster: 'Farcaster',
}

const Flag = z.optional(z.boolean())

/** The next source decides an absent flag. */
export const SomeFeatures = z.strictObject({
  swaps: Flag,
  onramp: Flag,
  receive: Flag,
  send: Flag,
  email: Flag,
  history: Flag,
  analytics: Flag,
  legalCheckbox: Flag,
  smartSessions: Flag,
  pay: Flag,
  socials: z.optional(z.array(SocialProvider)),
})
export type SomeFeatures = z.infer<typeof SomeFeatures>

/** An enabled feature with nothing to offer stays hidden. */
export const Features = z.required(SomeFeatures)
export type Features = z.infer<typeof Features>

export const defaultFeatures: Features = {
  swaps: true,
  onramp: true,
  receive: true,
  send: true,
  email: true,
  history: true,
  analytics: true,
  legalCheckbox: false,
  smartSessions: false,
  pay: false,
  socials: [...socialProviders],
}

export const RemoteFeature = z.object({
  id: z.string(),
  isEnabled: z.boolean(),
  config: z.nullish(z.array(z.string())),
})
export type RemoteFeature = z.infer<typeof RemoteFeature>
