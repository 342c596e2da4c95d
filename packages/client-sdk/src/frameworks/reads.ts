/** Loads after a component's first render. */
import type { Siwx } from '../types/index'
import type { AccountState } from './selectors'

export { type Balance, readBalance } from './balance'

/** `unknown` without `siwx`, and until the plugin answers. */
export type SignInStatus = 'unknown' | 'signedIn' | 'signedOut'

/** Never rejects. */
export async function readSignIn(siwx: Siwx | undefined, account: AccountState): Promise<SignInStatus> {
  const { address, networkId } = account
  if (siwx === undefined) return 'unknown'
  if (address === undefined || networkId === undefined) return 'signedOut'
  try {
    return (await siwx.getSessions(networkId, address)).length > 0 ? 'signedIn' : 'signedOut'
  } catch {
    return 'unknown'
  }
}
