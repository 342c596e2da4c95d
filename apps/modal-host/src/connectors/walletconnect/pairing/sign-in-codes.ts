import type { AuthenticateRequest } from '../../eip155/one-click'
import type { Client } from '../client/client'

const newestRequestKey = 'wc@1.5:auth::PUB_KEY'

type Requested = Awaited<ReturnType<Client['engine']['authenticate']>>
export type SignInCode = Requested & {
  readonly release: () => void
}
export type SignInCodes = {
  /** Wallets without support see a plain proposal beside it. */
  request(request: AuthenticateRequest): Promise<SignInCode>
}

const codesOf = new WeakMap<Client, SignInCodes>()

/**
 * Sign-in requests during connect, any number at a time. The library supports one: the next discards the previous key,
 * though that code may just have been scanned.
 *
 * 1. Each code has its own key and topic: the library is asked one at a time.
 * 2. Messages on a topic are decrypted with its own key, and the library cannot unsubscribe it before its release.
 * 3. A released code leaves nothing, here or at the relay.
 */
export function signInCodes(client: Client): SignInCodes {
  const existing = codesOf.get(client)
  if (existing !== undefined) return existing
  const { auth, core } = client
  const keys = new Map<string, string>()
  let last: Promise<unknown> = Promise.resolve()

  const { crypto, relayer } = core
  const decode = crypto.decode.bind(crypto)
  crypto.decode = (topic, encoded, options) => {
    const receiverPublicKey = keys.get(topic)
    return decode(topic, encoded, receiverPublicKey === undefined ? options : { ...options, receiverPublicKey })
  }
  const { subscriber } = relayer
  const unsubscribe = subscriber.unsubscribe.bind(subscriber)
  subscriber.unsubscribe = async (topic, options) => {
    if (!keys.has(topic)) await unsubscribe(topic, options)
  }

  const isNewest = (topic: string) =>
    auth.authKeys.keys.includes(newestRequestKey) && auth.authKeys.get(newestRequestKey).responseTopic === topic
  const forgetNewest = () => auth.authKeys.delete(newestRequestKey, { code: 0, message: 'stored here' })

  async function release(topic: string, key: string): Promise<void> {
    if (!keys.delete(topic)) return
    if (isNewest(topic)) await forgetNewest()
    await auth.pairingTopics.delete(topic, { code: 0, message: 'released' })
    await crypto.deleteKeyPair(key)
    // Unsubscribing would open a socket that was closed on purpose.
    if (!relayer.transportExplicitlyClosed) await subscriber.unsubscribe(topic)
  }

  async function make(request: AuthenticateRequest): Promise<SignInCode> {
    // Hides our newest key, so that the library does not discard it. A closed page's key may go.
    if ([...keys.keys()].some(isNewest)) await forgetNewest()
    const requested = await client.engine.authenticate(request)
    const { responseTopic, publicKey } = auth.authKeys.get(newestRequestKey)
    keys.set(responseTopic, publicKey)
    return { ...requested, release: () => void release(responseTopic, publicKey).catch(() => {}) }
  }

  const codes: SignInCodes = {
    request(request) {
      const code = last.then(() => make(request))
      last = code.catch(() => {})
      return code
    },
  }
  codesOf.set(client, codes)
  return codes
}
