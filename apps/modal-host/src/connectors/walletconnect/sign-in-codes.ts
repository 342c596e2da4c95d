import type { Client } from './client'
import type { AuthenticateRequest } from './one-click'

/** Where the library keeps the key of the newest request to sign in. */
const newest = 'wc@1.5:auth::PUB_KEY'

type Requested = Awaited<ReturnType<Client['engine']['authenticate']>>
export type SignInCode = Requested & {
  /** Forgets the key that answers are read with, and stops listening for them. */
  readonly release: () => void
}
export type SignInCodes = {
  /** The library's request, which a wallet without it finds a plain proposal beside. */
  request(request: AuthenticateRequest): Promise<SignInCode>
}

const codesOf = new WeakMap<Client, SignInCodes>()

/**
 * Requests to sign in while connecting, any number at a time. The library knows one: with the next it throws away what the answer to the one before
 * is read with, though a visitor may have scanned that a moment ago.
 *
 * 1. Each has a key and a topic of its own, also of two that are made at once: the library is asked for one after the other.
 * 2. What arrives in a topic is read with that topic's key, and no cleaning up of the library ends the topic before it is released.
 * 3. What is released leaves nothing behind, here or at the relay.
 */
export function signInCodes(client: Client): SignInCodes {
  const known = codesOf.get(client)
  if (known !== undefined) return known
  const { auth, core } = client
  /** Public keys by the topic of their answers. */
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
    auth.authKeys.keys.includes(newest) && auth.authKeys.get(newest).responseTopic === topic
  const forgetNewest = () => auth.authKeys.delete(newest, { code: 0, message: 'kept here' })

  async function release(topic: string, key: string): Promise<void> {
    if (!keys.delete(topic)) return
    if (isNewest(topic)) await forgetNewest()
    await auth.pairingTopics.delete(topic, { code: 0, message: 'released' })
    await crypto.deleteKeyPair(key)
    // Telling the relay would open a socket that was closed on purpose.
    if (!relayer.transportExplicitlyClosed) await subscriber.unsubscribe(topic)
  }

  async function make(request: AuthenticateRequest): Promise<SignInCode> {
    // What the library does not know of it does not throw away. What a closed page left there it does.
    if ([...keys.keys()].some(isNewest)) await forgetNewest()
    const requested = await client.engine.authenticate(request)
    const { responseTopic, publicKey } = auth.authKeys.get(newest)
    keys.set(responseTopic, publicKey)
    return { ...requested, release: () => void release(responseTopic, publicKey).catch(() => {}) }
  }

  const codes: SignInCodes = {
    request(request) {
      const made = last.then(() => make(request))
      last = made.catch(() => {})
      return made
    },
  }
  codesOf.set(client, codes)
  return codes
}
