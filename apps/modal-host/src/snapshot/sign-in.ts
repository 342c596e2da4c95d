import type { ErrorCode, SocialProvider } from '@postern/protocol'

/** `error` has the catalogue's message; the failed step stays. */
export type SignIn = {
  readonly error: { readonly code: ErrorCode; readonly message: string } | null
} & (
  | {
      readonly kind: 'email'
      readonly email: string
      /**
       * `device`: a link was emailed; `code`: a code was emailed. `opening`: signed in; the key is created or loaded.
       */
      readonly step: 'sending' | 'device' | 'code' | 'opening'
      /** Epoch ms from which another email may be sent (30 s, spec §9). */
      readonly resendAt: number
    }
  | {
      readonly kind: 'social'
      readonly provider: SocialProvider
      /** `code`: the provider's page shows six digits, which the wallet's frame takes. */
      readonly step: 'starting' | 'window' | 'code' | 'opening'
    }
  | { readonly kind: 'farcaster'; readonly step: 'starting' | 'waiting' | 'opening'; readonly url?: string }
)
