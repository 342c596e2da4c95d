import { parseAnswer } from '@postern/chains/nodes/ask-node'
import { asFailure } from '@postern/protocol/wallet-errors'
import * as z from 'zod/mini'
import type { MoneyHost } from '../../snapshot/money'
import { signText } from '../sign-text'
import { stateOf } from './session-state'

/** The service chooses this part of the signed text. It must not look like anything else. */
const Pci = z.string().check(z.regex(/^[\w.:+/=-]{1,8192}$/))

export type Revocation = { readonly pci: string; readonly account: string }

/**
 * Revokes a permission.
 *
 * 1. The wallet revokes it on chain (`wallet_revokePermissions`). Rejects if the wallet does.
 * 2. A service that still lists it as active, or granted it without the wallet, must revoke it itself: it gets the
 *    user's signature over `Revoke <pci>` (interop §3). If the chain's state suffices, nothing is signed.
 * 3. If the service's list is unavailable, the wallet's revocation stands.
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
    // Rule 3.
    const { pcis } = await api.smartSessions(account).catch(() => ({ pcis: [] }))
    const listed = pcis.find((one) => one.pci === pci)
    if (listed === undefined || stateOf(listed, clock.now()) !== 'active') return
  }
  const address = account.slice(account.lastIndexOf(':') + 1)
  const signature = await signText(request, { address, text: `Revoke ${parseAnswer(Pci, pci)}` })
  await api.revokeSession(address, { pci, signature })
}
