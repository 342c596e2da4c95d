import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type { Link } from './link'

/** The server's end of a browser's connection, behind a link. `onBytes`: what arrived at the browser. */
export function shapedSocket(socket: Socket, link: Link, onBytes: (count: number) => void): Duplex {
  // The bytes already come late, so none may wait for more of them.
  socket.setNoDelay(true)
  const { down, up } = link.connect(
    (bytes) => {
      if (!socket.writable) return
      socket.write(bytes)
      onBytes(bytes.length)
    },
    (bytes) => shaped.push(bytes),
  )
  const shaped = new Duplex({
    read() {},
    write(bytes: Buffer, _encoding, sent) {
      down.send(bytes, sent)
    },
    destroy(error, done) {
      socket.destroy()
      done(error)
    },
  })
  socket.on('data', (bytes) => up.send(bytes, () => {}))
  socket.on('error', () => shaped.destroy())
  socket.on('close', () => shaped.destroy())
  return shaped
}
