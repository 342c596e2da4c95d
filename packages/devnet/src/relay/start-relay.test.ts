import { connect as openSocket } from 'node:net'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58, base64urlnopad } from '@scure/base'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { clientOf } from './auth'
import { type RunningRelay, startRelay } from './start-relay'

const key = ed25519.utils.randomSecretKey()
const issuer = `did:key:z${base58.encode(Uint8Array.of(0xed, 1, ...ed25519.getPublicKey(key)))}`
const encode = (value: unknown) => base64urlnopad.encode(new TextEncoder().encode(JSON.stringify(value)))
const seconds = 1_800_000_000

function token(payload: object = {}, header: object = { alg: 'EdDSA', typ: 'JWT' }, signedWith = key): string {
  const claims = { iss: issuer, sub: 'random', aud: relay.url, iat: seconds, exp: seconds + 86_400, ...payload }
  const signed = `${encode(header)}.${encode(claims)}`
  return `${signed}.${base64urlnopad.encode(ed25519.sign(new TextEncoder().encode(signed), signedWith))}`
}

let relay: RunningRelay
beforeAll(async () => {
  relay = await startRelay({ port: 0, now: () => seconds * 1_000 })
})
afterAll(() => relay.stop())

/** Resolves with the socket, or the status of a rejected handshake. */
function dial(query: string): Promise<WebSocket | number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${relay.url}/?${query}`)
    socket.once('open', () => resolve(socket))
    socket.once('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
    socket.once('error', reject)
  })
}
async function join(auth = token()): Promise<WebSocket> {
  const socket = await dial(`projectId=demo&auth=${auth}`)
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`)
  return socket
}
const closed = (socket: WebSocket) => new Promise<number>((resolve) => socket.once('close', resolve))
const control = (path: string, headers: Record<string, string> = {}, method = 'POST') =>
  fetch(`http://127.0.0.1:${relay.port}${path}`, { method, headers })

/** Sends bytes that no HTTP client would. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = openSocket(relay.port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => {
      answer += chunk.toString()
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

describe('clientOf', () => {
  test('1 to 4. accepts a valid token and returns its issuer', () => {
    expect(clientOf(token(), [relay.url], seconds)).toBe(issuer)
    expect(clientOf(token({ aud: `${relay.url}/` }), [relay.url], seconds)).toBe(issuer)
  })

  test.each([
    ['1. nothing', () => ''],
    ['1. two parts', () => token().split('.').slice(0, 2).join('.')],
    ['1. four parts', () => `${token()}.x`],
    ['1. no algorithm', () => token({}, { alg: 'none', typ: 'JWT' })],
    ['1. another algorithm', () => token({}, { alg: 'HS256', typ: 'JWT' })],
    ['1. too many characters', () => token({ sub: 'x'.repeat(4_096) })],
    ['2. another key', () => token({}, { alg: 'EdDSA', typ: 'JWT' }, ed25519.utils.randomSecretKey())],
    ['2. another issuer', () => token({ iss: `did:key:z${base58.encode(new Uint8Array(34).fill(7))}` })],
    ['2. an issuer of a web site', () => token({ iss: 'did:web:example.com' })],
    ['2. altered after signing', () => token().replace(/\.(.)/, (_, first) => `.${first === 'e' ? 'f' : 'e'}`)],
    ['3. issued for another relay', () => token({ aud: 'wss://relay.walletconnect.org' })],
    ['3. issued for http', () => token({ aud: relay.url.replace('ws:', 'http:') })],
    ['4. expired', () => token({ exp: seconds - 120 })],
    ['4. issued in the future', () => token({ iat: seconds + 120 })],
  ])('%s: rejected', (_, make) => {
    expect(clientOf(make(), [relay.url], seconds)).toBeNull()
  })
})

describe('startRelay', () => {
  test('1. the handshake requires a project and a token', async () => {
    expect(await dial(`auth=${token()}`)).toBe(400)
    expect(await dial('projectId=demo')).toBe(401)
    expect(await dial(`projectId=demo&auth=${token({ aud: 'ws://elsewhere' })}`)).toBe(401)
    const socket = await join()
    socket.close()
    await closed(socket)
  })

  test('2. pausing drops sockets, rejects new ones and keeps messages until resume', async () => {
    const topic = 'c'.repeat(64)
    const ada = await join()
    ada.send(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'irn_publish',
        params: { topic, message: 'm', ttl: 60, tag: 1 },
      }),
    )
    await new Promise((resolve) => ada.once('message', resolve))
    const gone = closed(ada)
    expect(await (await control('/devnet/stop')).json()).toEqual({ paused: true })
    expect(await gone).toBe(1006)
    expect(await dial(`projectId=demo&auth=${token()}`)).toBe(503)
    expect(relay.counts()).toEqual({ connections: 0, waiting: 1 })
    expect((await control('/devnet/start')).status).toBe(200)
    const back = await join()
    back.terminate()
    await closed(back)
  })

  test.each([
    ['a binary frame', Buffer.from('{}'), 1003],
    ['a frame of megabytes', 'x'.repeat(2_000_000), 1009],
  ])('3. %s closes only its own connection', async (_, frame, code) => {
    const [hostile, other] = [await join(), await join()]
    const ended = closed(hostile)
    hostile.send(frame)
    expect(await ended).toBe(code)
    expect(other.readyState).toBe(WebSocket.OPEN)
    other.terminate()
    await closed(other)
  })

  test('4. only loopback may pause it', async () => {
    expect((await control('/devnet/stop', { origin: 'https://evil.example' })).status).toBe(403)
    expect((await control('/devnet/stop', { origin: 'null' })).status).toBe(403)
    expect((await control('/devnet/stop', {}, 'GET')).status).toBe(405)
    const local = await control('/devnet/start', { origin: 'http://demo.localhost:4500' })
    expect([local.status, local.headers.get('access-control-allow-origin')]).toEqual([
      200,
      'http://demo.localhost:4500',
    ])
    expect((await control('/health', {}, 'GET')).status).toBe(200)
    expect((await control('/elsewhere')).status).toBe(404)
  })

  test('4. a page whose own host name resolves to loopback cannot pause it', async () => {
    const head = 'host: evil.example\r\ncontent-length: 0\r\nconnection: close'
    expect(await raw(`POST /devnet/stop HTTP/1.1\r\n${head}\r\n\r\n`)).toMatch(/^HTTP\/1.1 403/)
  })

  test('an invalid request line gets a response and does not crash the relay', async () => {
    const upgrade = 'connection: upgrade\r\nupgrade: websocket'
    expect(await raw('GET // HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n')).toMatch(/^HTTP\/1.1 404/)
    expect(await raw(`GET // HTTP/1.1\r\nhost: localhost\r\n${upgrade}\r\n\r\n`)).toMatch(/^HTTP\/1.1 400/)
  })

  test('an abort stops it and frees the port', async () => {
    const abort = new AbortController()
    const other = await startRelay({ port: 0, signal: abort.signal })
    abort.abort()
    await other.stop()
    const again = await startRelay({ port: other.port })
    await expect(startRelay({ port: other.port })).rejects.toThrow(/EADDRINUSE/)
    await again.stop()
  })
})
