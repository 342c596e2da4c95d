import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromBase64Url, randomBytes, toBase64Url } from './bytes'
import { createRecoveryKey, openRecoveryKey } from './recovery-key'
import { readRecoveryShare, writeRecoveryShare } from './recovery-share'

const withParameters = (wrapped: { readonly publicKey: string; readonly wrappedKey: string }) =>
  ({ method: 'passphrase', ...wrapped, salt: 'AA', memory: 65_536, passes: 3, lanes: 1 }) as const

describe('the user’s recovery key', () => {
  it('opens what was sealed to it, and cannot be exported', async () => {
    const secret = randomBytes(32)
    const wrapped = await createRecoveryKey('passphrase', secret)
    const key = await openRecoveryKey('passphrase', wrapped, secret)
    expect(key.extractable).toBe(false)
    const share = randomBytes(17)
    const sealed = await writeRecoveryShare(share, withParameters(wrapped), 'user-1')
    expect(await readRecoveryShare(sealed, withParameters(wrapped), 'user-1', key)).toEqual(share)
    expect(sealed).not.toContain(toBase64Url(share))
  })

  it('1. does not unwrap with another secret, method or public key', async () => {
    const secret = randomBytes(32)
    const wrapped = await createRecoveryKey('passkey', secret)
    const other = await createRecoveryKey('passkey', secret)
    await expect(openRecoveryKey('passkey', wrapped, randomBytes(32))).rejects.toThrow('BAD_RECOVERY_KEY')
    await expect(openRecoveryKey('passphrase', wrapped, secret)).rejects.toThrow('BAD_RECOVERY_KEY')
    const swapped = { publicKey: other.publicKey, wrappedKey: wrapped.wrappedKey }
    await expect(openRecoveryKey('passkey', swapped, secret)).rejects.toThrow('BAD_RECOVERY_KEY')
  })

  it('detects any changed byte, and rejects malformed input', async () => {
    const secret = randomBytes(32)
    const wrapped = await createRecoveryKey('passkey', secret)
    const bytes = fromBase64Url(wrapped.wrappedKey)
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const tampered = new Uint8Array(bytes)
        tampered[at] = (tampered[at] ?? 0) ^ change
        const given = { ...wrapped, wrappedKey: toBase64Url(tampered) }
        await expect(openRecoveryKey('passkey', given, secret)).rejects.toThrow('BAD_RECOVERY_KEY')
      }),
      { numRuns: 40 },
    )
    for (const wrappedKey of ['', 'AQ', '!'])
      await expect(openRecoveryKey('passkey', { ...wrapped, wrappedKey }, secret)).rejects.toThrow('BAD_RECOVERY_KEY')
  })

  it('seals the same share differently each time', async () => {
    const wrapped = await createRecoveryKey('passkey', randomBytes(32))
    const share = randomBytes(17)
    const sealed = [1, 2].map(() => writeRecoveryShare(share, withParameters(wrapped), 'user-1'))
    const [one, two] = await Promise.all(sealed)
    expect(one).not.toBe(two)
  })
})
