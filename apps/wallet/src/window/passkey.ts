/**
 * WebAuthn's PRF extension: 32 bytes per salt, for the passkey's user only. No signature is verified.
 * https://www.w3.org/TR/webauthn-3/#prf-extension
 */
import type { Recovery, WalletAddresses } from '@postern/protocol'
import { fromBase64Url, type OwnBytes, randomBytes, toBase64Url, wipe } from '../keys/bytes'
import { createRecoveryKey, openRecoveryKey } from '../keys/recovery-key'

export type PasskeyFailure = 'CANCELLED' | 'NO_PASSKEYS' | 'NO_PRF'

export class PasskeyError extends Error {
  override readonly name = 'PasskeyError'
  readonly failure: PasskeyFailure
  constructor(failure: PasskeyFailure) {
    super(failure)
    this.failure = failure
  }
}

/** Undefined without passkey support. */
export type Credentials = Pick<CredentialsContainer, 'create' | 'get'> | undefined

const passkeyTimeoutMs = 120_000
/** ES256, EdDSA, RS256 (COSE). */
const algorithms = [-7, -8, -257] as const

export type NewPasskey = { readonly credentialId: OwnBytes; readonly salt: OwnBytes; readonly secret: OwnBytes | null }

/**
 * `secret`: null if the authenticator returns it only on use ({@link askPasskey}). A random user id, so that no passkey
 * replaces another.
 */
export async function createPasskey(
  credentials: Credentials,
  { host, site, user }: { readonly host: string; readonly site: string; readonly user: string },
): Promise<NewPasskey> {
  if (credentials === undefined) throw new PasskeyError('NO_PASSKEYS')
  const salt = randomBytes(32)
  const created = await orCancelled(
    credentials.create({
      publicKey: {
        rp: { id: host, name: site },
        user: { id: randomBytes(32), name: user, displayName: user },
        challenge: randomBytes(32),
        pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
        timeout: passkeyTimeoutMs,
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  )
  const { prf } = created.getClientExtensionResults()
  if (prf?.enabled !== true) throw new PasskeyError('NO_PRF')
  return { credentialId: new Uint8Array(created.rawId), salt, secret: secretOf(prf) }
}

/** 32 bytes per salt; the caller overwrites them. */
export async function askPasskey(
  credentials: Credentials,
  { host, credentialId, salt }: { readonly host: string; readonly credentialId: OwnBytes; readonly salt: OwnBytes },
): Promise<OwnBytes> {
  if (credentials === undefined) throw new PasskeyError('NO_PASSKEYS')
  const used = await orCancelled(
    credentials.get({
      publicKey: {
        rpId: host,
        challenge: randomBytes(32),
        allowCredentials: [{ type: 'public-key', id: credentialId }],
        // The secret depends on it.
        userVerification: 'required',
        timeout: passkeyTimeoutMs,
        extensions: { prf: { eval: { first: salt } } },
      },
    }),
  )
  const secret = secretOf(used.getClientExtensionResults().prf)
  if (secret === null) throw new PasskeyError('NO_PRF')
  return secret
}

type PasskeyRecovery = Extract<Recovery, { method: 'passkey' }>

/** Bound to the addresses. Overwrites the secret. */
export async function recoveryByPasskey(
  { credentialId, salt }: Pick<NewPasskey, 'credentialId' | 'salt'>,
  secret: OwnBytes,
  addresses: WalletAddresses,
): Promise<PasskeyRecovery> {
  try {
    const wrapped = await createRecoveryKey('passkey', secret, addresses)
    return { method: 'passkey', ...wrapped, credentialId: toBase64Url(credentialId), salt: toBase64Url(salt) }
  } finally {
    wipe(secret)
  }
}

/** Rejects with a {@link PasskeyError}, or BAD_RECOVERY_KEY. */
export async function openByPasskey(
  credentials: Credentials,
  recovery: PasskeyRecovery,
  addresses: WalletAddresses | null,
  host: string,
): Promise<CryptoKey> {
  const input = { host, credentialId: fromBase64Url(recovery.credentialId), salt: fromBase64Url(recovery.salt) }
  const secret = await askPasskey(credentials, input)
  try {
    return await openRecoveryKey('passkey', recovery, secret, addresses)
  } finally {
    wipe(secret)
  }
}

function secretOf(prf: AuthenticationExtensionsPRFOutputs | undefined): OwnBytes | null {
  const first = prf?.results?.first
  if (first === undefined) return null
  const bytes = ArrayBuffer.isView(first)
    ? new Uint8Array(first.buffer, first.byteOffset, first.byteLength)
    : new Uint8Array(first)
  return bytes.length === 32 ? new Uint8Array(bytes) : null
}

/** Browsers report cancel, refusal and timeout alike, so that pages cannot probe for passkeys. */
async function orCancelled(pendingCredential: Promise<Credential | null>): Promise<PublicKeyCredential> {
  let credential: Credential | null
  try {
    credential = await pendingCredential
  } catch (cause) {
    const isUnsupported = cause instanceof DOMException && cause.name === 'NotSupportedError'
    throw new PasskeyError(isUnsupported ? 'NO_PASSKEYS' : 'CANCELLED')
  }
  if (!(credential instanceof PublicKeyCredential)) throw new PasskeyError('CANCELLED')
  return credential
}
