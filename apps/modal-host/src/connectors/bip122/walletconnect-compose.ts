import { bip122Requests } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { parseObjectParams } from '@postern/protocol/validation/params'
import { parseResult } from '../parse'
import { untilSigned } from '../walletconnect/dialects/compose'
import type { ComposeContext, Composition } from '../walletconnect/dialects/dialect'

/** For wallets that only sign. A signed transaction is sent even if the caller aborts. */
export const bip122Compositions: ReadonlyMap<string, Composition> = new Map([
  ['bip122_sendTransfer', { wireName: 'sendTransfer', needs: 'signPsbt', run: sendTransfer }],
])

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

/** Some wallets ignore `broadcast`. */
export async function broadcastSigned(raw: unknown, answer: unknown, context: ComposeContext): Promise<unknown> {
  const request = parseObjectParams(bip122Requests.bip122_signPsbt.params, raw)
  const signed = parseResult(bip122Requests.bip122_signPsbt.result, answer)
  if (request.broadcast !== true || signed.txid !== undefined) return signed
  const { sendSigned } = await import('@postern/chains/bip122/transfer')
  const { esplora } = context.clientOf(context.state.networkId)
  return { psbt: signed.psbt, ...(await sendSigned(request.psbt, signed.psbt, esplora, new AbortController().signal)) }
}
