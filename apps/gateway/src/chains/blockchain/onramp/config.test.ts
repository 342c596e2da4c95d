import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { gatewayEnvironment } from '../../../testing/devnet'
import { readNameSuffix } from '../names/config'
import { readOnRamp } from './config'

const ed25519 = generateKeyPairSync('ed25519')
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const raw = (key: KeyObject, format: 'pkcs8' | 'spki') => key.export({ type: format, format: 'der' }).subarray(-32)
const coinbaseSecret = Buffer.concat([raw(ed25519.privateKey, 'pkcs8'), raw(ed25519.publicKey, 'spki')]).toString(
  'base64',
)

function read(value: unknown, production = false) {
  const problems: string[] = []
  const config = readOnRamp(typeof value === 'string' ? value : JSON.stringify(value), production, problems)
  return { config, problems }
}

describe('POSTERN_ONRAMP', () => {
  test.each([
    ['64 bytes, as Coinbase gives them out', coinbaseSecret, 'ed25519'],
    ['PKCS #8 in base64', ed25519.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'), 'ed25519'],
    ['a PEM', String(p256.privateKey.export({ type: 'sec1', format: 'pem' })), 'ec'],
    [
      'a PEM with its line breaks written out',
      String(p256.privateKey.export({ type: 'sec1', format: 'pem' })).replaceAll('\n', '\\n'),
      'ec',
    ],
  ])('accepts a key as %s', (_, privateKey, kind) => {
    const { config, problems } = read({ keyId: 'key', privateKey })
    expect(problems).toEqual([])
    expect(config?.privateKey.asymmetricKeyType).toBe(kind)
    expect(config?.api.href).toBe('https://api.developer.coinbase.com/onramp/v1')
    expect(config?.country).toBe('US')
  })

  test('accepts the devnet’s configuration', () => {
    const { config, problems } = read(gatewayEnvironment({ evm: 1, evmTwo: 2, onramp: 3 }).POSTERN_ONRAMP ?? '')
    expect(problems).toEqual([])
    expect(config?.api.href).toBe('http://127.0.0.1:3/onramp/v1')
  })

  const secret = 'hush-hush-hush-hush'
  const good = { keyId: 'key', privateKey: coinbaseSecret }
  test.each([
    ['no JSON', secret],
    ['no key', { keyId: secret }],
    ['an invalid key', { keyId: 'key', privateKey: secret }],
    [
      'a key of another curve',
      {
        keyId: 'key',
        privateKey: generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey.export({
          type: 'sec1',
          format: 'pem',
        }),
      },
    ],
    ['a public key', { keyId: 'key', privateKey: p256.publicKey.export({ type: 'spki', format: 'pem' }) }],
    ['a user in the URL', { ...good, api: `https://user:${secret}@example.com/onramp/v1` }],
    ['a query in the URL', { ...good, page: `https://example.com/buy?key=${secret}` }],
    ['another scheme', { ...good, page: 'javascript:alert(1)' }],
    ['an invalid country', { ...good, country: 'usa' }],
    ['an unknown member', { ...good, [secret]: secret }],
  ])('is rejected with %s, and never repeated', (_, value) => {
    const { config, problems } = read(value)
    expect(config).toBeNull()
    expect(problems).toHaveLength(1)
    expect(problems.join()).not.toMatch(/PRIVATE|MII/)
    if (typeof value === 'string' || !(secret in value)) expect(problems.join()).not.toContain(secret)
  })

  test('requires https in production', () => {
    expect(read({ ...good, page: 'http://onramp.example/buy' }, true).problems).toHaveLength(1)
    expect(read(good, true).problems).toEqual([])
  })

  test('never prints the key', () => {
    const { config } = read(good)
    const printed = `${inspect(config, { depth: 9 })}${JSON.stringify(config)}`
    expect(printed).not.toContain(coinbaseSecret.slice(0, 20))
    expect(printed).not.toContain(raw(ed25519.privateKey, 'pkcs8').toString('hex'))
  })
})

describe('POSTERN_NAMES', () => {
  test.each([
    ['.postern', '.postern'],
    ['postern', '.postern'],
    ['names.Example.com', '.names.example.com'],
    [undefined, null],
  ])('%s becomes %s', (text, suffix) => {
    const problems: string[] = []
    expect(readNameSuffix(text, problems)).toBe(suffix)
    expect(problems).toEqual([])
  })

  test.each([
    '',
    '.',
    '.eth',
    'eth',
    'postern.eth',
    '..postern',
    '.-a',
    '.a b',
    '.a/b',
    '.\u0430',
    `.${'a'.repeat(80)}`,
  ])('rejects %j', (text) => {
    const problems: string[] = []
    expect(readNameSuffix(text, problems)).toBeNull()
    expect(problems).toHaveLength(1)
  })
})
