import type { PosternOptions, SignInSession, SiweConfig, Siwx } from '../../types'
import { isOn } from '../init'

/** The dapp's plugin, of whichever configuration; undefined where it has none, or switched it off. */
export function siwxOf({ siwx, siweConfig }: PosternOptions, location: Location): Siwx | undefined {
  return siwx ?? (isOn(siweConfig) ? siwxOfSiwe(siweConfig, location) : undefined)
}

/**
 * The older configuration as a plugin: one session, of an account on an EVM chain.
 *
 * 1. The message is what `createMessage` writes, with a nonce of `getNonce` and the fields of `getMessageParams`.
 * 2. A signature that `verifyMessage` does not take is an error.
 * 3. The session counts for its account on its chain; with `signOutOnAccountChange` or `signOutOnNetworkChange` off, for any.
 * 4. `onSignIn` and `onSignOut` hear of what happened; what they throw is an error of the page, and changes nothing.
 */
export function siwxOfSiwe(config: SiweConfig, location: Pick<Location, 'host' | 'origin'>): Siwx {
  const { signOutOnAccountChange = true, signOutOnNetworkChange = true } = config
  let ending: Promise<void> | null = null

  async function end(): Promise<void> {
    if ((await config.getSession()) === null) return
    if (!(await config.signOut())) throw new Error('The session could not be ended')
    tell(() => config.onSignOut?.())
  }

  /** One session may count for many chains, each of which is revoked when a connection ends. */
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
      tell(() => config.onSignIn?.({ address: data.accountAddress, chainId: Number(data.chainId.split(':')[1]) }))
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

/** 4. */
function tell(listener: () => void): void {
  try {
    listener()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

/** That there is one is all that the older configuration tells. */
function asSession(
  chainId: SignInSession['data']['chainId'],
  accountAddress: string,
  { host, origin }: Pick<Location, 'host' | 'origin'>,
): SignInSession {
  const data = { accountAddress, chainId, domain: host, uri: origin, version: '1', nonce: '' }
  return { data, message: '', signature: '' }
}
