import type { Clock } from '@postern/protocol/clock'
import type { EmbeddedStore } from '../connectors/embedded/stored'
import type { AskWallet } from '../connectors/embedded/wallet-frame/wallet-frame'
import type { SignIn } from '../snapshot/contract'
import type { Popup } from '../snapshot/popup'

/** One try to sign in, as its steps see it. Whatever an attempt that is over does changes nothing any more. */
export type SignInAttempt = {
  readonly signal: AbortSignal
  show(signIn: SignIn): void
  /** In the words of the catalogue; null once the attempt is over: nobody needs to see it. Raises the alert of failures that have one. */
  errorOf(thrown: unknown): NonNullable<SignIn['error']> | null
  /** The visitor is who they say: the key is made or found, and the wallet connected. Rejects with what went wrong. */
  open(): Promise<void>
}

/** What a way to sign in can be told besides. */
export type SignInWay = {
  submitCode(otp: string): void
  resend(): void
  retry(popup: Popup | null): void
  /** The page of the social sign-in shows six digits to type here. */
  codeWanted(): void
  end(): void
}

export type SignInWayOptions = {
  readonly ask: AskWallet
  readonly clock: Clock
  readonly stored: EmbeddedStore
  /** Origin of the wallet's pages. */
  readonly walletOrigin: string
  /** The page opens an address in a tab; rejects where the browser does not let it. */
  readonly openTab: (url: string) => Promise<unknown>
}
