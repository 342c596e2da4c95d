import { errors, type SolanaParams } from '@postern/protocol'
import { type Clock, systemClock } from '@postern/protocol/clock'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { JsonRpcClient } from '../json-rpc'
import { unconfirmed } from '../unconfirmed'
import { landing } from './landing'
import { statusOf } from './outcome'
import { addSignature, missingSigners, parseTransaction, type SolanaTransaction, transactionId } from './transaction'

export type SendRequest = Pick<SolanaParams<'solana_signAndSendTransaction'>, 'transaction' | 'sendOptions'> & {
  /** Whose signature is asked for, in base58. */
  readonly account: string
}

/** Asks a wallet; `transaction` comes back where the wallet gives the whole of it, else `signature` alone. */
export type SignTransaction = (
  transaction: string,
  signal: AbortSignal,
) => Promise<{ readonly signature: string; readonly transaction?: string | undefined }>

/**
 * Signs by a wallet that cannot send, and sends by the network's endpoint.
 *
 * 1. A transaction that is none, or that the account is no signer of, never reaches the wallet: INVALID_PARAMS.
 * 2. Wallets add instructions of their own (compute budget), so another message than the one asked for is no failure; but the account must have
 *    signed it and the same account must pay: else TRANSACTION_MISMATCH.
 * 3. Nothing is sent while a signature still misses: UNAUTHORIZED.
 * 4. The answer is the first signature of what was sent, whatever wallet or endpoint call it. A transaction that the chain has taken already was sent,
 *    whatever an endpoint says to it.
 * 5. One that an endpoint gave no answer to may have been sent: it is looked for until the chain will never take it (TRANSACTION_DROPPED). Where nobody says so
 *    either it is TRANSACTION_UNCONFIRMED, and no failure.
 */
export async function signAndSend(
  { transaction, sendOptions, account }: SendRequest,
  {
    sign,
    rpc,
    clock = systemClock(),
  }: { readonly sign: SignTransaction; readonly rpc: JsonRpcClient; readonly clock?: Clock },
  signal: AbortSignal,
): Promise<{ signature: string }> {
  const asked = parseTransaction(transaction)
  if (!asked.signers.includes(account)) throw notASigner()

  const signed = withSignature(transaction, account, await sign(transaction, signal))
  const parsed = answerOf(signed)
  const missing = missingSigners(parsed)
  if (!parsed.signers.includes(account) || missing.includes(account) || parsed.signers[0] !== asked.signers[0])
    throw new Failure('TRANSACTION_MISMATCH')
  const signature = transactionId(parsed)
  if (missing.length > 0 || signature === undefined)
    throw new Failure('UNAUTHORIZED', { message: 'The transaction still misses a signature' })

  // The endpoint looks at the newest state by default only as it was finalised, where a fresh blockhash is not known yet.
  const options = { preflightCommitment: 'confirmed', ...sendOptions, encoding: 'base64' }
  try {
    await rpc.request({ method: 'sendTransaction', params: [signed, options] }, signal)
  } catch (thrown) {
    const failure = asFailure(thrown)
    if (signal.aborted) throw failure
    const isSilent = failure.code === 'TIMEOUT' || failure.rpc === errors.INTERNAL.rpc
    const how = isSilent
      ? await landing(rpc, { signature, transaction: signed }, { clock, signal })
      : await statusOf(rpc, signature, signal).catch(() => null)
    const sentHash = signature
    if (how === 'dropped') throw new Failure('TRANSACTION_DROPPED', { data: { sentHash }, cause: failure })
    if (how === 'unknown') throw unconfirmed({ sentHash }, failure)
    if (how === null && !alreadyProcessed.test(failure.message)) throw failure
  }
  return { signature }
}

/** How Solana's nodes say that they have a transaction already. */
const alreadyProcessed = /already (been )?processed/i

/** The whole signed transaction of a wallet's answer. */
export function withSignature(
  asked: string,
  account: string,
  answer: { readonly signature: string; readonly transaction?: string | undefined },
): string {
  return answer.transaction ?? addSignature(asked, account, answer.signature)
}

function answerOf(transaction: string): SolanaTransaction {
  try {
    return parseTransaction(transaction)
  } catch (cause) {
    throw new Failure('TRANSACTION_MISMATCH', { cause })
  }
}

function notASigner(): Failure {
  return new Failure('INVALID_PARAMS', { message: 'The account is no signer of the transaction' })
}
