import { once } from 'node:events'
import { createServer } from 'node:http'
import { type ClientHttp2Session, connect } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCertificate } from './certificates'
import { type Edge, startEdge } from './edge'

const fourG = { roundTripMs: 60, megabitsPerSecond: 9 }
const kilobyte = 1000
const file = Buffer.alloc(900 * kilobyte, 'x')
/** A busy machine delays; nothing but the link may be faster. In ms. */
const slackMs = 1500

let edge: Edge
let open: () => ClientHttp2Session
const origin = createServer((request, response) => response.end(request.url === '/file' ? file : request.headers.host))

beforeAll(async () => {
  origin.listen(0, '127.0.0.1')
  await once(origin, 'listening')
  const certificate = await makeCertificate('site.localhost')
  const { port } = origin.address() as AddressInfo
  edge = await startEdge(new Map([['site.localhost', certificate]]), () => port, fourG)
  open = () => {
    const session = connect(`https://site.localhost:${edge.port}`, {
      ca: certificate.cert,
      lookup: (_name, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]),
    })
    // The next test ends the connections of the one before.
    session.on('error', () => {})
    return session
  }
})

afterAll(async () => {
  await edge.stop()
  origin.close()
})

async function get(session: ClientHttp2Session, path: string): Promise<Buffer> {
  const stream = session.request({ ':path': path })
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function timed<T>(work: Promise<T>): Promise<{ readonly ms: number; readonly result: T }> {
  const began = performance.now() // real time: the model of the link delays by it
  const result = await work
  return { result, ms: performance.now() - began } // real time: as above
}

describe('startEdge', () => {
  test('takes a round trip each for TCP, TLS and the first answer, and one for the next answer', async () => {
    const log = edge.restart(fourG)
    const session = open()
    const first = await timed(get(session, '/'))
    const second = await timed(get(session, '/'))
    session.close()
    expect(first.result.toString()).toBe(`site.localhost:${edge.port}`)
    expect(first.ms).toBeGreaterThanOrEqual(3 * 60)
    expect(first.ms).toBeLessThan(3 * 60 + slackMs)
    expect(second.ms).toBeGreaterThanOrEqual(60)
    expect(second.ms).toBeLessThan(60 + slackMs)
    expect(log.map(({ host, requests }) => [host, requests.map(({ path }) => path)])).toEqual([
      ['site.localhost', ['/', '/']],
    ])
  })

  test('shares the rate of the link between connections', async () => {
    const log = edge.restart(fourG)
    const sessions = [open(), open()]
    const transfer = await timed(Promise.all(sessions.map((session) => get(session, '/file'))))
    for (const session of sessions) session.close()
    const total = 2 * file.length
    expect(transfer.result.reduce((sum, bytes) => sum + bytes.length, 0)).toBe(total)
    const atRate = (total * 8) / (9 * kilobyte)
    expect(transfer.ms).toBeGreaterThanOrEqual(atRate)
    expect(transfer.ms).toBeLessThan(atRate * 1.2 + slackMs)
    const arrived = log.map(({ arrivals }) => arrivals.reduce((sum, { bytes }) => sum + bytes, 0))
    expect(arrived.every((bytes) => bytes > file.length && bytes < file.length * 1.02)).toBe(true)
  })

  test('begins a new link and a new log', async () => {
    const before = edge.restart(fourG)
    const session = open()
    await get(session, '/')
    const closed = new Promise((resolve) => session.once('close', resolve))
    const after = edge.restart({ roundTripMs: 10, megabitsPerSecond: 50 })
    await closed
    const next = open()
    expect((await timed(get(next, '/'))).ms).toBeGreaterThanOrEqual(30)
    next.close()
    expect([before.length, after.length]).toEqual([1, 1])
  })
})
