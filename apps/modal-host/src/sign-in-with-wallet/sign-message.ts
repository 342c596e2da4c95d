import { signInDomain } from '@postern/chains/sign-in-message'
import type { ErrorCode, Namespace } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { Sessions } from '../connections/sessions/sessions'
import type { createRequestRouter } from '../requests/request-router'
import { type Account, failureOf, isSameAccount, mentionsAddress, requestOf, signatureIn } from './account'
import type { askPage } from './ask-page'

export type SignMessageOptions = {
  readonly request: ReturnType<typeof askPage>
  readonly rpc: ReturnType<typeof createRequestRouter>
  /** As the browser reports it. */
  readonly origin: string
  readonly connectionOf: (namespace: Namespace) => ReturnType<Sessions['connection']>
  readonly onProgress: (step: 'signing' | 'saving') => void
  readonly signal: AbortSignal
}

export type SignMessageResult =
  /** Epoch ms. */
  | { readonly kind: 'signed'; readonly expiresAt: number | null }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly detail?: string }

/** The page creates a message, the wallet signs it, the page stores the session. Never rejects. */
export async function signMessage(account: Account, options: SignMessageOptions): Promise<SignMessageResult> {
  const { request, rpc, origin, connectionOf, onProgress, signal } = options
  const { namespace, chainId, address } = account
  let code: ErrorCode = 'SIWX_CALLBACK_FAILED'
  try {
    const { data, message } = await request('siwxCreateMessage', { chainId, accountAddress: address }, { signal })
    // Rule 10 of `machine.ts`.
    const isSame = isSameAccount({ namespace, chainId: data.chainId, address: data.accountAddress }, account)
    if (!isSame || !mentionsAddress(message, account) || signInDomain(message, origin) === 'foreign')
      throw new Failure('SIWX_CALLBACK_FAILED')
    code = failureOf(connectionOf(namespace), 'SIGNATURE_DECLINED')
    onProgress('signing')
    const answer = await rpc({ namespace, networkId: chainId, ...requestOf(account, message) }, signal)
    signal.throwIfAborted()
    code = failureOf(connectionOf(namespace), 'SIWX_CALLBACK_FAILED')
    const signature = signatureIn(answer)
    onProgress('saving')
    await request('siwxAddSession', { session: { data, message, signature } }, { signal })
    const { expirationTime } = data
    return { kind: 'signed', expiresAt: expirationTime === undefined ? null : Date.parse(expirationTime) }
  } catch (thrown) {
    const { code: thrownCode, message } = asFailure(thrown)
    // A refusal says nothing about the kind of account.
    if (thrownCode === 'USER_REJECTED') return { kind: 'failed', code: 'SIGNATURE_DECLINED' }
    return { kind: 'failed', code, ...(code === 'SIWX_CALLBACK_FAILED' && { detail: message }) }
  }
}
