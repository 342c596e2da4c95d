import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromBase64Url, randomBytes, toBase64Url } from './bytes'
import { createRecoveryKey, openRecoveryKey } from './recovery-key'
import { readRecoveryShare, writeRecoveryShare } from './recovery-share'

const withParameters = (wrapped: { readonly publicKey: string; readonly wrappedKey: string }) =>
  ({ method: 'passphrase', ...wrapped, salt: 'AA', memory: 65_536, passes: 3, lanes: 1 }) as const

const addresses = {
  eip155: '0x9858EfFD232B4033E47d90003D41EC34EcaEda94',
  solana: 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk',
  bip122: '0330d54fd0dd420a6e5f8d3624f5f3482cae350f79d5f0753bf5beef9c2d91af3c',
}

/** Written by the code of version 1. */
const version1 = {
  secret: new Uint8Array(32).fill(7),
  wrapped: {
    publicKey:
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEa3ae5d0o67x0qBOCUyEpypC0KiiB4u67iLluTEoMD7vi68aLyJVzMFLFYUMXFyynndUf11jhpXz5pGrDaE-NGg',
    wrappedKey:
      'AQocF8A1LWZE7Se0t7DPAT8yuNiotls3lGNP_QFAwDGvHdIsVU9GT16QOWkc3D_2gV6OvMfI8_pApgwa2D9zVp8vXXju_AtpwUNshmPC8ZPWzm52jKIOkJa6HAzd81z_2WssgWp0_CoiVUJCZTjbt6R61nLkgL_w9KpP0aljMxlWccD8mTATkBtzlKCEAucQq4CHGWN_z79w0_HaQDJ_6hdCIOEvGP4',
  },
}

describe('the user’s recovery key', () => {
  it('opens what was sealed to it, and cannot be exported', async () => {
    const secret = randomBytes(32)
    const wrapped = await createRecoveryKey('passphrase', secret, addresses)
    const key = await openRecoveryKey('passphrase', wrapped, secret, addresses)
    expect(key.extractable).toBe(false)
    const share = randomBytes(17)
    const sealed = await writeRecoveryShare(share, withParameters(wrapped), 'user-1')
    expect(await readRecoveryShare(sealed, withParameters(wrapped), 'user-1', key)).toEqual(share)
    expect(sealed).not.toContain(toBase64Url(share))
  })

  it('1. does not unwrap with another secret, method or public key', async () => {
    const secret = randomBytes(32)
    const wrapped = await createRecoveryKey('passkey', secret, addresses)
    const other = await createRecoveryKey('passkey', secret, addresses)
    await expect(openRecoveryKey('passkey', wrapped, randomBytes(32), addresses)).rejects.toThrow('BAD_RECOVERY_KEY')
    await expect(openRecoveryKey('passphrase', wrapped, secret, addresses)).rejects.toThrow('BAD_RECOVERY_KEY')
    const swapped = { publicKey: other.publicKey, wrappedKey: wrapped.wrappedKey }
    await expect(openRecoveryKey('passkey', swapped, secret, addresses)).rejects.toThrow('BAD_RECOVERY_KEY')
  })

  it.each([
    ['eip155', '0x000000000000000000000000000000000000dEaD'],
    ['solana', '11111111111111111111111111111112'],
    ['bip122', `02${'ab'.repeat(32)}`],
  ])('2. does not unwrap for another %s address, nor for unproven ones', async (namespace, address) => {
    const secret = randomBytes(32)
    const wrapped = await createRecoveryKey('passphrase', secret, addresses)
    const others = { ...addresses, [namespace]: address }
    await expect(openRecoveryKey('passphrase', wrapped, secret, others)).rejects.toThrow('BAD_RECOVERY_KEY')
    await expect(openRecoveryKey('passphrase', wrapped, secret, null)).rejects.toMatchObject({
      code: 'WALLET_ADDRESSES_UNPROVEN',
    })
    const inLowerCase = { ...addresses, eip155: addresses.eip155.toLowerCase() }
    expect(await openRecoveryKey('passphrase', wrapped, secret, inLowerCase)).toBeDefined()
  })

  it('2. of version 1 unwraps for any address, and version 2 never passes as version 1', async () => {
    const secret = randomBytes(32)
    const wrapped = await createRecoveryKey('passphrase', secret, addresses)
    const bytes = fromBase64Url(wrapped.wrappedKey)
    bytes[0] = 1
    const renamed = { ...wrapped, wrappedKey: toBase64Url(bytes) }
    await expect(openRecoveryKey('passphrase', renamed, secret, addresses)).rejects.toThrow('BAD_RECOVERY_KEY')
    expect(await openRecoveryKey('passphrase', version1.wrapped, version1.secret, null)).toBeDefined()
  })

  it('detects any changed byte, and rejects malformed input', async () => {
    const secret = randomBytes(32)
    const wrapped = await createRecoveryKey('passkey', secret, addresses)
    const bytes = fromBase64Url(wrapped.wrappedKey)
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const tampered = new Uint8Array(bytes)
        tampered[at] = (tampered[at] ?? 0) ^ change
        const given = { ...wrapped, wrappedKey: toBase64Url(tampered) }
        await expect(openRecoveryKey('passkey', given, secret, addresses)).rejects.toThrow('BAD_RECOVERY_KEY')
      }),
      { numRuns: 40 },
    )
    for (const wrappedKey of ['', 'AQ', '!'])
      await expect(openRecoveryKey('passkey', { ...wrapped, wrappedKey }, secret, addresses)).rejects.toThrow(
        'BAD_RECOVERY_KEY',
      )
  })

  it('seals the same share differently each time', async () => {
    const wrapped = await createRecoveryKey('passkey', randomBytes(32), addresses)
    const share = randomBytes(17)
    const sealed = [1, 2].map(() => writeRecoveryShare(share, withParameters(wrapped), 'user-1'))
    const [one, two] = await Promise.all(sealed)
    expect(one).not.toBe(two)
  })
})
