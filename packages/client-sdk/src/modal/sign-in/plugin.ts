import type { SignInMethod, SignInResult } from '@postern/protocol'
import { namespaceOf } from '@postern/protocol/namespaces'
import { isSameAddressIn } from '@postern/protocol/namespaces/facts'
import { plain } from '../../link/link-error'
import { requestFailure } from '../../shared/failures'
import { noop } from '../../shared/noop'
import type { PosternEvents, SignInMessage, SignInSession, Siwx } from '../../types/index'
import { modalFailure } from '../failures'
import { isAddSession, isCreateMessage, isSetSessions, isSignedInAs, messageFields } from './guards'

/** Undefined for other methods. */
export type SignInPlugin = (method: string, params: unknown) => Promise<unknown> | undefined

/**
 * Lets the host use the dapp's sign-in plugin.
 *
 * 1. Only methods of the page link are called, with checked parameters. Without a plugin they are SIWX_NOT_ENABLED.
 * 2. An error of the plugin crosses with its own message. Results cross as plain data, without extra members.
 * 3. Of sessions, only existence and expiry cross, never a signature.
 * 4. A session is valid for its account and chain, from `notBefore` until `expirationTime`.
 * 5. `onSignIn` is called with each session that the plugin stored.
 */
export function createSignInPlugin(
  siwx: Siwx | undefined,
  now: () => number,
  onSignIn: (session: PosternEvents['signIn']) => void = noop,
): SignInPlugin {
  const served: { readonly [M in SignInMethod]: (plugin: Siwx, params: unknown) => Promise<SignInResult<M>> } = {
    async siwxCreateMessage(plugin, params) {
      const { chainId, accountAddress } = read(isCreateMessage, params)
      const created = await plugin.createMessage({ chainId, accountAddress })
      return { data: fieldsOf(created), message: String(created) }
    },
    async siwxAddSession(plugin, params) {
      const { session } = read(isAddSession, params)
      await plugin.addSession(session)
      tell([session])
      return null
    },
    async siwxRevokeSession(plugin, params) {
      const { chainId, address } = read(isSignedInAs, params)
      await plugin.revokeSession(chainId, address)
      return null
    },
    async siwxSetSessions(plugin, params) {
      const { sessions } = read(isSetSessions, params)
      await plugin.setSessions(sessions)
      tell(sessions)
      return null
    },
    async siwxGetState(plugin, params) {
      const { chainId, address } = read(isSignedInAs, params)
      const sessions = await plugin.getSessions(chainId, address)
      const own = sessions.filter(
        ({ data }) => data.chainId === chainId && isSameAddressIn(namespaceOf(chainId), data.accountAddress, address),
      )
      const ends = own.map(({ data }) => endOf(data, now())).filter((end) => end > now())
      const last = Math.max(...ends)
      return {
        isSignedIn: ends.length > 0,
        expiresAt: Number.isFinite(last) ? last : null,
        isRequired: plugin.getRequired?.() ?? true,
        endsWithConnection: plugin.signOutOnDisconnect ?? true,
      }
    },
  }

  function tell(sessions: readonly SignInSession[]): void {
    for (const { data } of sessions) onSignIn({ networkId: data.chainId, address: data.accountAddress })
  }

  return (method, params) => {
    if (!isServed(method)) return undefined
    return siwx === undefined
      ? Promise.reject(modalFailure('SIWX_NOT_ENABLED'))
      : served[method](siwx, params).then(plain)
  }

  function isServed(method: string): method is SignInMethod {
    return Object.hasOwn(served, method)
  }
}

/** Ignores a failing `subscribe`. Returns a stop function. */
export function followPlugin(siwx: Siwx | undefined, listener: () => void): () => void {
  try {
    const stop = siwx?.subscribe?.(listener)
    return () => {
      try {
        stop?.()
      } catch {}
    }
  } catch {
    return () => {}
  }
}

function read<T>(isValid: (value: unknown) => value is T, params: unknown): T {
  if (!isValid(params)) throw requestFailure('INVALID_PARAMS')
  return params
}

/** Epoch ms; 0 if not valid now. */
function endOf({ notBefore, expirationTime }: SignInMessage, now: number): number {
  if (notBefore !== undefined && !(Date.parse(notBefore) <= now)) return 0
  return expirationTime === undefined ? Number.POSITIVE_INFINITY : Date.parse(expirationTime)
}

/** Drops methods, which no port can carry. */
function fieldsOf(message: SignInMessage): SignInMessage {
  return Object.assign({}, ...messageFields.map((name) => ({ [name]: Reflect.get(message, name) })))
}
