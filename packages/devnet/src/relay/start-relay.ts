import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { WebSocketServer } from 'ws'
import { close, endWith, listen } from '../http/listen'
import { clientOf } from './auth'
import { createRelay } from './relay'
import { frameLimit } from './requests'

export type RunningRelay = {
  /** `ws://127.0.0.1:PORT`, which clients get as `relayUrl`. */
  readonly url: string
  readonly port: number
  /** Waiting messages stay. Same as `POST /devnet/stop`. */
  pause(): void
  /** Same as `POST /devnet/start`. */
  resume(): void
  counts(): { readonly connections: number; readonly waiting: number }
  /** Waits until the port is free. Idempotent. */
  stop(): Promise<void>
}

/** In ms. Node clients give up after 35 s without a ping. A client that misses two is disconnected. */
const pingInterval = 15_000
const connectionsLimit = 256
/** Max unsent bytes per client. */
const bufferLimit = 16_777_216

/** The request target need not be a URL (`//`). */
function target({ url = '/' }: IncomingMessage): readonly [string, string] {
  const at = url.indexOf('?')
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}

/** Pages anywhere can send a POST here. */
const isLocal = (host: string) => /^([a-z0-9-]+\.)*localhost$|^127\.0\.0\.1$/.test(host)

function mayControl({ headers }: IncomingMessage): boolean {
  try {
    const host = new URL(`http://${headers.host ?? ''}`).hostname
    return isLocal(host) && (headers.origin === undefined || isLocal(new URL(headers.origin).hostname))
  } catch {
    return false
  }
}

/**
 * Starts a WalletConnect relay on loopback (interop §5).
 *
 * 1. A socket needs a project id and a token that authenticates its client. Otherwise the handshake is rejected with
 *    400 or 401.
 * 2. While paused, or at 256 sockets, the handshake is rejected with 503. Waiting messages stay.
 * 3. A frame over 1 MiB, or one that is not text, closes its own connection only.
 * 4. Only a loopback page, or a caller that is not a page, may pause it.
 *
 * @example
 * const relay = await startRelay({ port: 8550 })
 * relay.pause()
 * relay.resume()
 * await relay.stop()
 */
export async function startRelay({
  port,
  signal,
  now = Date.now,
}: {
  /** 0 takes a free port. */
  readonly port: number
  readonly signal?: AbortSignal | undefined
  readonly now?: () => number
}): Promise<RunningRelay> {
  signal?.throwIfAborted()
  const relay = createRelay({ now })
  const sockets = new WebSocketServer({ noServer: true, maxPayload: frameLimit })
  let paused = false
  const pause = () => {
    paused = true
    for (const socket of sockets.clients) socket.terminate()
  }
  const resume = () => {
    paused = false
  }

  const http = createServer((request, response) => control(request, response))
  function control(request: IncomingMessage, response: ServerResponse) {
    const { origin } = request.headers
    if (!mayControl(request)) return end(response, 403, { message: 'Only loopback may send requests.' })
    if (origin !== undefined) response.setHeader('access-control-allow-origin', origin)
    const [pathname] = target(request)
    if (pathname === '/health') return end(response, 200, { paused, ...relay.counts() })
    if (pathname !== '/devnet/stop' && pathname !== '/devnet/start')
      return end(response, 404, { message: 'Not found.' })
    if (request.method !== 'POST') return end(response, 405, { message: 'Send a POST.' })
    if (pathname === '/devnet/stop') pause()
    else resume()
    end(response, 200, { paused })
  }

  http.on('upgrade', (request, socket, head) => {
    const refuse = (status: string) =>
      socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
    socket.on('error', () => socket.destroy())
    if (paused || sockets.clients.size >= connectionsLimit) return refuse('503 Service Unavailable')
    const [, query] = target(request)
    const searchParams = new URLSearchParams(query)
    if ((searchParams.get('projectId') ?? '') === '') return refuse('400 Bad Request')
    const audiences = [url, url.replace('127.0.0.1', 'localhost')]
    const client = clientOf(searchParams.get('auth') ?? '', audiences, now() / 1_000)
    if (client === null) return refuse('401 Unauthorized')
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      let missed = 0
      const connection = relay.connect(client, (text) => {
        if (webSocket.bufferedAmount > bufferLimit) webSocket.terminate()
        else webSocket.send(text)
      })
      const ping = setInterval(() => {
        if (missed >= 2) webSocket.terminate()
        missed += 1
        webSocket.ping()
      }, pingInterval)
      webSocket.on('pong', () => {
        missed = 0
      })
      webSocket.on('message', (data, isBinary) => {
        if (isBinary) webSocket.close(1003)
        else connection.receive(data.toString())
      })
      // The socket closes itself.
      webSocket.on('error', () => webSocket.terminate())
      webSocket.on('close', () => {
        clearInterval(ping)
        connection.close()
      })
    })
  })

  const listening = await listen(http, port)
  const url = `ws://127.0.0.1:${listening}`
  const stop = await endWith(signal, () => {
    pause()
    return close(http)
  })
  return { url, port: listening, pause, resume, counts: relay.counts, stop }
}

function end(response: ServerResponse, status: number, body: unknown) {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}
