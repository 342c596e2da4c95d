import { solanaRequests } from '@postern/protocol'
import { parseObjectParams } from '@postern/protocol/validation/params'
import { parseResult } from '../parse'
import { addressOf, untilSigned } from '../walletconnect/dialects/compose'
import type { ComposeContext, Composition } from '../walletconnect/dialects/dialect'

/** For wallets that only sign. A signed transaction is sent even if the caller aborts. */
export const solanaCompositions: ReadonlyMap<string, Composition> = new Map(
  Object.entries({ solana_signAllTransactions: signAll, solana_signAndSendTransaction: signAndSend }).map(
    ([method, run]) => [method, { wireName: method, needs: 'solana_signTransaction', run }],
  ),
)

/** One by one: the wallet prompts for each. */
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
