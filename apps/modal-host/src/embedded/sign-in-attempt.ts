import type { Clock } from '@postern/base/clock'
import type { EmbeddedStore } from '../connectors/embedded/stored'
import type { AskWallet } from '../connectors/embedded/wallet-frame/wallet-frame'
import type { SignIn } from '../snapshot/contract'
import type { Popup } from '../snapshot/popup'
import type { AskCode } from './ask-code'

export type SignInAttempt = {
  readonly signal: AbortSignal
  show(signIn: SignIn): void
  /** Null if the attempt has ended. Raises the failure's alert. */
  errorOf(thrown: unknown): NonNullable<SignIn['error']> | null
  /** After authentication: creates or loads the key, and connects. */
  open(): Promise<void>
}

export type RunningSignIn = {
  resend(): void
  retry(popup: Popup | null): void
  codeWanted(): void
  end(): void
}

export type SignInWayOptions = {
  readonly ask: AskWallet
  readonly askCode: AskCode
  readonly clock: Clock
  readonly stored: EmbeddedStore
  readonly walletOrigin: string
  readonly openTab: (url: string) => Promise<unknown>
}
