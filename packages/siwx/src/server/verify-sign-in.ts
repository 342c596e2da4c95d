import { InvalidMessageError } from '../message/invalid-message'
import { parseMessage } from '../message/parse'
import { untimely } from '../times'
import type { CaipNetworkId, SignInMessage } from '../types'
import { type MayAsk, type SignatureVerifier, UnverifiableError } from '../verifiers/verifier'
import type { Nonces } from './nonces'

/** Why a sign-in was refused. `UNVERIFIABLE` alone may be tried again as it is: whoever had to be asked did not answer. */
export type SignInRefusal =
  | 'MALFORMED'
  | 'DOMAIN_MISMATCH'
  | 'URI_MISMATCH'
  | 'CHAIN_NOT_ALLOWED'
  | 'NONCE_INVALID'
  | 'EXPIRED'
  | 'NOT_YET_VALID'
  | 'TOO_OLD'
  | 'SIGNATURE_INVALID'
  | 'UNVERIFIABLE'

export type SignInOutcome =
  | {
      readonly ok: true
      readonly data: SignInMessage
      /** Whether a chain had to be asked: then the signature is good as long as the account's contract says so. */
      readonly contract: boolean
    }
  | { readonly ok: false; readonly reason: SignInRefusal; readonly description: string }

export type SignInRules = {
  /** Authorities for which a sign-in is good, as `location.host` writes them: `example.com`, `localhost:3000`. Compared exactly. */
  readonly domain: string | readonly string[]
  /** The message's URI. Absent: an http(s) URL on the message's own domain, of the same scheme as `origin`. */
  readonly uri?: string | readonly string[] | ((uri: string) => boolean) | undefined
  /** Of the page that asks, where it is known: `https://example.com`. */
  readonly origin?: string | undefined
  readonly networks: readonly CaipNetworkId[] | ((id: CaipNetworkId) => boolean)
  /** One for each namespace. */
  readonly verifiers: readonly SignatureVerifier[]
  /** Whether this nonce was given out and is still to be used, without using it: spares the verifiers work for nothing. */
  readonly checkNonce?: ((nonce: string) => Promise<boolean>) | undefined
  /** True once for each nonce that was given out, also when asked twice at the same time. */
  readonly useNonce: (nonce: string) => Promise<boolean>
  /** Bounds how often chains are asked about messages with one nonce, as `createNonces` does. Absent: nothing does. */
  readonly questions?: Pick<Nonces, 'mayAsk' | 'wasWrong'> | undefined
  /** Epoch ms. */
  readonly now?: (() => number) | undefined
  /** How far the visitor's clock may be from this one, ms. Default one minute. */
  readonly clockSkew?: number | undefined
  /** How long ago a message may have been issued, ms. Absent: as long as its nonce is good. */
  readonly maxAge?: number | undefined
  /** Bytes of a message. Default 16,384 UTF-16 units. */
  readonly longestMessage?: number | undefined
}

/** UTF-16 units. Contract signatures that bring their own deployment (EIP-6492) are the longest. */
const longest = { message: 16_384, signature: 16_384 }
/** UTF-16 units, of what goes into a session. */
export const longestField = 2000

const descriptions: Readonly<Record<SignInRefusal, string>> = {
  MALFORMED: 'This is not a sign-in message of CAIP-122',
  DOMAIN_MISMATCH: 'The message is for another domain',
  URI_MISMATCH: 'The message is for another URI',
  CHAIN_NOT_ALLOWED: 'Nobody can sign in on this chain',
  NONCE_INVALID: 'The nonce is unknown, used, too old or was tried too often',
  EXPIRED: 'The message has expired',
  NOT_YET_VALID: 'The message is not valid yet',
  TOO_OLD: 'The message was issued too long ago',
  SIGNATURE_INVALID: 'The signature is not of this account',
  UNVERIFIABLE: 'The signature could not be verified now',
}

/**
 * Whether a visitor proved that they hold the account.
 *
 * 1. Only the text that was signed counts; it is parsed strictly, and nothing else that came along is believed.
 * 2. Domain, URI, chain and times are looked at before anybody is asked, so that a message for elsewhere costs nothing.
 * 3. A nonce that this server did not give out, or that was used, is refused before the signature is looked at.
 * 4. A nonce is used by a good signature alone, of whichever account: who saw a nonce on its way has to sign with it to spoil it, and the visitor signs another message.
 * 5. Two requests with one nonce at the same time: one is let in, because `useNonce` answers true once.
 * 6. A signature that could not be looked at is neither good nor bad, and its nonce stays good.
 * 7. About messages with one nonce chains are asked as often as `questions` lets them, and no chain about a key's signature: that stays good, however often
 *    others were tried with its nonce.
 */
export async function verifySignIn(
  signed: { readonly message: string; readonly signature: string },
  rules: SignInRules,
): Promise<SignInOutcome> {
  const data = read(signed, rules)
  if (data === null) return refuse('MALFORMED')
  const reason = firstMismatch(data, rules)
  if (reason !== null) return refuse(reason)
  if (rules.checkNonce !== undefined && !(await rules.checkNonce(data.nonce))) return refuse('NONCE_INVALID')
  const { questions, useNonce } = rules
  const chain = { asked: false, refused: false }
  const found = await look(signed, data, rules.verifiers, async () => {
    const may = (await questions?.mayAsk(data.nonce)) ?? true
    if (may) chain.asked = true
    else chain.refused = true
    return may
  })
  if (chain.refused) return refuse('NONCE_INVALID')
  if (found === 'SIGNATURE_INVALID' && chain.asked) await questions?.wasWrong(data.nonce)
  if (found !== 'GOOD') return refuse(found)
  return (await useNonce(data.nonce)) ? { ok: true, data, contract: chain.asked } : refuse('NONCE_INVALID')
}

/** Whether somebody can sign in on this chain. */
export const isAllowedOn = (networks: SignInRules['networks'], id: CaipNetworkId): boolean =>
  typeof networks === 'function' ? networks(id) : networks.includes(id)

const refuse = (reason: SignInRefusal): SignInOutcome => ({ ok: false, reason, description: descriptions[reason] })

function read(
  { message, signature }: { readonly message: string; readonly signature: string },
  { longestMessage }: Pick<SignInRules, 'longestMessage'>,
): SignInMessage | null {
  if (typeof message !== 'string' || message.length > longest.message) return null
  if (longestMessage !== undefined && new TextEncoder().encode(message).length > longestMessage) return null
  if (typeof signature !== 'string' || signature === '' || signature.length > longest.signature) return null
  try {
    const data = parseMessage(message)
    const { accountAddress, domain, uri, nonce, issuedAt = '' } = data
    return [accountAddress, domain, uri, nonce, issuedAt].every(({ length }) => length <= longestField) ? data : null
  } catch (error) {
    if (error instanceof InvalidMessageError) return null
    throw error
  }
}

function firstMismatch(data: SignInMessage, rules: SignInRules): SignInRefusal | null {
  const { domain, uri, networks, now = Date.now, clockSkew = 60_000, maxAge } = rules
  if (![domain].flat().includes(data.domain)) return 'DOMAIN_MISMATCH'
  if (!isUriAllowed(uri, data, rules.origin)) return 'URI_MISMATCH'
  if (!isAllowedOn(networks, data.chainId)) return 'CHAIN_NOT_ALLOWED'
  const time = now()
  const wrongTime = untimely(data, time, clockSkew)
  if (wrongTime !== null) return wrongTime
  if (maxAge !== undefined && !(Date.parse(data.issuedAt ?? '') + maxAge + clockSkew >= time)) return 'TOO_OLD'
  return null
}

function isUriAllowed(
  allowed: SignInRules['uri'],
  { uri, domain }: SignInMessage,
  asking: string | undefined,
): boolean {
  if (typeof allowed === 'function') return allowed(uri)
  if (allowed !== undefined) return [allowed].flat().includes(uri)
  if (!URL.canParse(uri)) return false
  const { protocol, host, username, password, origin } = new URL(uri)
  if (!/^https?:$/.test(protocol) || host !== domain || username !== '' || password !== '') return false
  // A domain says nothing of the scheme: what was signed where everybody on the way could write the page is not for the one with TLS. Pages of apps have schemes that no URI here has,
  // and a server with domains of its own may be asked by pages of others.
  const isHere = asking !== undefined && /^https?:/.test(asking) && new URL(asking).host === domain
  return !isHere || origin === asking
}

/** Whether the signature is the account's. @see verifySignIn rule 6 */
export async function look(
  signed: { readonly message: string; readonly signature: string },
  { chainId, accountAddress }: Pick<SignInMessage, 'chainId' | 'accountAddress'>,
  verifiers: readonly SignatureVerifier[],
  mayAsk?: MayAsk,
): Promise<'GOOD' | 'SIGNATURE_INVALID' | 'UNVERIFIABLE'> {
  const verifier = verifiers.find(({ namespace }) => chainId.startsWith(`${namespace}:`))
  if (verifier === undefined) return 'UNVERIFIABLE'
  try {
    const { message, signature } = signed
    return (await verifier.verify({ message, signature, address: accountAddress, chainId }, mayAsk))
      ? 'GOOD'
      : 'SIGNATURE_INVALID'
  } catch (error) {
    if (error instanceof UnverifiableError) return 'UNVERIFIABLE'
    throw error
  }
}
