import { fromWalletError } from '@postern/protocol'
import { fromLinkError, LinkFailure } from './failure'

/** Whatever was thrown, by a wallet above all, as a failure with a code. Reading wallets' many words for no is not part of the first paint. */
export function asFailure(thrown: unknown): LinkFailure {
  return thrown instanceof LinkFailure ? thrown : fromLinkError(fromWalletError(thrown))
}
