import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { readConfig } from '../../config'
import { runWrap } from '../../operator/rotation/command'
import { KeyServiceError } from './key-service'
import { openSecrets } from './open'
import { createSecrets, newSecretKeys } from './secrets'

const token = 'hvs.right-token'
const keys = newSecretKeys()
const Body = z.object({ plaintext: z.optional(z.string()), ciphertext: z.optional(z.string()) })

/** Like the transit engine of Vault: encrypts with a key that never leaves it. */
async function startTransit() {
  const key = randomBytes(32)
  const asked: string[] = []
  const server = createServer(async (request, response) => {
    asked.push(`${request.method} ${request.url}`)
    let text = ''
    for await (const chunk of request) text += String(chunk)
    if (request.headers['x-vault-token'] !== token)
      return response.writeHead(403).end('{"errors":["permission denied"]}')
    const { plaintext = '', ciphertext = '' } = Body.parse(JSON.parse(text))
    if (request.url?.includes('/encrypt/')) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, iv)
      const bytes = Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
      return response.end(JSON.stringify({ data: { ciphertext: `vault:v1:${bytes.toString('base64')}` } }))
    }
    try {
      const bytes = Buffer.from(ciphertext.slice('vault:v1:'.length), 'base64')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
      decipher.setAuthTag(bytes.subarray(-16))
      const opened = Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString()
      return response.end(JSON.stringify({ data: { plaintext: opened } }))
    } catch {
      return response.writeHead(400).end('{"errors":["cipher: message authentication failed"]}')
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  return { url: `http://127.0.0.1:${address.port}`, asked, close: () => server.close() }
}

let service: Awaited<ReturnType<typeof startTransit>>
let dir: string
beforeEach(async () => {
  service = await startTransit()
  dir = await mkdtemp(path.join(tmpdir(), 'postern-kms-'))
  await writeFile(path.join(dir, 'secrets.json'), JSON.stringify(keys))
})
afterEach(async () => {
  service.close()
  await rm(dir, { recursive: true })
})

const wrap = (tokenOrFile = token) =>
  runWrap(['secrets.json', '--url', service.url, '--key', 'postern'], dir, tokenOrFile)
const start = (POSTERN_SECRETS: string, POSTERN_KEY_SERVICE_TOKEN = token) =>
  openSecrets(readConfig({ POSTERN_SECRETS, POSTERN_KEY_SERVICE_TOKEN }))

describe('secrets of a key service', () => {
  test('1. open what the plain keys sealed, and the file has none of them', async () => {
    const wrapped = await wrap()
    for (const [{ key } = { key: '' }] of Object.values(keys)) expect(wrapped).not.toContain(key)
    const sealed = createSecrets(keys).authShares.seal('share', 'context')
    expect((await start(wrapped)).authShares.open(sealed, 'context')).toBe('share')
    expect(service.asked).toEqual(['POST /v1/transit/encrypt/postern', 'POST /v1/transit/decrypt/postern'])
  })

  test('take the token from a file', async () => {
    const file = path.join(dir, 'token')
    await writeFile(file, `${token}\n`)
    await start(await wrap(file), file)
    await expect(wrap('/none')).rejects.toThrow('POSTERN_KEY_SERVICE_TOKEN names a file that cannot be read')
  })

  test.each<[string, (wrapped: string) => Promise<unknown>, RegExp]>([
    ['a wrong token', (wrapped) => start(wrapped, 'wrong-token'), /answered 403/],
    ['a changed file', (wrapped) => start(wrapped.replace(/vault:v1:..../, 'vault:v1:AAAA')), /answered 400/],
    [
      'a service that is down',
      (wrapped) => {
        service.close()
        return start(wrapped.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:1'))
      },
      /cannot be reached/,
    ],
  ])('3. %s stops the start with a sentence that has neither token nor key', async (_, act, message) => {
    const wrapped = await wrap()
    const error: unknown = await act(wrapped).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(KeyServiceError)
    expect(String(error)).toMatch(message)
    expect(String(error)).not.toMatch(/right-token|wrong-token|vault:v1/)
  })

  test('2. never send the token to another machine without TLS', async () => {
    const wrapped = (await wrap()).replace(service.url, 'http://vault.example.com:8200')
    expect(() => readConfig({ POSTERN_SECRETS: wrapped, POSTERN_KEY_SERVICE_TOKEN: token })).toThrow('must be https')
    await expect(
      runWrap(['secrets.json', '--url', 'http://vault.example.com', '--key', 'postern'], dir, token),
    ).rejects.toThrow('must be https')
  })

  test('need a token', async () => {
    const wrapped = await wrap()
    expect(() => readConfig({ POSTERN_SECRETS: wrapped })).toThrow('POSTERN_KEY_SERVICE_TOKEN must be set')
  })
})
