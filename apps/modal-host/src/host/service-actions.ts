import type { OnceLoaded } from '@postern/base/once-loaded'
import type { SignInAccess } from '../sign-in-with-wallet/access'
import type { AnalyticsActions, MoneyActions, SignInWithWalletActions } from '../snapshot/actions'
import type { PageServices } from './page-services'

export function createServiceActions(
  services: OnceLoaded<PageServices>,
  /** Null if the dapp has no sign-in with wallet. */
  signIn: SignInAccess | null,
): MoneyActions & AnalyticsActions & SignInWithWalletActions {
  return {
    refreshBalance: () => services.send(({ balance }) => balance.refresh()),
    settlePayment: (...args) => services.send(({ payments }) => payments.settle(...args)),
    consent: (...args) => services.send((code) => code.consent(...args)),
    signInWithWallet: () => signIn?.prompts.send((prompts) => prompts.sign()),
    cancelSignInWithWallet: () => signIn?.prompts.send((prompts) => prompts.cancel()),
  }
}
