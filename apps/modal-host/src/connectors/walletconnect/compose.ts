import { bip122Requests, solanaRequests } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { parseObjectParams } from '@postern/protocol/validation/params'
import { parseResult } from '../parse'
import type { SessionState } from './dialects/dialect'
import type { WalletConnectOptions } from './options'

export type ComposeContext = {
  readonly state: SessionState
  readonly clientOf: NonNullable<WalletConnectOptions['clientOf']>
  /** The result is in the host's dialect. */
  readonly ask: (method: string, params: unknown, signal: AbortSignal) => Promise<unknown>
  readonly signal: AbortSignal
}

type Composition = {
  /** The method that the wallet must support instead, by its own name. */
  readonly needs: string
  readonly run: (params: unknown, context: ComposeContext) => Promise<unknown>
}

/** What the host completes for wallets that only sign. */
export const compositions: ReadonlyMap<string, Composition> = new Map([
  ['solana_signAllTransactions', { needs: 'solana_signTransaction', run: signAll }],
  ['solana_signAndSendTransaction', { needs: 'solana_signTransaction', run: signAndSend }],
  ['bip122_sendTransfer', { needs: 'signPsbt', run: sendTransfer }],
])

/** One by one, because the wallet prompts for each. */
async function signAll(raw: unknown, { state, ask, signal }: ComposeContext): Promise<unknown> {
  const { withSignature } = await import('@postern/chains/solana/send')
  const { transactions, ...common } = parseObjectParams(solanaRequests.solana_signAllTransactions.params, raw)
  const pubkey = common.pubkey ?? addressOf(state)
  const signed: string[] = []
  for (const transaction of transactions) {
    const answer = await ask('solana_signTransaction', { ...common, pubkey, transaction }, signal)
    signed.push(withSignature(transaction, pubkey, parseResult(solanaRequests.solana_signTransaction.result, answer)))
  }
  return { transactions: signed }
}

async function signAndSend(raw: unknown, context: ComposeContext): Promise<unknown> {
  const { state, ask, clientOf, signal } = context
  const { signAndSend: send } = await import('@postern/chains/solana/send')
  const { network, pubkey, ...rest } = parseObjectParams(solanaRequests.solana_signAndSendTransaction.params, raw)
  const account = pubkey ?? addressOf(state)
  const target = { pubkey: account, ...(network !== undefined && { network }) }
  const sign = async (transaction: string, ended: AbortSignal) =>
    parseResult(
      solanaRequests.solana_signTransaction.result,
      await ask('solana_signTransaction', { ...target, transaction }, ended),
    )
  return send({ ...rest, account }, { sign, rpc: clientOf(network ?? state.networkId).rpc }, signal)
}

async function sendTransfer(raw: unknown, { state, ask, clientOf, signal }: ComposeContext): Promise<unknown> {
  const transfer = await import('@postern/chains/bip122/transfer')
  const request = parseObjectParams(bip122Requests.bip122_sendTransfer.params, raw)
  const sender = state.accounts.find(({ address, type }) =>
    request.account === undefined ? type === 'payment' : address === request.account,
  )
  if (sender === undefined) throw new Failure('UNAUTHORIZED')
  const { recipientAddress, changeAddress, feeRate } = request
  return transfer.sendTransfer(
    { networkId: state.networkId, sender, recipientAddress, amount: BigInt(request.amount), changeAddress, feeRate },
    {
      esplora: clientOf(state.networkId).esplora,
      signPsbt: async (psbt, ended) =>
        parseResult(bip122Requests.bip122_signPsbt.result, await ask('bip122_signPsbt', psbt, ended)),
    },
    signal,
  )
}

/** Some wallets ignore `broadcast`. */
export async function broadcastSigned(raw: unknown, answer: unknown, context: ComposeContext): Promise<unknown> {
  const request = parseObjectParams(bip122Requests.bip122_signPsbt.params, raw)
  const signed = parseResult(bip122Requests.bip122_signPsbt.result, answer)
  if (request.broadcast !== true || signed.txid !== undefined) return signed
  const { sendSigned } = await import('@postern/chains/bip122/transfer')
  const { esplora } = context.clientOf(context.state.networkId)
  return { psbt: signed.psbt, ...(await sendSigned(request.psbt, signed.psbt, esplora, context.signal)) }
}

function addressOf({ accounts }: SessionState): string {
  const [active] = accounts
  if (active === undefined) throw new Failure('DISCONNECTED')
  return active.address
}
