import type { ApprovalSubject } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { SignJob } from '../contract'

type Sign = (job: SignJob) => Promise<string>

/** For everything that happens before an approval: nothing is signed. */
export const noSigning: Sign = async () => {
  throw new Failure('UNAUTHORIZED')
}

/**
 * Signs what was approved and nothing else, whatever the chain's code asks for.
 *
 * 1. A message, a transaction or a PSBT is signed only as its bytes stand in the subject, and each at most once.
 * 2. A smart account's request is signed as typed data or as a message of its own making, which the subject does not hold: of those one for each call that the
 *    account makes, which is one in all.
 */
export function signingGate(subject: ApprovalSubject, sign: Sign): Sign {
  const signed = new Set<string>()
  return async (job) => {
    const what = fits(subject, job)
    if (what === null || signed.has(what)) throw new Failure('TRANSACTION_MISMATCH')
    signed.add(what)
    return sign(job)
  }
}

/** A name for what of the subject the job signs; null where it is none of it. */
function fits(subject: ApprovalSubject, job: SignJob): string | null {
  switch (subject.kind) {
    case 'eip155.message':
      if (subject.account === 'smartAccount') return ofSmartAccount(job)
      return job.kind === 'eip155.message' && job.message === subject.message ? 'message' : null
    case 'eip155.typedData':
      if (subject.account === 'smartAccount') return ofSmartAccount(job)
      return job.kind === 'eip155.typedData' && job.json === subject.json ? 'typedData' : null
    case 'eip155.transaction':
      return job.kind === 'eip155.transaction' && job.unsigned === subject.unsigned ? job.unsigned : null
    case 'eip155.transactions':
      return job.kind === 'eip155.transaction' && subject.transactions.some(({ unsigned }) => unsigned === job.unsigned)
        ? job.unsigned
        : null
    case 'eip155.userOperation':
    case 'eip155.permissions':
      return ofSmartAccount(job)
    case 'solana.message':
      return job.kind === 'solana.message' && job.message === subject.message ? 'message' : null
    case 'solana.transactions':
      return job.kind === 'solana.transactions' &&
        job.transactions.length > 0 &&
        job.transactions.every((transaction) => subject.transactions.includes(transaction))
        ? job.transactions.join(' ')
        : null
    case 'bip122.message':
      return job.kind === 'bip122.message' && job.message === subject.message && job.protocol === subject.protocol
        ? 'message'
        : null
    case 'bip122.psbt':
      return job.kind === 'bip122.psbt' && job.psbt === subject.psbt && isSameInputs(subject.inputs, job.inputs)
        ? 'psbt'
        : null
  }
}

function ofSmartAccount(job: SignJob): string | null {
  return job.kind === 'eip155.typedData' || job.kind === 'eip155.message' ? 'smartAccount' : null
}

type Inputs = readonly { readonly index: number; readonly sighash?: number | undefined }[]

function isSameInputs(shown: Inputs, asked: Inputs): boolean {
  return (
    asked.length === shown.length &&
    asked.every(({ index, sighash }, at) => index === shown[at]?.index && sighash === shown[at]?.sighash)
  )
}
