import { InvalidMessageError } from '../message/invalid-message'
import { parseMessage } from '../message/parse'
import { timeErrorOf } from '../times'
import type { CaipNetworkId, SignInMessage } from '../types'
import { type MayAsk, type SignatureVerifier, UnverifiableError } from '../verifiers/verifier'
import type { Nonces } from './nonces'

/** Only `UNVERIFIABLE` may be retried unchanged. */
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
      /** A contract's signature. */
      readonly contract: boolean
    }
  | { readonly ok: false; readonly reason: SignInRefusal; readonly description: string }

export type SignInRules = {
  /** As `location.host`. Compared exactly. */
  readonly domain: string | readonly string[]
  /** Default: an http(s) URL on the message's domain, with the scheme of `origin`. */
  readonly uri?: string | readonly string[] | ((uri: string) => boolean) | undefined
  /** The requesting page's, if known. */
  readonly origin?: string | undefined
  readonly networks: readonly CaipNetworkId[] | ((id: CaipNetworkId) => boolean)
  /** One per namespace. */
  readonly verifiers: readonly SignatureVerifier[]
  /** Whether the nonce is issued and unused. */
  readonly checkNonce?: ((nonce: string) => Promise<boolean>) | undefined
  /** True once per issued nonce, also under concurrency. */
  readonly useNonce: (nonce: string) => Promise<boolean>
  /** Limits chain requests per nonce. Default: no limit. */
  readonly questions?: Pick<Nonces, 'mayQueryChain' | 'countRejection'> | undefined
  /** Epoch ms. */
  readonly now?: (() => number) | undefined
  /** In ms. Default: one minute. */
  readonly clockSkew?: number | undefined
  /** In ms. Default: the nonce's lifetime. */
  readonly maxAge?: number | undefined
  /** In bytes. Default: the general limit of 16,384 UTF-16 units. */
  readonly longestMessage?: number | undefined
}

/** UTF-16 units. Signatures with a deployment (EIP-6492) are the longest. */
const maxLengths = { message: 16_384, signature: 16_384 }
/** UTF-16 units. */
export const maxFieldLength = 2000

const descriptions: Readonly<Record<SignInRefusal, string>> = {
  MALFORMED: 'This is not a CAIP-122 sign-in message',
  DOMAIN_MISMATCH: 'The message is for another domain',
  URI_MISMATCH: 'The message is for another URI',
  CHAIN_NOT_ALLOWED: 'Sign-in is not allowed on this chain',
  NONCE_INVALID: 'The nonce is unknown, used, expired or was tried too often',
  EXPIRED: 'The message has expired',
  NOT_YET_VALID: 'The message is not valid yet',
  TOO_OLD: 'The message was issued too long ago',
  SIGNATURE_INVALID: 'The signature is not from this account',
  UNVERIFIABLE: 'The signature could not be verified now',
}

/**
 * Verifies that a user controls the account.
 *
 * 1. Only the signed text is trusted. It is parsed strictly.
 * 2. Domain, URI, chain and times are checked before any request: a message for another site costs nothing.
 * 3. An unknown or used nonce is rejected before the signature is verified.
 * 4. Only a valid signature uses up a nonce: an attacker must sign in to spoil an intercepted one.
 * 5. Of two concurrent requests with one nonce, one is accepted.
 * 6. A signature that could not be verified is neither valid nor invalid; its nonce stays valid.
 * 7. `questions` limits chain requests per nonce. A key's signature needs none, so others cannot make it fail.
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
  const result = await checkSignature(signed, data, rules.verifiers, async () => {
    const may = (await questions?.mayQueryChain(data.nonce)) ?? true
    if (may) chain.asked = true
    else chain.refused = true
    return may
  })
  if (chain.refused) return refuse('NONCE_INVALID')
  if (result === 'SIGNATURE_INVALID' && chain.asked) await questions?.countRejection(data.nonce)
  if (result !== 'GOOD') return refuse(result)
  return (await useNonce(data.nonce)) ? { ok: true, data, contract: chain.asked } : refuse('NONCE_INVALID')
}

export const isAllowedOn = (networks: SignInRules['networks'], id: CaipNetworkId): boolean =>
  typeof networks === 'function' ? networks(id) : networks.includes(id)

const refuse = (reason: SignInRefusal): SignInOutcome => ({ ok: false, reason, description: descriptions[reason] })

function read(
  { message, signature }: { readonly message: string; readonly signature: string },
  { longestMessage }: Pick<SignInRules, 'longestMessage'>,
): SignInMessage | null {
  if (typeof message !== 'string' || message.length > maxLengths.message) return null
  if (longestMessage !== undefined && new TextEncoder().encode(message).length > longestMessage) return null
  if (typeof signature !== 'string' || signature === '' || signature.length > maxLengths.signature) return null
  try {
    const data = parseMessage(message)
    const { accountAddress, domain, uri, nonce, issuedAt = '' } = data
    return [accountAddress, domain, uri, nonce, issuedAt].every(({ length }) => length <= maxFieldLength) ? data : null
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
  const wrongTime = timeErrorOf(data, time, clockSkew)
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
  // A message from an http page, which the network could alter, must not be valid for the https page.
  // Pages in apps have other schemes, and a server with its own domains may serve pages on others.
  const isHere = asking !== undefined && /^https?:/.test(asking) && new URL(asking).host === domain
  return !isHere || origin === asking
}

/** Rule 6 of {@link verifySignIn}. */
export async function checkSignature(
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
