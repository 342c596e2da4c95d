import { type CryptoKey, exportJWK, generateKeyPair, importJWK, type JSONWebKeySet, type JWK } from 'jose'

/** Ed25519 keys with which tokens are signed. To rotate: a new one signs, the old one stays published until its last token expired. */
export type SigningKeys = {
  /** The one that signs now. */
  current(): Promise<{ readonly kid: string; readonly privateKey: CryptoKey }>
  /** All whose tokens are still good. */
  jwks(): Promise<JSONWebKeySet>
}

/**
 * Keys from a setting: the first signs, all are published. To rotate, put a new one in front and drop the last after a token's lifetime.
 *
 * @param keys private Ed25519 keys as `generateSigningKey` gives them
 */
export function keysFromJwks(keys: readonly [JWK, ...JWK[]]): SigningKeys {
  for (const { kty, crv, d, x, kid } of keys) {
    if (kty !== 'OKP' || crv !== 'Ed25519' || d === undefined || x === undefined || kid === undefined)
      throw new TypeError('A signing key is a private Ed25519 JWK with a kid')
  }
  const [first] = keys
  const imported = importPrivate(first)
  // Whoever awaits it gets the failure; a rejection that nobody waits for yet must not end the process.
  imported.catch(() => {})
  const published = publicKeys({ keys: [...keys] })
  return { current: () => imported, jwks: async () => published }
}

async function importPrivate(jwk: JWK): Promise<{ kid: string; privateKey: CryptoKey }> {
  const privateKey = await importJWK(jwk, 'EdDSA')
  if (privateKey instanceof Uint8Array || jwk.kid === undefined) throw new TypeError('Not an Ed25519 key')
  return { kid: jwk.kid, privateKey }
}

/** A private Ed25519 key with a random id, to be kept as a secret. */
export async function generateSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  return { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: 'EdDSA', use: 'sig' }
}

/** The public half, member by member, so that no private one ever leaves by mistake. Keys of another kind are left out. */
export function publicKeys({ keys }: JSONWebKeySet): JSONWebKeySet {
  return {
    keys: keys.flatMap(({ kty, crv, x, kid }) =>
      kty === 'OKP' && crv === 'Ed25519' && x !== undefined && kid !== undefined
        ? [{ kty, crv, x, kid, alg: 'EdDSA', use: 'sig' }]
        : [],
    ),
  }
}
