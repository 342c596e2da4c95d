import { afterEach, describe, expect, it, vi } from 'vitest'
import { randomBytes } from '../keys/bytes'
import { createPasskey, openByPasskey, PasskeyError, recoveryByPasskey } from './passkey'

class FakeCredential {
  readonly rawId = new Uint8Array([1, 2, 3]).buffer
  readonly id = 'AQID'
  readonly type = 'public-key'
  readonly prf: unknown
  constructor(prf: unknown) {
    this.prf = prf
  }
  getClientExtensionResults() {
    return { prf: this.prf }
  }
}

type Given = { readonly publicKey?: unknown } | undefined
function credentialsWith(create: () => unknown, get: () => unknown) {
  const seen: Given[] = []
  const answer = (make: () => unknown) => async (options?: Given) => {
    seen.push(options)
    return asCredential(make())
  }
  return { seen, credentials: { create: answer(create), get: answer(get) } }
}

function asCredential(value: unknown): Credential | null {
  return isCredential(value) ? value : null
}

function isCredential(value: unknown): value is Credential {
  return value instanceof FakeCredential
}

const addresses = { eip155: '0x00000000000000000000000000000000000000Aa', solana: 'So1', bip122: '02ab' }
const named = { host: 'wallet.postern.localhost', site: 'Postern wallet', user: 'ada@example.org' }
vi.stubGlobal('PublicKeyCredential', FakeCredential)
afterEach(() => vi.restoreAllMocks())

describe('a passkey', () => {
  it('opens the recovery key with the same secret, and verifies the user each time', async () => {
    const secret = randomBytes(32)
    const results = () => ({ enabled: true, results: { first: secret.slice() } })
    const { seen, credentials } = credentialsWith(
      () => new FakeCredential(results()),
      () => new FakeCredential(results()),
    )
    const made = await createPasskey(credentials, named)
    if (made.secret === null) throw new Error('The passkey gave no secret')
    const recovery = await recoveryByPasskey(made, made.secret, addresses)
    expect(made.secret.every((byte) => byte === 0)).toBe(true)
    const key = await openByPasskey(credentials, recovery, addresses, named.host)
    expect(key.extractable).toBe(false)
    expect(seen[0]).toMatchObject({
      publicKey: { rp: { id: named.host }, authenticatorSelection: { userVerification: 'required' } },
    })
    expect(seen[1]).toMatchObject({ publicKey: { rpId: named.host, userVerification: 'required' } })
    expect(seen[1]).toMatchObject({ publicKey: { extensions: { prf: { eval: { first: made.salt } } } } })
  })

  it('with another secret does not open it', async () => {
    const results = () => ({ enabled: true, results: { first: randomBytes(32) } })
    const { credentials } = credentialsWith(
      () => new FakeCredential(results()),
      () => new FakeCredential(results()),
    )
    const made = await createPasskey(credentials, named)
    const recovery = await recoveryByPasskey(made, made.secret ?? randomBytes(32), addresses)
    await expect(openByPasskey(credentials, recovery, addresses, named.host)).rejects.toThrow('BAD_RECOVERY_KEY')
  })

  it.each([
    ['has no PRF', () => new FakeCredential(undefined), 'NO_PRF'],
    ['has it switched off', () => new FakeCredential({ enabled: false }), 'NO_PRF'],
    ['was not made', () => null, 'CANCELLED'],
    [
      'was refused',
      () => {
        throw new DOMException('no', 'NotAllowedError')
      },
      'CANCELLED',
    ],
    [
      'is not known to the browser',
      () => {
        throw new DOMException('no', 'NotSupportedError')
      },
      'NO_PASSKEYS',
    ],
  ])('that %s', async (_what, create, failure) => {
    const { credentials } = credentialsWith(create, () => null)
    await expect(createPasskey(credentials, named)).rejects.toEqual(
      new PasskeyError(failure === 'NO_PRF' ? 'NO_PRF' : failure === 'CANCELLED' ? 'CANCELLED' : 'NO_PASSKEYS'),
    )
  })

  it('may return its secret only on use, depending on the authenticator', async () => {
    const { credentials } = credentialsWith(
      () => new FakeCredential({ enabled: true }),
      () => null,
    )
    expect((await createPasskey(credentials, named)).secret).toBeNull()
  })

  it('replaces no other: each has its own user id', async () => {
    const { seen, credentials } = credentialsWith(
      () => new FakeCredential({ enabled: true }),
      () => null,
    )
    await createPasskey(credentials, named)
    await createPasskey(credentials, named)
    const ids = seen.map((given) =>
      JSON.stringify(given, (_key, value: unknown) => (value instanceof Uint8Array ? [...value] : value)),
    )
    expect(ids[0]).not.toBe(ids[1])
  })

  it('is unavailable if the browser does not support passkeys', async () => {
    await expect(createPasskey(undefined, named)).rejects.toThrow('NO_PASSKEYS')
  })
})
