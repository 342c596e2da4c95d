/** The facts of each view. Code and title are in `views/registry.ts`; transitions, in `boot/navigation/follow.ts`. */
export type ViewFacts = {
  /**
   * What the view is about, and ends with:
   *
   * - `anyone`: needs no account.
   * - `account`: a connected account. Connect then replaces the view.
   * - `owner`: the embedded wallet's signed-in user.
   * - `attempt`: a connection attempt.
   * - `signIn`: a sign-in by email or social account.
   * - `request`: requests that wait for the user.
   * - `prompt`: a sign-in with the wallet.
   */
  readonly for: 'anyone' | 'account' | 'owner' | 'attempt' | 'signIn' | 'request' | 'prompt'
  /** Where the user starts (spec §2). */
  readonly home?: true
  readonly feature?: 'send' | 'receive' | 'swaps' | 'onramp' | 'history' | 'smartSessions'
  readonly choosesWallet?: true
  readonly needsTerms?: true
  /** The user fills it in or pays in it: a sign-in that covers it leads back. */
  readonly resumes?: true
  /** What Back also does; `none`: no Back. */
  readonly back?: 'cancelsConnection' | 'cancelsSignIn' | 'cancelsEmailChange' | 'clearsWalletFilter' | 'none'
  /** The content already names the view: its title is for screen readers only. */
  readonly hidesTitle?: true
  readonly hasHelp?: true
}

const attempt = { for: 'attempt', choosesWallet: true, back: 'cancelsConnection' } as const
const signIn = { for: 'signIn', back: 'cancelsSignIn' } as const
const emailChange = { for: 'owner', back: 'cancelsEmailChange' } as const

export const viewFacts = {
  Connect: { for: 'anyone', home: true, choosesWallet: true, back: 'clearsWalletFilter', hasHelp: true },
  AllWallets: { for: 'anyone', choosesWallet: true, needsTerms: true },
  WhatIsAWallet: { for: 'anyone' },
  Networks: { for: 'anyone' },

  ConnectingExternal: attempt,
  ConnectingWalletConnect: attempt,
  ConnectingWalletConnectBasic: { ...attempt, needsTerms: true },
  GetWallet: { for: 'attempt' },

  EmailVerifyDevice: signIn,
  EmailVerifyOtp: signIn,
  ConnectingSocial: signIn,
  ConnectingFarcaster: signIn,

  ApproveTransaction: { for: 'request', back: 'none' },
  WalletRequest: { for: 'request' },
  SIWXSignMessage: { for: 'prompt' },
  ConnectingSiwe: { for: 'prompt' },

  Account: { for: 'account', home: true, hidesTitle: true },
  UnsupportedChain: { for: 'account', home: true },
  SwitchActiveChain: { for: 'account' },

  WalletReady: { for: 'owner' },
  AccountTypes: { for: 'owner' },
  WalletSecurity: { for: 'owner' },
  UpdateEmail: { for: 'owner' },
  UpdateEmailPrimaryOtp: emailChange,
  UpdateEmailSecondaryOtp: emailChange,
  MoveAssets: { for: 'owner' },
  RemoveDevice: { for: 'owner' },
  DeleteAccount: { for: 'owner' },

  Tokens: { for: 'account' },
  Nfts: { for: 'account' },
  NftDetails: { for: 'account' },
  Activity: { for: 'account', feature: 'history' },
  RegisterAccountName: { for: 'account' },
  RegisterAccountNameSuccess: { for: 'account' },
  OnRamp: { for: 'account', feature: 'onramp', resumes: true },
  OnRampCurrency: { for: 'account' },
  OnRampReturn: { for: 'account' },
  SmartSessions: { for: 'account', feature: 'smartSessions' },
  Pay: { for: 'account', resumes: true },
  Send: { for: 'account', feature: 'send', resumes: true },
  SendSelectToken: { for: 'account' },
  SendPreview: { for: 'account' },
  Receive: { for: 'account', feature: 'receive' },
  Swap: { for: 'account', feature: 'swaps', resumes: true },
  SwapSelectToken: { for: 'account' },
  SwapPreview: { for: 'account' },
  TransactionProgress: { for: 'account' },
} as const satisfies Readonly<Record<string, ViewFacts>>

export type View = keyof typeof viewFacts

export function factsOfView(view: View): ViewFacts {
  return viewFacts[view]
}

export type PromptView = {
  readonly [V in View]: (typeof viewFacts)[V] extends { readonly for: 'prompt' } ? V : never
}[View]

export function isPromptView(view: View): view is PromptView {
  return factsOfView(view).for === 'prompt'
}
