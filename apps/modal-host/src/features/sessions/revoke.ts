/** Taking back what an app may do in the visitor's name. */

import { parseAnswer } from '@postern/chains/ask-node'
import { asFailure } from '@postern/protocol/wallet-errors'
import * as z from 'zod/mini'
import type { MoneyHost } from '../../snapshot/money'
import { signText } from '../sign-text'
import { stateOf } from './session-state'

/** What may be signed for a service: it names one permission, and reads as nothing else. */
const Pci = z.string().check(z.regex(/^[\w.:+/=-]{1,8192}$/))

/** `account` is the CAIP-10 account that granted it. */
export type Revocation = { readonly pci: string; readonly account: string }

/**
 * 1. The wallet ends it on the chain (`wallet_revokePermissions`). Rejects with its no.
 * 2. A service that still lists it as good then, or that gave a permission which the wallet knows nothing of, has to end it itself: it is told so with the
 *    owner's signature over `Revoke <pci>` (interop §3). Where the chain's word is enough nothing is signed.
 * 3. A service that does not say what it lists takes nothing back from what the wallet ended: it is over, and the next look at the list shows what there is to do.
 */
export async function revoke(
  { api, request, clock }: Pick<MoneyHost, 'api' | 'request' | 'clock'>,
  { pci, account }: Revocation,
): Promise<void> {
  const isTheWallets = await request('eip155', 'wallet_revokePermissions', [{ permissionsContext: pci }]).then(
    () => true,
    (thrown: unknown) => {
      if (asFailure(thrown).code === 'INVALID_PARAMS') return false
      throw thrown
    },
  )
  if (isTheWallets) {
    // 3.
    const { pcis } = await api.smartSessions(account).catch(() => ({ pcis: [] }))
    const listed = pcis.find((one) => one.pci === pci)
    if (listed === undefined || stateOf(listed, clock.now()) !== 'active') return
  }
  const address = account.slice(account.lastIndexOf(':') + 1)
  const signature = await signText(request, { address, text: `Revoke ${parseAnswer(Pci, pci)}` })
  await api.revokeSession(address, { pci, signature })
}
