import type { Clock } from '@postern/base/clock'
import { signInDomain } from '@postern/chains/sign-in-message'
import { adapter } from '@postern/chains/solana/adapter'
import { signAndSend } from '@postern/chains/solana/send'
import { parseTransaction, transactionId } from '@postern/chains/solana/transaction'
import { type ApprovalSubject, solanaRequests } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { parseObjectParams } from '@postern/protocol/validation/params'
import { base58, base64 } from '@scure/base'
import type { ChainContext, WalletChain } from '../../contract'
import { gatewayClient } from '../endpoint'
import type { Notes } from '../notes'
import { createSentSolana } from './sent'

/**
 * The embedded wallet on Solana: one account at m/44'/501'/0'/0'.
 *
 * 1. Only the wallet's own account signs: another `pubkey` is UNAUTHORIZED, another `network` CHAIN_DISCONNECTED.
 * 2. An invalid transaction, or one that the account does not sign, is INVALID_PARAMS before approval.
 * 3. A sign-in message for another domain is prepared as blocked.
 * 4. The subject's bytes are executed.
 * 5. A transaction with unknown outcome ends before the next one is sent (`sent.ts`).
 *
 * `notes` stores what was sent, by default in memory.
 */
export function createSolanaChain(notes?: Notes, clock?: Clock): WalletChain {
  const sent = createSentSolana(notes, clock)
  return {
    async answer(method, params, context) {
      if (method === 'solana_getAccounts') return [{ pubkey: context.addresses.solana }]
      if (!adapter.isChainRead(method)) throw new Failure('UNSUPPORTED_METHOD')
      return adapter.read(gatewayClient(context), method, params, context.signal)
    },

    async prepare(method, params, context) {
      switch (method) {
        case 'solana_signMessage': {
          const { message } = checked(parseObjectParams(solanaRequests[method].params, params), context)
          const bytes = base58.decode(message)
          const isForeign = signInDomain(new TextDecoder().decode(bytes), context.origin) === 'foreign'
          return {
            subject: { kind: 'solana.message', address: context.addresses.solana, message: base64.encode(bytes) },
            ...(isForeign && { blocked: 'DOMAIN_MISMATCH' }),
          }
        }
        case 'solana_signTransaction': {
          const { transaction } = checked(parseObjectParams(solanaRequests[method].params, params), context)
          return { subject: subjectOf([transaction], context) }
        }
        case 'solana_signAllTransactions': {
          const { transactions } = checked(parseObjectParams(solanaRequests[method].params, params), context)
          return { subject: subjectOf(transactions, context) }
        }
        case 'solana_signAndSendTransaction': {
          const { transaction, sendOptions } = checked(
            parseObjectParams(solanaRequests[method].params, params),
            context,
          )
          const subject = subjectOf([transaction], context)
          await sent.requireNoneUncertain(
            { ...senderOf(context), transaction },
            gatewayClient(context).rpc,
            context.signal,
          )
          return { subject: { ...subject, sends: true, ...(sendOptions && { sendOptions }) } }
        }
        default:
          throw new Failure('UNSUPPORTED_METHOD')
      }
    },

    async execute(method, subject, context) {
      if (subject.kind === 'solana.message') return { signature: await context.sign(subject) }
      if (subject.kind !== 'solana.transactions') throw new Failure('INTERNAL')
      const { transactions, address, sends, sendOptions } = subject
      const [first] = transactions
      if (first === undefined) throw new Failure('INTERNAL')
      if (sends) {
        const { rpc } = gatewayClient(context)
        await sent.requireNoneUncertain({ ...senderOf(context), transaction: first }, rpc, context.signal)
        const transaction = onlyOne(await signAll([first], context))
        const signed = { transaction, signature: signatureIn(transaction, address) }
        const request = { transaction: first, account: address, ...(sendOptions && { sendOptions }) }
        const broadcast = () =>
          signAndSend(request, { sign: async () => signed, rpc, ...(clock && { clock }) }, context.signal)
        const id = transactionId(parseTransaction(transaction))
        if (id === undefined) return broadcast()
        return sent.send(
          { ...senderOf(context), transaction, signature: id },
          { rpc, signal: context.signal },
          broadcast,
        )
      }
      const signed = await signAll(transactions, context)
      if (method === 'solana_signAllTransactions') return { transactions: signed }
      const transaction = onlyOne(signed)
      return { transaction, signature: signatureIn(transaction, address) }
    },
  }
}

function senderOf({ networkId, addresses }: ChainContext) {
  return { networkId, account: addresses.solana }
}

function checked<T extends { readonly pubkey?: string | undefined; readonly network?: string | undefined }>(
  params: T,
  { addresses, networkId }: ChainContext,
): T {
  if (params.pubkey !== undefined && params.pubkey !== addresses.solana) throw new Failure('UNAUTHORIZED')
  if (params.network !== undefined && params.network !== networkId) throw new Failure('CHAIN_DISCONNECTED')
  return params
}

function subjectOf(
  transactions: readonly string[],
  { addresses }: ChainContext,
): Extract<ApprovalSubject, { kind: 'solana.transactions' }> {
  for (const transaction of transactions)
    if (!parseTransaction(transaction).signers.includes(addresses.solana))
      throw new Failure('INVALID_PARAMS', { message: 'The account is no signer of the transaction' })
  return { kind: 'solana.transactions', address: addresses.solana, transactions: [...transactions], sends: false }
}

/** Separated by spaces, which base64 lacks. */
async function signAll(transactions: readonly string[], { sign }: ChainContext): Promise<readonly string[]> {
  const signed = (await sign({ kind: 'solana.transactions', transactions })).split(' ')
  if (signed.length !== transactions.length) throw new Failure('INTERNAL')
  return signed
}

function onlyOne(signed: readonly string[]): string {
  const [transaction] = signed
  if (transaction === undefined || signed.length > 1) throw new Failure('INTERNAL')
  return transaction
}

function signatureIn(transaction: string, account: string): string {
  const { signatures, signers } = parseTransaction(transaction)
  const signature = signatures[signers.indexOf(account)]
  if (signature === undefined) throw new Failure('INTERNAL')
  return base58.encode(signature)
}
