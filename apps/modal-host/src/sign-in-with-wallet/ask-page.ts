import { type SignInMethod, type SignInParams, type SignInResult, signInMethods } from '@postern/protocol'
import { type HostLink, readAnswer as read } from '../page-link/host-link'

/** Calls the page's sign-in plugin. `timeout` in ms; default: the method's. Rejects with a Failure. */
export function askPage(link: Pick<HostLink, 'ask'>) {
  return async <M extends SignInMethod>(
    method: M,
    params: SignInParams<M>,
    { signal, timeout = signInMethods[method].timeout }: { signal?: AbortSignal | undefined; timeout?: number } = {},
  ): Promise<SignInResult<M>> => {
    return readResult[method](await link.ask(method, params, { signal, timeout }))
  }
}

const readResult: { readonly [M in SignInMethod]: (result: unknown) => SignInResult<M> } = {
  siwxCreateMessage: (result) => read(signInMethods.siwxCreateMessage.result, result),
  siwxAddSession: (result) => read(signInMethods.siwxAddSession.result, result),
  siwxRevokeSession: (result) => read(signInMethods.siwxRevokeSession.result, result),
  siwxSetSessions: (result) => read(signInMethods.siwxSetSessions.result, result),
  siwxGetState: (result) => read(signInMethods.siwxGetState.result, result),
}
