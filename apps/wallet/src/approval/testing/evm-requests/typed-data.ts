/** Typed data (EIP-712). */

import type { ApprovalSubject } from '@postern/protocol'
import { approvalRequest } from '@postern/protocol/testing/approval-request'
import { own, token } from '../draw-card'

export const soon = '1795000000'

export const member = (name: string, type: string) => ({ name, type })
export type Members = readonly ReturnType<typeof member>[]
const plainDomain: Members = [
  member('name', 'string'),
  member('version', 'string'),
  member('chainId', 'uint256'),
  member('verifyingContract', 'address'),
]
export const saltDomain: Members = [
  member('name', 'string'),
  member('version', 'string'),
  member('verifyingContract', 'address'),
  member('salt', 'bytes32'),
]

export type Typed = {
  readonly types: Readonly<Record<string, Members>>
  readonly message: object
  readonly domain?: object
  readonly domainType?: Members
}

export function typedData(primaryType: string, { types, message, domain, domainType = plainDomain }: Typed) {
  const subject: ApprovalSubject = {
    kind: 'eip155.typedData',
    address: own,
    account: 'eoa',
    json: JSON.stringify({
      types: { EIP712Domain: domainType, ...types },
      primaryType,
      domain: domain ?? { name: 'X', version: '1', chainId: 1, verifyingContract: token },
      message,
    }),
  }
  return approvalRequest(subject, { method: 'eth_signTypedData_v4' })
}

export const at = (verifyingContract: string, chainId = 1) => ({ name: 'X', version: '1', chainId, verifyingContract })
