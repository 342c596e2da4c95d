import { type Connection, maxSignInTextLength } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import { asFailure } from '@postern/protocol/wallet-errors'
import type { PageLink } from './page-link'
import type { ModalScript, ScriptedRequest } from './script'

/** The script's answer to a request of the dapp. */
export async function answerRequest({ requests = {} }: ModalScript, request: ScriptedRequest): Promise<unknown> {
  if (typeof requests === 'function') return await requests(request)
  const handler = Object.hasOwn(requests, request.method) ? requests[request.method] : undefined
  if (handler !== undefined) return await handler(Array.isArray(request.params) ? request.params : [], request)
  throw new Failure('UNSUPPORTED_METHOD', {
    message: `The scripted modal has no answer to ${request.method}: add it to \`requests\`.`,
  })
}

/**
 * Signs the plugin's message and gives the plugin the session.
 * Returns false if the user declined a required sign-in.
 */
export async function signIn({
  connection,
  ask,
  script,
  record,
}: {
  readonly connection: Extract<Connection, { status: 'connected' }>
  readonly ask: PageLink['ask']
  readonly script: () => ModalScript
  readonly record: (request: ScriptedRequest) => void
}): Promise<boolean> {
  const { networkId: chainId, accounts } = connection
  const [account] = accounts
  if (account === undefined) throw new Failure('INTERNAL')
  const { address, namespace } = account
  const { isSignedIn, isRequired } = await ask('siwxGetState', { chainId, address })
  if (isSignedIn) return true
  if (script().signIn === 'decline') return !isRequired
  if (namespace !== 'eip155')
    throw new Failure('UNSUPPORTED_METHOD', {
      message: `The scripted modal signs in on EVM only, not on ${namespace}.`,
    })
  const { data, message } = await ask('siwxCreateMessage', { chainId, accountAddress: address })
  const params = [hexOf(message), address]
  const request: ScriptedRequest = { namespace, networkId: chainId, method: 'personal_sign', params }
  record(request)
  try {
    const signature = await answerRequest(script(), request)
    if (typeof signature !== 'string' || signature.length > maxSignInTextLength)
      throw new Failure('INVALID_PARAMS', { message: 'The script’s personal_sign returned no signature.' })
    await ask('siwxAddSession', { session: { data, message, signature } })
    return true
  } catch (error) {
    if (asFailure(error).code === 'USER_REJECTED') return !isRequired
    throw error
  }
}

function hexOf(text: string): string {
  return `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
