import { createHash } from 'node:crypto'
import { createServer } from 'node:http'

/** Closes sockets with a reason, as WalletConnect's relay does for refused projects and origins. */
export async function startRefusingRelay(reason: string): Promise<{ url: string; stop: () => void }> {
  const server = createServer()
  server.on('upgrade', ({ headers }, socket) => {
    const accept = createHash('sha1')
      .update(`${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64')
    socket.on('error', () => socket.destroy())
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    )
    // An unmasked close frame with code 3000.
    const words = Buffer.from(reason)
    socket.end(Buffer.concat([Buffer.from([0x88, words.length + 2, 0x0b, 0xb8]), words]))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  return { url: `ws://127.0.0.1:${address.port}`, stop: () => server.close() }
}
