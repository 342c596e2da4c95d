import type { ChainClient } from '@postern/chains/chain-client'
import { type SignTransaction, signAndSend, withSignature } from '@postern/chains/solana/send'
import { type Account, type CaipNetworkId, currentNetworkId, solanaRequests } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { parseObjectParams } from '@postern/protocol/validation/params'
import type { WalletLink } from '../page/wallet-link'

export type SolanaRequestContext = {
  readonly link: WalletLink
  readonly accounts: (signal: AbortSignal) => Promise<readonly Account[]>
  readonly networkId: () => CaipNetworkId
  readonly isUsable: (networkId: CaipNetworkId) => boolean
  readonly clientOf: (networkId: CaipNetworkId) => ChainClient
}

type Target = { readonly pubkey: string; readonly network: CaipNetworkId }

/**
 * A dapp's requests that a Solana wallet of the page must approve: rules 5 and 6 of `createSolanaDialect`.
 *
 * 1. Requests are parsed first.
 * 2. Every request names its account and its network; the session's are the default.
 * 3. If the wallet signs but cannot send, the endpoint sends.
 */
export async function requestSolana(
  context: SolanaRequestContext,
  method: string,
  params: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  switch (method) {
    case 'solana_signMessage':
      return signMessage(context, params, signal)
    case 'solana_signTransaction':
      return signTransaction(context, params, signal)
    case 'solana_signAllTransactions':
      return signAllTransactions(context, params, signal)
    case 'solana_signAndSendTransaction':
      return signAndSendTransaction(context, params, signal)
    default:
      throw new Failure('UNSUPPORTED_METHOD')
  }
}

/** Rule 2. */
async function targetOf(
  context: SolanaRequestContext,
  request: { readonly pubkey?: string | undefined; readonly network?: CaipNetworkId | undefined },
  signal: AbortSignal,
): Promise<Target> {
  const accounts = await context.accounts(signal)
  const account = accounts.find(({ address }) => request.pubkey === undefined || address === request.pubkey)
  if (account === undefined) throw new Failure('UNAUTHORIZED')
  const network = request.network === undefined ? context.networkId() : currentNetworkId(request.network)
  if (!context.isUsable(network)) throw new Failure('CHAIN_NOT_SUPPORTED')
  return { pubkey: account.address, network }
}

async function signMessage(context: SolanaRequestContext, raw: unknown, signal: AbortSignal) {
  const { params, result } = solanaRequests.solana_signMessage
  const request = parseObjectParams(params, raw)
  const target = await targetOf(context, request, signal)
  return context.link.ask(result, 'solana_signMessage', { ...request, ...target }, { signal })
}

async function signTransaction(context: SolanaRequestContext, raw: unknown, signal: AbortSignal) {
  const { params, result } = solanaRequests.solana_signTransaction
  const request = parseObjectParams(params, raw)
  const target = await targetOf(context, request, signal)
  return context.link.ask(result, 'solana_signTransaction', { ...request, ...target }, { signal })
}

async function signAllTransactions(context: SolanaRequestContext, raw: unknown, signal: AbortSignal) {
  const { link } = context
  const { params, result } = solanaRequests.solana_signAllTransactions
  const request = parseObjectParams(params, raw)
  const target = await targetOf(context, request, signal)
  if (link.can('solana_signAllTransactions')) {
    const signed = await link.ask(result, 'solana_signAllTransactions', { ...request, ...target }, { signal })
    if (signed.transactions.length !== request.transactions.length) throw new Failure('TRANSACTION_MISMATCH')
    return signed
  }
  const transactions: string[] = []
  for (const transaction of request.transactions) {
    const signed = await signTransaction(context, { ...target, transaction }, signal)
    transactions.push(withSignature(transaction, target.pubkey, signed))
  }
  return { transactions }
}

async function signAndSendTransaction(context: SolanaRequestContext, raw: unknown, signal: AbortSignal) {
  const { link, clientOf } = context
  const { params, result } = solanaRequests.solana_signAndSendTransaction
  const request = parseObjectParams(params, raw)
  const target = await targetOf(context, request, signal)
  if (link.can('solana_signAndSendTransaction'))
    return link.ask(result, 'solana_signAndSendTransaction', { ...request, ...target }, { signal })
  const sign: SignTransaction = (transaction, ended) => signTransaction(context, { ...target, transaction }, ended)
  return signAndSend({ ...request, account: target.pubkey }, { sign, rpc: clientOf(target.network).rpc }, signal)
}
