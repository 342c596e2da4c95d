import { type Clock, systemClock } from '@postern/base/clock'
import { errors, type SolanaParams } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { JsonRpcClient } from '../nodes/json-rpc'
import { unconfirmed } from '../outcomes/unconfirmed'
import { landing } from './landing'
import { statusOf } from './outcome'
import { addSignature, missingSigners, parseTransaction, type SolanaTransaction, transactionId } from './transaction'

export type SendRequest = Pick<SolanaParams<'solana_signAndSendTransaction'>, 'transaction' | 'sendOptions'> & {
  /** The signer, in base58. */
  readonly account: string
}

export type SignTransaction = (
  transaction: string,
  signal: AbortSignal,
) => Promise<{ readonly signature: string; readonly transaction?: string | undefined }>

/**
 * Sends a transaction through the network's endpoint, for a wallet that can only sign.
 *
 * 1. An invalid transaction, or one that the account does not sign, never reaches the wallet: INVALID_PARAMS.
 * 2. Wallets may add instructions. Another fee payer, or no signature of the account, is TRANSACTION_MISMATCH.
 * 3. Nothing is sent while a signature is missing: UNAUTHORIZED.
 * 4. The result is the first signature of what was sent. A transaction that the chain already knows counts as sent.
 * 5. If the endpoint does not respond, it polls until no block can include the transaction (TRANSACTION_DROPPED). If
 *    that stays unknown: TRANSACTION_UNCONFIRMED.
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
  const requested = parseTransaction(transaction)
  if (!requested.signers.includes(account)) throw notASigner()

  const signed = withSignature(transaction, account, await sign(transaction, signal))
  const parsed = answerOf(signed)
  const missing = missingSigners(parsed)
  if (!parsed.signers.includes(account) || missing.includes(account) || parsed.signers[0] !== requested.signers[0])
    throw new Failure('TRANSACTION_MISMATCH')
  const signature = transactionId(parsed)
  if (missing.length > 0 || signature === undefined)
    throw new Failure('UNAUTHORIZED', { message: 'The transaction still misses a signature' })

  // The default simulates on finalised state, where a fresh blockhash is unknown.
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

const alreadyProcessed = /already (been )?processed/i

export function withSignature(
  requested: string,
  account: string,
  answer: { readonly signature: string; readonly transaction?: string | undefined },
): string {
  return answer.transaction ?? addSignature(requested, account, answer.signature)
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
