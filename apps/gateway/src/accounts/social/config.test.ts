import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { readFarcaster } from '../farcaster/config'
import { readSocials } from './config'

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const apple = { APPLE_CLIENT_ID: 'id', APPLE_TEAM_ID: 'team', APPLE_KEY_ID: 'key', APPLE_PRIVATE_KEY: pem }

function read(env: Record<string, string>, production = false) {
  const problems: string[] = []
  return { ...readSocials(env, production, problems), problems }
}

describe('social providers', () => {
  test('none are available without credentials', () => {
    expect(read({})).toEqual({ credentials: new Map(), problems: [] })
  })

  test('only those with credentials are available', () => {
    const { credentials } = read({ GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret', ...apple })
    expect([...credentials.keys()]).toEqual(['google', 'apple'])
    expect(credentials.get('google')).toEqual({ clientId: 'id', clientSecret: 'secret' })
  })

  test.each([
    ['as the file that Apple gives', pem],
    ['on one line of an environment file', pem.replaceAll('\n', '\\n')],
    ['as base64 alone', pem.replace(/-----[A-Z ]+-----|\n/g, '')],
  ])('reads Apple’s key %s', (_, key) => {
    const { credentials, problems } = read({ ...apple, APPLE_PRIVATE_KEY: key })
    expect(problems).toEqual([])
    const provider = credentials.get('apple')
    const bytes = (text: string) => text.replace(/-----[A-Z ]+-----|\s/g, '')
    expect(provider !== undefined && 'privateKey' in provider && bytes(provider.privateKey)).toBe(bytes(pem))
  })

  test.each<[string, Record<string, string>, boolean, RegExp]>([
    ['half of a pair', { X_CLIENT_ID: 'id' }, false, /X_CLIENT_ID and X_CLIENT_SECRET go together/],
    ['a part of Apple’s', { APPLE_CLIENT_ID: 'id' }, false, /APPLE_CLIENT_ID, .* go together/],
    ['an invalid key', { ...apple, APPLE_PRIVATE_KEY: '{}' }, false, /APPLE_PRIVATE_KEY must be/],
    ['invalid endpoints', { SOCIAL_ENDPOINTS: 'ftp://x' }, false, /SOCIAL_ENDPOINTS must be an http/],
    ['endpoints without TLS in production', { SOCIAL_ENDPOINTS: 'http://x' }, true, /must be https in production/],
  ])('%s is named', (_, env, production, expected) => {
    const { problems } = read(env, production)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(expected)
    for (const value of Object.values(env)) if (value.length > 4) expect(problems[0]).not.toContain(value)
  })
})

describe('Farcaster', () => {
  const relay = { FARCASTER_RELAY_URL: 'https://relay.example.com/' }
  test('is off without a relay', () => {
    expect(readFarcaster({ FARCASTER_NETWORK: 'eip155:1' }, true, [])).toBeNull()
  })

  test('uses Optimism by default', () => {
    expect(readFarcaster(relay, true, [])).toEqual({
      relayUrl: 'https://relay.example.com',
      networkId: 'eip155:10',
      idRegistry: '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b',
    })
  })

  test.each<[Record<string, string>, RegExp]>([
    [{ FARCASTER_RELAY_URL: 'wss://relay.example.com' }, /RELAY_URL must be an http/],
    [{ FARCASTER_RELAY_URL: 'https://me:secret@relay.example.com' }, /RELAY_URL must be an http/],
    [{ FARCASTER_RELAY_URL: 'http://relay.example.com' }, /https in production/],
    [{ ...relay, FARCASTER_NETWORK: 'solana:x' }, /FARCASTER_NETWORK/],
    [{ ...relay, FARCASTER_ID_REGISTRY: '0x12' }, /FARCASTER_ID_REGISTRY/],
  ])('%o is named', (env, expected) => {
    const problems: string[] = []
    readFarcaster(env, true, problems)
    expect(problems.join()).toMatch(expected)
  })
})
