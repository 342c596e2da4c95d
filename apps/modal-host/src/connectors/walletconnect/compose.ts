import { bip122Requests, solanaRequests } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { parseObjectParams } from '@postern/protocol/validation/params'
import { parseResult } from '../parse'
import type { SessionState } from './dialect'
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

/** What the host completes for wallets that only sign. What they have signed is sent, although its caller gives up then. */
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
  const asking = untilSigned(signal)
  const sign = async (transaction: string, ended: AbortSignal) => {
    const answer = await ask('solana_signTransaction', { ...target, transaction }, ended)
    asking.end()
    return parseResult(solanaRequests.solana_signTransaction.result, answer)
  }
  return send({ ...rest, account }, { sign, rpc: clientOf(network ?? state.networkId).rpc }, asking.signal)
}

async function sendTransfer(raw: unknown, { state, ask, clientOf, signal }: ComposeContext): Promise<unknown> {
  const transfer = await import('@postern/chains/bip122/transfer')
  const request = parseObjectParams(bip122Requests.bip122_sendTransfer.params, raw)
  const sender = state.accounts.find(({ address, type }) =>
    request.account === undefined ? type === 'payment' : address === request.account,
  )
  if (sender === undefined) throw new Failure('UNAUTHORIZED')
  const { recipientAddress, changeAddress, feeRate } = request
  const asking = untilSigned(signal)
  return transfer.sendTransfer(
    { networkId: state.networkId, sender, recipientAddress, amount: BigInt(request.amount), changeAddress, feeRate },
    {
      esplora: clientOf(state.networkId).esplora,
      async signPsbt(psbt, ended) {
        const answer = await ask('bip122_signPsbt', psbt, ended)
        asking.end()
        return parseResult(bip122Requests.bip122_signPsbt.result, answer)
      },
    },
    asking.signal,
  )
}

/** Its signal aborts with `signal` until the wallet has signed. */
function untilSigned(signal: AbortSignal) {
  const controller = new AbortController()
  const abort = () => controller.abort(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  return { signal: controller.signal, end: () => signal.removeEventListener('abort', abort) }
}

/** Some wallets ignore `broadcast`. */
export async function broadcastSigned(raw: unknown, answer: unknown, context: ComposeContext): Promise<unknown> {
  const request = parseObjectParams(bip122Requests.bip122_signPsbt.params, raw)
  const signed = parseResult(bip122Requests.bip122_signPsbt.result, answer)
  if (request.broadcast !== true || signed.txid !== undefined) return signed
  const { sendSigned } = await import('@postern/chains/bip122/transfer')
  const { esplora } = context.clientOf(context.state.networkId)
  return { psbt: signed.psbt, ...(await sendSigned(request.psbt, signed.psbt, esplora, new AbortController().signal)) }
}

function addressOf({ accounts }: SessionState): string {
  const [active] = accounts
  if (active === undefined) throw new Failure('DISCONNECTED')
  return active.address
}
