/** The relay on a loopback port: WebSocket for its clients, HTTP for who wants it away for a while. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { WebSocketServer } from 'ws'
import { close, endWith, listen } from '../http/listen'
import { clientOf } from './auth'
import { createRelay } from './relay'
import { frameLimit } from './requests'

export type RunningRelay = {
  /** `ws://127.0.0.1:PORT`: what clients are given as `relayUrl`. */
  readonly url: string
  readonly port: number
  /** Drops every socket and refuses new ones; what waits is kept. As `POST /devnet/stop`. */
  pause(): void
  /** Takes sockets again. As `POST /devnet/start`. */
  resume(): void
  /** Sockets that are open, messages that wait. */
  counts(): { readonly connections: number; readonly waiting: number }
  /** Ends the relay and waits until its port is free. May be called more than once. */
  stop(): Promise<void>
}

/** Clients in Node give up a connection without a ping for 35 s; who does not answer two is gone. In ms. */
const pingInterval = 15_000
const connectionsLimit = 256
/** Who does not read what is sent is cut off, in bytes. */
const bufferLimit = 16_777_216

/** Path and query. What a client sends here need not be a URL, as `//` is none. */
function target({ url = '/' }: IncomingMessage): readonly [string, string] {
  const at = url.indexOf('?')
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}

/** Pages on loopback names may steer the relay, others must not: a page anywhere can send a POST here. */
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
 * 1. A socket needs a project id and a token that proves its client; else the handshake is refused with 400 or 401.
 * 2. While paused, or with 256 sockets, the handshake is refused with 503, and what waits in mailboxes is kept.
 * 3. A frame over 1 MiB, or one that is not text, ends its connection and no other.
 * 4. Only a page on loopback, or no page at all, may pause it.
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
  /** 0 takes a free one. */
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
    if (!mayControl(request)) return end(response, 403, { message: 'Only from loopback.' })
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
      // A protocol error closes the socket; there is nobody to tell.
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
