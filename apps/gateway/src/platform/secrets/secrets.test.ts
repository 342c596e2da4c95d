import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSecrets, isSameSecret, newSecretKeys, SecretKeys } from './secrets'
import { loadOrCreateSecrets } from './secrets-file'

describe('SecretKeys', () => {
  const keys = newSecretKeys()
  const [email] = keys.email

  test('accepts the output of newSecretKeys', () => {
    expect(SecretKeys.parse(JSON.parse(JSON.stringify(keys)))).toEqual(keys)
  })

  test.each<[string, unknown]>([
    ['a purpose without a key', { ...keys, code: [] }],
    ['a purpose that is missing', { ...keys, code: undefined }],
    ['a key that is too short', { ...keys, code: [{ id: '1', key: 'short' }] }],
    [
      'an id that is twice in a ring',
      { ...keys, code: [...keys.code, { id: '1', key: newSecretKeys().code[0]?.key }] },
    ],
    ['one key for two purposes', { ...keys, code: [email] }],
    ['a share key that is the other share key', { ...keys, recoveryShare: keys.authShare }],
    ['an unknown purpose', { ...keys, other: keys.code }],
  ])('refuses %s', (_, value) => {
    expect(SecretKeys.safeParse(value).success).toBe(false)
  })
})

describe('createSecrets', () => {
  test('uses a separate key for each purpose', () => {
    const secrets = createSecrets(newSecretKeys())
    const sealed = secrets.authShares.seal('share', 'context')
    for (const other of [secrets.recoveryShares, secrets.flows, secrets.identities]) {
      expect(() => other.open(sealed, 'context')).toThrow('does not open')
    }
    expect(secrets.identityKeys[0].publicKey.asymmetricKeyType).toBe('ed25519')
  })
})

describe('loadOrCreateSecrets', () => {
  let dir: string
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'postern-secrets-'))
  })
  afterEach(() => rm(dir, { recursive: true }))

  test('1. generates the secrets once, readable only by their owner', async () => {
    const file = path.join(dir, 'data', 'secrets.json')
    const made = await loadOrCreateSecrets(file)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700)
    expect(await loadOrCreateSecrets(file)).toEqual(made)
  })

  test('2. two processes that start together agree', async () => {
    const file = path.join(dir, 'secrets.json')
    const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => loadOrCreateSecrets(file)))
    for (const other of others) expect(other).toEqual(first)
    expect(await readdir(dir)).toEqual(['secrets.json'])
  })

  test('3. leaves a file with other content unchanged, and does not reveal it', async () => {
    const file = path.join(dir, 'secrets.json')
    await writeFile(file, '{"email": "hush"')
    await expect(loadOrCreateSecrets(file)).rejects.toThrow(/secrets\.json does not hold the gateway's secrets$/)
    expect(await readFile(file, 'utf8')).toBe('{"email": "hush"')
  })
})

test('isSameSecret compares all bytes', () => {
  expect(isSameSecret('sécret', 'sécret')).toBe(true)
  for (const other of ['sécreT', 'sécre', 'sécrets', 'secret!', '']) expect(isSameSecret('sécret', other)).toBe(false)
})
