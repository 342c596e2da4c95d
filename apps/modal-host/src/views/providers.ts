import type { SocialProvider } from '@postern/protocol'

/** A way to sign in with an account that is elsewhere. */
export type SignInProvider = SocialProvider | 'farcaster'

/** Names are the same in every language. */
export const providerNames: Readonly<Record<SignInProvider, string>> = {
  google: 'Google',
  github: 'GitHub',
  apple: 'Apple',
  facebook: 'Facebook',
  x: 'X',
  discord: 'Discord',
  farcaster: 'Farcaster',
}
