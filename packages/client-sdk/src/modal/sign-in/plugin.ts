import type { SignInMethod, SignInResult } from '@postern/protocol'
import { failure } from '../../errors'
import type { SignInMessage, Siwx } from '../../types'
import { modalFailure } from '../failures'
import { plain } from '../wallet-errors'
import { isAddSession, isCreateMessage, isSetSessions, isSignedInAs } from './guards'

/** Answers what the host asks of the dapp's plugin; undefined where the method is none of these. */
export type SignInPlugin = (method: string, params: unknown) => Promise<unknown> | undefined

/**
 * Lets the host use the dapp's plugin of sign-in with wallet.
 *
 * 1. Only what the table of the page link names is called, with parameters that were looked at; without a plugin it is SIWX_NOT_ENABLED.
 * 2. What the plugin throws crosses as an error with its words; what it answers crosses as plain data, whatever hangs on it.
 * 3. Of sessions only their being there crosses, and when they end: no signature.
 * 4. A session counts for its own account and chain, from `notBefore` until `expirationTime`. A time that cannot be read is over.
 */
export function createSignInPlugin(siwx: Siwx | undefined, now: () => number): SignInPlugin {
  const served: { readonly [M in SignInMethod]: (plugin: Siwx, params: unknown) => Promise<SignInResult<M>> } = {
    async siwxCreateMessage(plugin, params) {
      const { chainId, accountAddress } = read(isCreateMessage, params)
      const created = await plugin.createMessage({ chainId, accountAddress })
      return { data: fieldsOf(created), message: String(created) }
    },
    async siwxAddSession(plugin, params) {
      await plugin.addSession(read(isAddSession, params).session)
      return null
    },
    async siwxRevokeSession(plugin, params) {
      const { chainId, address } = read(isSignedInAs, params)
      await plugin.revokeSession(chainId, address)
      return null
    },
    async siwxSetSessions(plugin, params) {
      await plugin.setSessions(read(isSetSessions, params).sessions)
      return null
    },
    async siwxGetState(plugin, params) {
      const { chainId, address } = read(isSignedInAs, params)
      const sessions = await plugin.getSessions(chainId, address)
      const own = sessions.filter(
        ({ data }) => data.chainId === chainId && isSame(data.accountAddress, address, chainId),
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

/** Calls back when the plugin says that its sessions are others; returns what ends that. A plugin that cannot be followed is still asked. */
export function followPlugin(siwx: Siwx | undefined, listener: () => void): () => void {
  try {
    const stop = siwx?.subscribe?.(listener)
    return () => {
      try {
        stop?.()
      } catch {
        // Its own affair: whatever else has to end goes on ending.
      }
    }
  } catch {
    return () => {}
  }
}

function read<T>(isValid: (value: unknown) => value is T, params: unknown): T {
  if (!isValid(params)) throw failure('INVALID_PARAMS')
  return params
}

/** EVM addresses differ in case alone where they are the same; all others are exact. */
function isSame(one: string, other: string, chainId: string): boolean {
  return chainId.startsWith('eip155:') ? one.toLowerCase() === other.toLowerCase() : one === other
}

/** Epoch ms at which a session is over; 0 where it is not in force. */
function endOf({ notBefore, expirationTime }: SignInMessage, now: number): number {
  if (notBefore !== undefined && !(Date.parse(notBefore) <= now)) return 0
  return expirationTime === undefined ? Number.POSITIVE_INFINITY : Date.parse(expirationTime)
}

/** Without the message's own methods, which no port carries. */
function fieldsOf(message: SignInMessage): SignInMessage {
  const { accountAddress, chainId, domain, uri, version, nonce, statement, resources, ...times } = message
  const { issuedAt, expirationTime, notBefore, requestId } = times
  const fields = { accountAddress, chainId, domain, uri, version, nonce, statement, resources }
  return { ...fields, issuedAt, expirationTime, notBefore, requestId }
}
