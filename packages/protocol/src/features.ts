/** Feature flags: what a dapp, a project's row or a remote configuration can switch on and off (spec §1). */
import * as z from 'zod/mini'

/** Social sign-in providers (spec §5), in the order in which they are shown. */
export const socialProviders = ['google', 'github', 'apple', 'facebook', 'x', 'discord'] as const
export const SocialProvider = z.enum(socialProviders)
export type SocialProvider = z.infer<typeof SocialProvider>

/** A way to sign in with an account that is elsewhere. */
export type SignInProvider = SocialProvider | 'farcaster'

/** Names are the same in every language. */
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

/** Flags that somebody set; what is absent is for somebody else to say. */
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

/** What the visitor may find in the modal. A flag that is on shows nothing where its feature has nothing to offer. */
export const Features = z.required(SomeFeatures)
export type Features = z.infer<typeof Features>

/** Defaults of spec §1. */
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

/** One flag of a project's remote configuration (`GET /appkit/v1/config`). */
export const RemoteFeature = z.object({
  id: z.string(),
  isEnabled: z.boolean(),
  config: z.nullish(z.array(z.string())),
})
export type RemoteFeature = z.infer<typeof RemoteFeature>

/** Names that hosted services use for our flags. */
const remoteNames: ReadonlyMap<string, Exclude<keyof Features, 'socials'>> = new Map([
  ['swap', 'swaps'],
  ['swaps', 'swaps'],
  ['onramp', 'onramp'],
  ['receive', 'receive'],
  ['send', 'send'],
  ['email', 'email'],
  ['activity', 'history'],
  ['history', 'history'],
  ['analytics', 'analytics'],
  ['legalCheckbox', 'legalCheckbox'],
  ['smartSessions', 'smartSessions'],
  ['pay', 'pay'],
  ['payments', 'pay'],
])

/**
 * Local flags with a project's remote ones on top: remote wins (interop §2). A flag that we do not know changes nothing.
 * `social_login` lists providers and, among them, `email`; `socials` lists providers only.
 */
export function applyRemoteFeatures(local: Features, remote: readonly RemoteFeature[]): Features {
  let features = local
  for (const { id, isEnabled, config } of remote) {
    const name = remoteNames.get(id)
    if (name !== undefined) features = { ...features, [name]: isEnabled }
    if (id !== 'socials' && id !== 'social_login') continue
    const socials = isEnabled ? socialProviders.filter((provider) => config?.includes(provider) ?? true) : []
    features = { ...features, socials }
    if (id === 'social_login') features = { ...features, email: isEnabled && (config?.includes('email') ?? true) }
  }
  return features
}
