import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JSONWebKeySet, type JWK } from 'jose'

export type SigningKeys = {
  current(): Promise<{ readonly kid: string; readonly privateKey: CryptoKey }>
  jwks(): Promise<JSONWebKeySet>
}

/**
 * The first key signs; all are published.
 * To rotate, add a key in front, and drop the old one after a token's lifetime.
 *
 * @param keys private Ed25519 keys from `generateSigningKey`
 */
export function keysFromJwks(keys: readonly [JWK, ...JWK[]]): SigningKeys {
  for (const { kty, crv, d, x, kid } of keys) {
    if (kty !== 'OKP' || crv !== 'Ed25519' || d === undefined || x === undefined || kid === undefined)
      throw new TypeError('A signing key is a private Ed25519 JWK with a kid')
  }
  const [first] = keys
  const imported = importPrivate(first)
  // `current` reports the failure; until then it must count as handled.
  imported.catch(() => {})
  const published = publicKeys({ keys: [...keys] })
  return { current: () => imported, jwks: async () => published }
}

async function importPrivate(jwk: JWK): Promise<{ kid: string; privateKey: CryptoKey }> {
  const privateKey = await importJWK(jwk, 'EdDSA')
  if (privateKey instanceof Uint8Array || jwk.kid === undefined) throw new TypeError('Not an Ed25519 key')
  return { kid: jwk.kid, privateKey }
}

/** Store it as a secret. */
export async function generateSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  return { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: 'EdDSA', use: 'sig' }
}

/** Member by member, so that nothing private leaks. Omits other keys. */
export function publicKeys({ keys }: JSONWebKeySet): JSONWebKeySet {
  return {
    keys: keys.flatMap(({ kty, crv, x, kid }) =>
      kty === 'OKP' && crv === 'Ed25519' && x !== undefined && kid !== undefined
        ? [{ kty, crv, x, kid, alg: 'EdDSA', use: 'sig' }]
        : [],
    ),
  }
}
