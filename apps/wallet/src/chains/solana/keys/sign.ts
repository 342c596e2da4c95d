/** ed25519 (RFC 8032). */
import { ed25519 } from '@noble/curves/ed25519.js'
import { addSignature, messageOf } from '@postern/chains/solana/transaction'
import { base58, base64 } from '@scure/base'
import { keyFailure } from '../../../keys/failure'
import { isTransactionMessage } from './message'

/** Base64 in, base58 out. NOT_A_MESSAGE if a validator could parse it as a transaction. */
export function signSolanaMessage(message: string, key: Uint8Array): string {
  const bytes = base64.decode(message)
  if (isTransactionMessage(bytes)) throw keyFailure('NOT_A_MESSAGE')
  return base58.encode(ed25519.sign(bytes, key))
}

/** Separated by spaces. The account must sign all. */
export function signSolanaTransactions(transactions: readonly string[], key: Uint8Array): string {
  if (transactions.length === 0) throw keyFailure('BAD_JOB')
  const publicKey = base58.encode(ed25519.getPublicKey(key))
  return transactions
    .map((transaction) =>
      addSignature(transaction, publicKey, base58.encode(ed25519.sign(messageOf(transaction), key))),
    )
    .join(' ')
}
