/** Keys and tokens as on Coinbase's developer platform. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { jwtVerify } from 'jose'

export const onrampKeyId = 'postern-devnet-onramp'

/** Derived from a name, so that both sides have it without an exchange. */
export function onrampKey(): KeyObject {
  const seed = createHash('sha256').update('Postern devnet: key of the on-ramp').digest()
  // PKCS#8 of an Ed25519 key: these bytes, then the seed (RFC 8410 §7).
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
}

const maxLifetimeSeconds = 120

/**
 * Whether the token is signed by the known key for this call, for two minutes at most.
 * Source: https://docs.cdp.coinbase.com/api-reference/v2/authentication
 */
export async function mayCall(
  authorization: string | undefined,
  call: { readonly method: string; readonly host: string; readonly path: string },
): Promise<boolean> {
  const [, token = ''] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? []
  try {
    const { payload, protectedHeader } = await jwtVerify(token, createPublicKey(onrampKey()), {
      algorithms: ['EdDSA'],
      issuer: ['cdp', 'coinbase-cloud'],
      subject: onrampKeyId,
      requiredClaims: ['nbf', 'exp'],
    })
    const { exp = 0, nbf = 0, uri, uris } = payload
    const named = [uri, ...(Array.isArray(uris) ? uris : [])]
    return (
      protectedHeader.kid === onrampKeyId &&
      typeof protectedHeader.nonce === 'string' &&
      exp - nbf <= maxLifetimeSeconds &&
      named.includes(`${call.method} ${call.host}${call.path}`)
    )
  } catch {
    return false
  }
}
