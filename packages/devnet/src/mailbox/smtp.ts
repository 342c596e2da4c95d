/** Accepts any recipient and delivers nothing. */
import { SMTPServer } from 'smtp-server'
import type { Envelope } from './messages'

export type Smtp = { stop(): Promise<void> }

/** In bytes. */
const sizeLimit = 1_048_576
/** In ms. */
const closeTimeout = 500

/** Rejects if the port is taken. */
export async function startSmtp({
  port,
  receive,
}: {
  readonly port: number
  receive(envelope: Envelope, raw: Uint8Array): Promise<unknown>
}): Promise<Smtp> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: sizeLimit,
    closeTimeout,
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.once('error', done)
      stream.once('end', () => {
        if (stream.sizeExceeded)
          return done(Object.assign(new Error('The message is too large'), { responseCode: 552 }))
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        const to = envelope.rcptTo.map(({ address }) => address)
        receive({ from, to }, Buffer.concat(chunks)).then(() => done(), done)
      })
    },
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
  // The client hung up.
  server.on('error', () => undefined)
  return { stop: () => new Promise((resolve) => server.close(() => resolve())) }
}
