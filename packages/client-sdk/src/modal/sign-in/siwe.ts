import type { PosternOptions, SignInSession, SiweConfig, Siwx } from '../../types/index'
import { isOn } from '../frame/init'

/** Undefined without an enabled configuration. */
export function siwxOf({ siwx, siweConfig }: PosternOptions, location: Location): Siwx | undefined {
  return siwx ?? (isOn(siweConfig) ? siwxOfSiwe(siweConfig, location) : undefined)
}

/**
 * The older SIWE configuration as a plugin with one session, of an account on an EVM chain.
 *
 * 1. `createMessage` writes the message, with `getNonce` and `getMessageParams`.
 * 2. A signature that `verifyMessage` rejects is an error.
 * 3. The session is valid for its account on its chain. `signOutOnAccountChange: false` makes it valid for any account,
 *    `signOutOnNetworkChange: false` for any EVM chain.
 * 4. `onSignIn` and `onSignOut` are called afterwards. Their errors are reported as uncaught.
 */
export function siwxOfSiwe(config: SiweConfig, location: Pick<Location, 'host' | 'origin'>): Siwx {
  const { signOutOnAccountChange = true, signOutOnNetworkChange = true } = config
  let ending: Promise<void> | null = null

  async function end(): Promise<void> {
    if ((await config.getSession()) === null) return
    if (!(await config.signOut())) throw new Error('The session could not be ended')
    notify(() => config.onSignOut?.())
  }

  /** One session may cover many chains, each of which is revoked. */
  function signOut(): Promise<void> {
    ending ??= end().finally(() => {
      ending = null
    })
    return ending
  }

  return {
    async createMessage({ chainId, accountAddress }) {
      const [nonce, params] = await Promise.all([config.getNonce(accountAddress), config.getMessageParams?.()])
      const { domain, uri, statement, exp, nbf, requestId, resources } = params ?? {
        domain: location.host,
        uri: location.origin,
      }
      const iat = new Date().toISOString()
      const text = config.createMessage({
        ...{ domain, uri, statement, exp, nbf, requestId, resources, nonce, iat },
        address: `${chainId}:${accountAddress}`,
        chainId: Number(chainId.split(':')[1]),
        version: '1',
      })
      return {
        ...{ accountAddress, chainId, domain, uri, version: '1', nonce, statement, resources, requestId },
        ...{ issuedAt: iat, expirationTime: exp, notBefore: nbf },
        toString: () => text,
      }
    },
    async addSession({ data, message, signature, cacao }) {
      const isGood = await config.verifyMessage({ message, signature, ...(cacao !== undefined && { cacao }) })
      if (!isGood) throw new Error('The signature was not accepted')
      notify(() => config.onSignIn?.({ address: data.accountAddress, chainId: Number(data.chainId.split(':')[1]) }))
    },
    revokeSession: signOut,
    setSessions: async (sessions) => {
      if (sessions.length === 0) await signOut()
    },
    async getSessions(chainId, address) {
      const session = await config.getSession()
      if (session === null || !chainId.startsWith('eip155:')) return []
      const isAccount = !signOutOnAccountChange || session.address.toLowerCase() === address.toLowerCase()
      const isChain = !signOutOnNetworkChange || `eip155:${session.chainId}` === chainId
      return isAccount && isChain ? [asSession(chainId, address, location)] : []
    },
    getRequired: () => config.required ?? true,
    signOutOnDisconnect: config.signOutOnDisconnect ?? true,
  }
}

/** Rule 4. */
function notify(listener: () => void): void {
  try {
    listener()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

/** Only its existence is known. */
function asSession(
  chainId: SignInSession['data']['chainId'],
  accountAddress: string,
  { host, origin }: Pick<Location, 'host' | 'origin'>,
): SignInSession {
  const data = { accountAddress, chainId, domain: host, uri: origin, version: '1', nonce: '' }
  return { data, message: '', signature: '' }
}
