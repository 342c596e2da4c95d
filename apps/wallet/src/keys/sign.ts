import { ownTextBeginnings } from '@postern/protocol'
import { signPersonalMessage, signTransaction, signTypedData } from '../chains/eip155/keys/sign'
import type { SignJob } from '../contract'
import { hexOf, utf8 } from './bytes'
import type { WalletKeys } from './derive'
import { keyFailure } from './failure'

type Sign = (keys: WalletKeys) => string

/** Loads the chain's code first, so that no rebuilt key waits for the network. Errors without a code become BAD_JOB. */
export async function prepareJob(job: SignJob): Promise<Sign> {
  switch (job.kind) {
    case 'eip155.message':
      if (isOwnText(job.message)) throw keyFailure('NOT_A_MESSAGE')
      return ({ eip155 }) => signPersonalMessage(job.message, eip155)
    case 'eip155.typedData':
      return ({ eip155 }) => signTypedData(job.json, eip155)
    case 'eip155.transaction':
      return ({ eip155 }) => signTransaction(job.unsigned, eip155)
    case 'solana.message': {
      const { signSolanaMessage } = await import('../chains/solana/keys/sign')
      return ({ solana }) => signSolanaMessage(job.message, solana)
    }
    case 'solana.transactions': {
      const { signSolanaTransactions } = await import('../chains/solana/keys/sign')
      return ({ solana }) => signSolanaTransactions(job.transactions, solana)
    }
    case 'bip122.message': {
      const { signBip137, signBip322 } = await import('../chains/bip122/keys/sign')
      const sign = job.protocol === 'bip322' ? signBip322 : signBip137
      return ({ bip122 }) => sign(job.message, bip122)
    }
    case 'bip122.psbt': {
      const { signPsbt } = await import('../chains/bip122/keys/sign')
      return ({ bip122 }) => signPsbt(job.psbt, job.inputs, bip122)
    }
  }
}

const ownBeginnings = ownTextBeginnings.map((beginning) => `0x${hexOf(utf8(beginning))}`)

/** No site may obtain a signature of the wallet's own texts (shares, recovery). */
function isOwnText(message: string): boolean {
  const bytes = message.toLowerCase()
  return ownBeginnings.some((beginning) => bytes.startsWith(beginning))
}
