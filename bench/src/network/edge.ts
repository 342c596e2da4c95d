/**
 * What a visitor's browser reaches: TLS 1.3 and HTTP/2 for every host, behind one link. It passes requests on to servers
 * of this machine without a link, as a proxy beside them does, and logs connections and requests.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { createSecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createSecureContext } from 'node:tls'
import type { Certificate } from './certificates'
import { createTimedEvents } from './events'
import { createLink, type Rate } from './link'
import { shapedSocket } from './shaped-socket'

export type LoggedRequest = {
  readonly path: string
  /** By the site's own frame, or for it. The other requests are the page's. */
  readonly isOfFrame: boolean
  /** Epoch ms when the server got it. */
  readonly at: number
}

export type LoggedConnection = {
  /** Empty before the first request. */
  host: string
  /** Epoch ms. */
  readonly openedAt: number
  readonly requests: LoggedRequest[]
  /** What reached the browser, TLS included; epoch ms. */
  readonly arrivals: { readonly at: number; readonly bytes: number }[]
}

export type Edge = {
  readonly port: number
  /** Ends all connections, and begins a new link and a new log. */
  restart(rate: Rate): readonly LoggedConnection[]
  stop(): Promise<void>
}

const epoch = () => performance.timeOrigin + performance.now()

/**
 * @param certificates by host, without the port.
 * @param portOf the port of this machine at which the server of a host listens.
 */
export async function startEdge(
  certificates: ReadonlyMap<string, Certificate>,
  portOf: (host: string) => number | undefined,
  first: Rate,
): Promise<Edge> {
  const events = createTimedEvents()
  const agent = new Agent({ keepAlive: true })
  const sockets = new Set<Socket>()
  const contexts = new Map([...certificates].map(([host, certificate]) => [host, createSecureContext(certificate)]))
  const ticketKeys = randomBytes(48)
  let link = createLink(first, events)
  let log: LoggedConnection[] = []

  const server = createServer((socket) => {
    const connection: LoggedConnection = { host: '', openedAt: epoch(), requests: [], arrivals: [] }
    log.push(connection)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    const shaped = shapedSocket(socket, link, (bytes) => connection.arrivals.push({ at: epoch(), bytes }))
    // A server per connection, so that its requests are known to be of that connection.
    const http = createSecureServer({ ticketKeys, SNICallback: (name, done) => done(null, contexts.get(name)) })
    http.on('sessionError', () => shaped.destroy())
    http.on('stream', (stream, headers) => {
      const host = String(headers[':authority']).replace(/:\d+$/, '')
      connection.host = host
      connection.requests.push({
        path: String(headers[':path']),
        isOfFrame: headers['sec-fetch-dest'] === 'iframe' || headers['sec-fetch-site'] === 'same-origin',
        at: epoch(),
      })
      pass(stream, headers, portOf(host) ?? 0, agent)
    })
    http.on('tlsClientError', () => shaped.destroy())
    http.emit('connection', shaped)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const endConnections = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    restart(rate) {
      endConnections()
      link = createLink(rate, events)
      log = []
      return log
    },
    async stop() {
      endConnections()
      agent.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Fields of HTTP/1.1 that HTTP/2 does not allow (RFC 9113, section 8.2.2). */
const ofConnection = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade']

function pass(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, port: number, agent: Agent): void {
  stream.on('error', () => stream.destroy())
  const fields = Object.entries(headers).filter(([name]) => !name.startsWith(':'))
  const outgoing = request(
    {
      agent,
      host: '127.0.0.1',
      port,
      method: String(headers[':method']),
      path: String(headers[':path']),
      headers: { ...Object.fromEntries(fields), host: String(headers[':authority']) },
    },
    (answer) => {
      if (stream.destroyed) return void answer.resume()
      const allowed = Object.entries(answer.headers).filter(([name]) => !ofConnection.includes(name))
      stream.respond({ ...Object.fromEntries(allowed), ':status': answer.statusCode ?? 502 })
      answer.pipe(stream)
    },
  )
  outgoing.on('error', () => stream.close())
  stream.pipe(outgoing)
}
