import type { ApprovalSubject } from '@postern/protocol'

export function sends(subject: ApprovalSubject): boolean {
  switch (subject.kind) {
    case 'eip155.transaction':
    case 'eip155.transactions':
    case 'eip155.userOperation':
    case 'eip155.permissions':
      return true
    case 'solana.transactions':
    case 'bip122.psbt':
    case 'unprepared':
      return subject.sends
    case 'eip155.message':
    case 'eip155.typedData':
    case 'solana.message':
    case 'bip122.message':
    case 'user':
      return false
  }
}
