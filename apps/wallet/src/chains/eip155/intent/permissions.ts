/** Permissions (ERC-7715), from the calls that store them on chain. */

import type { CallContext } from '@postern/chains/eip155/decode-call'
import { permit2 } from '@postern/chains/eip155/decode-call'
import { isSameAddress } from '@postern/chains/same-address'
import type { ApprovalSubject } from '@postern/protocol'
import type { IntentStep } from '../../../intent/intent'
import { readCalls } from './nested-calls'

type Permissions = Extract<ApprovalSubject, { kind: 'eip155.permissions' }>

/**
 * 1. A granted allowance is a permission of its signer, at least as grave as the equal `approve`.
 * 2. A limited approval of Permit2 is not shown: without a permission, no account can use it.
 * 3. Anything else in the calls is shown as in any transaction.
 */
export function readGrant({ calls, signer, permissions }: Permissions, context: CallContext): readonly IntentStep[] {
  const [type = ''] = permissions.map((permission) => permission.type)
  return calls
    .flatMap((call) => readCalls(call, context))
    .flatMap((step): readonly IntentStep[] => {
      if (step.kind !== 'approve') return [step]
      if (isSameAddress(step.spender, permit2) && step.amount.unlimited !== true) return []
      if (signer === undefined || !isSameAddress(step.spender, signer)) return [step]
      const { spender, amount, expiry, contract } = step
      const fields = contract === undefined ? [] : [{ name: 'contract', value: contract, type: 'address' }]
      return [{ kind: 'permission', action: 'grant', type, fields, signer: spender, amount, ...(expiry && { expiry }) }]
    })
}

export function readRevoke({ signer, permissions }: Permissions): readonly IntentStep[] {
  return permissions.map(({ type, data }) => ({
    kind: 'permission',
    action: 'revoke',
    type,
    fields: Object.entries(data).map(([name, value]) => ({ name, value: String(value) })),
    ...(signer !== undefined && { signer }),
  }))
}
