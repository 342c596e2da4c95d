/** See the protocol's `composed-methods.ts`. */
import type { HostParams } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { type SendAndWaitOptions, sendAndWait } from '../requests/send-and-wait'
import { type ConnectMethodOptions, connectMethod } from '../sign-in-with-wallet/connect-method'
import { type SolanaSignInOptions, solanaSignIn } from '../sign-in-with-wallet/solana-sign-in'

export async function runComposed(
  params: HostParams<'rpc'>,
  signal: AbortSignal,
  options: SendAndWaitOptions & ConnectMethodOptions & SolanaSignInOptions,
): Promise<unknown> {
  switch (params.method) {
    case 'eth_sendTransactionSync':
      return sendAndWait(params, signal, options)
    case 'wallet_connect':
      return connectMethod(params, signal, options)
    case 'solana_signIn':
      return solanaSignIn(params, signal, options)
    default:
      throw new Failure('METHOD_NOT_FOUND')
  }
}
