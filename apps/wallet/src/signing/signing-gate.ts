import type { ApprovalSubject } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type { SignJob } from '../contract'

type Sign = (job: SignJob) => Promise<string>

export const noSigning: Sign = async () => {
  throw new Failure('UNAUTHORIZED')
}

/**
 * Limits signing to the approved subject, whatever the chain's code requests.
 *
 * 1. A message, transaction or PSBT is signed only with the exact bytes of the subject, each at most once.
 * 2. A smart account's owner signs, once, exactly the typed data that wrap the approved hash, derived from the subject
 *    alone (`smartAccountJson`).
 */
export function signingGate(subject: ApprovalSubject, sign: Sign, smartAccountJson: string | null = null): Sign {
  const signed = new Set<string>()
  return async (job) => {
    const what = fits(subject, job, smartAccountJson)
    if (what === null || signed.has(what)) throw new Failure('TRANSACTION_MISMATCH')
    signed.add(what)
    return sign(job)
  }
}

function fits(subject: ApprovalSubject, job: SignJob, smartAccountJson: string | null): string | null {
  switch (subject.kind) {
    case 'eip155.message':
      if (subject.account === 'smartAccount') return ofSmartAccount(job, smartAccountJson)
      return job.kind === 'eip155.message' && job.message === subject.message ? 'message' : null
    case 'eip155.typedData':
      if (subject.account === 'smartAccount') return ofSmartAccount(job, smartAccountJson)
      return job.kind === 'eip155.typedData' && job.json === subject.json ? 'typedData' : null
    case 'eip155.transaction':
      return job.kind === 'eip155.transaction' && job.unsigned === subject.unsigned ? job.unsigned : null
    case 'eip155.transactions':
      return job.kind === 'eip155.transaction' && subject.transactions.some(({ unsigned }) => unsigned === job.unsigned)
        ? job.unsigned
        : null
    case 'eip155.userOperation':
    case 'eip155.permissions':
      return ofSmartAccount(job, smartAccountJson)
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
    case 'user':
    case 'unprepared':
      return null
  }
}

function ofSmartAccount(job: SignJob, json: string | null): string | null {
  return job.kind === 'eip155.typedData' && job.json === json ? 'smartAccount' : null
}

type Inputs = readonly { readonly index: number; readonly sighash?: number | undefined }[]

function isSameInputs(shown: Inputs, requested: Inputs): boolean {
  return (
    requested.length === shown.length &&
    requested.every(({ index, sighash }, at) => index === shown[at]?.index && sighash === shown[at]?.sighash)
  )
}
