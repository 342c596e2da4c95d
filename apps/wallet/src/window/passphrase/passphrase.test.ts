import { hex } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { stretchPassphrase } from './argon2'
import { newPassphrase, openByPassphrase, type Stretch } from './passphrase'

/** Even the cheapest allowed cost is too slow here. */
const quick: Stretch = async ({ passphrase, salt }, onProgress) => {
  onProgress(1)
  return stretchPassphrase({ passphrase, salt, cost: { memory: 64, passes: 1, lanes: 1 } }, () => undefined)
}
const ignore = () => undefined

const addresses = { eip155: '0x00000000000000000000000000000000000000Aa', solana: 'So1', bip122: '02ab' }

describe('Argon2id', () => {
  it('matches the published vector', () => {
    // Source: https://github.com/P-H-C/phc-winner-argon2/blob/master/src/test.c, version 0x13, t = 2, m = 2^8 KiB, p = 1.
    const [passphrase, salt] = ['password', 'somesalt'].map((text) => new Uint8Array(new TextEncoder().encode(text)))
    if (passphrase === undefined || salt === undefined) throw new Error('Unreachable')
    const secret = stretchPassphrase({ passphrase, salt, cost: { memory: 256, passes: 2, lanes: 1 } }, ignore)
    expect(hex.encode(secret)).toBe('9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe')
    expect(passphrase.every((byte) => byte === 0)).toBe(true)
  })
})

describe('a passphrase', () => {
  it('opens only the recovery key that was created with it', async () => {
    const recovery = await newPassphrase('violet harbor Tuesday magnet', addresses, quick, ignore)
    expect(recovery).toMatchObject({ method: 'passphrase', memory: 65_536, passes: 3, lanes: 1 })
    const key = await openByPassphrase(recovery, addresses, 'violet harbor Tuesday magnet', quick, ignore)
    expect(key.extractable).toBe(false)
    for (const wrong of ['violet harbor Tuesday Magnet', 'violet harbor Tuesday magnet ', ''])
      await expect(openByPassphrase(recovery, addresses, wrong, quick, ignore)).rejects.toThrow('BAD_RECOVERY_KEY')
  })

  it('is the same for any Unicode form of its letters', async () => {
    const recovery = await newPassphrase('Ströme fließen über Å', addresses, quick, ignore)
    await expect(openByPassphrase(recovery, addresses, 'Ströme fließen über Å', quick, ignore)).resolves.toBeDefined()
  })

  it('gets a new salt each time', async () => {
    const [one, two] = await Promise.all(['a', 'a'].map((text) => newPassphrase(text, addresses, quick, ignore)))
    expect(one?.salt).not.toBe(two?.salt)
  })
})
