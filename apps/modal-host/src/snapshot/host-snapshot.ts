import type { ConfiguredNetwork } from '@postern/chains/networks'
import type {
  CaipNetworkId,
  Connection,
  ConnectMethod,
  ErrorCode,
  Features,
  FrameExit,
  HostParams,
  Metadata,
  Namespace,
  PaymentRequest,
  ProjectPage,
  SocialProvider,
  SwapArguments,
  Theme,
  ThemeMode,
  WaitingTransaction,
} from '@postern/protocol'
import type { Approval } from './approval'
import type { ConnectAttempt, RelayStatus } from './connect-attempt'
import type { Embedded, ReturningUser } from './embedded'
import type { Alert, Snackbar } from './message'
import type { TrackedTransaction } from './money'
import type { SignIn } from './sign-in'
import type { SignInPrompt } from './sign-in-prompt'
import type { View } from './views'
import type { WalletRow } from './wallet-row'

export type HostSnapshot = {
  readonly signInMethods: {
    readonly email: boolean
    readonly socials: readonly SocialProvider[]
    readonly farcaster: boolean
  }
  /** The wallet's own window stores the wallet (`openWalletWindow('keep')` restores it). */
  readonly walletKept: boolean
  readonly signIn: SignIn | null
  readonly emailChange: EmailChangeAttempt | null
  readonly signInPrompt: SignInPrompt | null
  readonly embedded: Embedded | null
  /** Null once the wallet's frame has reported. */
  readonly returningUser: ReturningUser | null
  readonly approvals: readonly Approval[]
  /** To a wallet on another device; the first is on screen. */
  readonly walletRequests: readonly WalletRequest[]
  /** While the frame takes a code or a press. `height` in CSS px; null until drawn. */
  readonly codeEntry: { readonly id: string; readonly height: number | null } | null
  /** How the keyboard last left the frame. */
  readonly walletFrameExit: { readonly key: number; readonly by: FrameExit } | null
  /** False until `init`. */
  readonly ready: boolean
  readonly topLevel?: true
  readonly open: boolean
  readonly opening: {
    readonly key: number
    readonly view: View
    readonly swap?: SwapArguments
  }
  /** Feature flags (spec §1): the project's override the dapp's. */
  readonly features: Features
  readonly money: ProjectPage['money']
  readonly brand: Pick<HostParams<'init'>, 'disclaimer' | 'overrides' | 'logo' | 'avatar'>
  /** Null without terms to accept (spec §1). */
  readonly legal: {
    readonly termsUrl: string | null
    readonly privacyUrl: string | null
    readonly accepted: boolean
  } | null
  readonly consentAsked: boolean
  /** Newest first. */
  readonly transactions: readonly TrackedTransaction[]
  /** Transactions in no block yet, as Activity last read them. */
  readonly waiting: readonly WaitingTransaction[]
  readonly payment: PaymentRequest | null
  /** Filters rows and directory (`connect({ namespace })`, SwitchActiveChain). */
  readonly wantedNamespace: Namespace | null
  /** The only method on Connect (`connect({ social })`, `connect({ email })`). */
  readonly wantedMethod:
    | { readonly kind: 'social'; readonly provider: SocialProvider }
    | { readonly kind: 'email'; readonly email: string }
    | null
  readonly namespaces: readonly Namespace[]
  readonly connectMethods: readonly ConnectMethod[]
  readonly relay: RelayStatus
  readonly refusedCloses: number
  readonly themeMode: ThemeMode
  readonly theme: Theme
  readonly locale: string
  readonly metadata: Metadata | null
  readonly networks: readonly ConfiguredNetwork[]
  readonly activeNetworkId: CaipNetworkId | null
  readonly connections: { readonly [N in Namespace]?: Connection }
  /** Sorted by group (spec §2), deduplicated. */
  readonly wallets: readonly WalletRow[]
  /** Null until counted. */
  readonly directoryCount: number | null
  readonly connectAttempt: ConnectAttempt | null
  readonly switchAttempt: SwitchAttempt | null
  readonly nativeBalance: NativeBalance
  /** Increments when money may have moved: account data are stale. */
  readonly moves: number
  readonly snackbar: Snackbar | null
  readonly alert: Alert | null
}

export type WalletRequest = {
  readonly id: string
  readonly name: string
  readonly imageUrl?: string
  /** Cancelled on the page, but the wallet still shows it. */
  readonly isLeft?: boolean
}

export type SwitchAttempt = {
  readonly networkId: CaipNetworkId
  readonly status:
    | { readonly kind: 'waiting' }
    | { readonly kind: 'declined' }
    | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string }
}

export type EmailChangeAttempt = {
  readonly email: string
  readonly step: 'sending' | 'primary' | 'secondary'
  readonly error: { readonly code: ErrorCode; readonly message: string } | null
}

export type NativeBalance =
  | { readonly kind: 'loading' }
  /** `formatted`: rounded down to 3 decimals (spec §9); `'0.00'` on test and unsupported networks. */
  | { readonly kind: 'ready'; readonly formatted: string; readonly symbol: string }
  | { readonly kind: 'failed' }
