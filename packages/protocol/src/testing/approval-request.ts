import type { ApprovalRequest, ApprovalSubject } from '../approval'

/** A prepared request, as the wallet's frame sends it. */
export function approvalRequest(subject: ApprovalSubject, changes: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    id: '1',
    method: 'eth_sendTransaction',
    networkId: 'eip155:1',
    origin: 'https://app.example',
    digest: '0'.repeat(64),
    subject,
    ...changes,
  }
}
