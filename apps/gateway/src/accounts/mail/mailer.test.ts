import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createMailer, MailError } from './mailer'

/** A minimal SMTP server (RFC 5321); `recipient` is its reply to `RCPT`. */
async function listen(recipient = '250 ok', silent = false) {
  const lines: string[] = []
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    if (silent) return
    let inData = false
    let rest = ''
    socket.write('220 test\r\n')
    socket.on('data', (chunk: Buffer) => {
      const parts = (rest + chunk.toString()).split('\r\n')
      rest = parts.pop() ?? ''
      for (const line of parts) {
        lines.push(line)
        if (inData) {
          if (line !== '.') continue
          inData = false
          socket.write('250 taken\r\n')
        } else if (line === 'DATA') {
          inData = true
          socket.write('354 go on\r\n')
        } else if (line.startsWith('RCPT')) socket.write(`${recipient}\r\n`)
        else socket.write(line === 'STARTTLS' ? '502 no\r\n' : '250 ok\r\n')
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  closing.push(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  return { lines, url: `smtp://127.0.0.1:${port}` }
}

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const from = 'Postern <sign-in@postern.example>'
const mail = { to: 'name@example.com', subject: 'Subject', text: 'Text', html: '<p>Text</p>' }

test('sends text and HTML to one address', async () => {
  const { lines, url } = await listen()
  await createMailer({ url, from, requireTls: false }).send(mail)
  expect(lines).toContain('MAIL FROM:<sign-in@postern.example>')
  expect(lines.filter((line) => line.startsWith('RCPT'))).toEqual(['RCPT TO:<name@example.com>'])
  expect(lines).toContain('Subject: Subject')
  expect(lines).toContain('Auto-Submitted: auto-generated')
  expect(lines.some((line) => line.startsWith('Content-Type: multipart/alternative'))).toBe(true)
})

test('the sender and the address for replies are those of the mail, from our address', async () => {
  const { lines, url } = await listen()
  await createMailer({ url, from, requireTls: false }).send({
    ...mail,
    sender: 'Shop, Inc. <x@evil.example>',
    replyTo: 'help@shop.example',
  })
  expect(lines).toContain('MAIL FROM:<sign-in@postern.example>')
  expect(lines).toContain('From: "Shop, Inc. <x@evil.example>" <sign-in@postern.example>')
  expect(lines).toContain('Reply-To: help@shop.example')
})

test('an address with a comma or brackets is a single recipient', async () => {
  const { lines, url } = await listen()
  await createMailer({ url, from, requireTls: false })
    .send({ ...mail, to: 'a@example.com, b@example.com' })
    .catch(() => {})
  expect(lines.filter((line) => line.startsWith('RCPT')).length).toBeLessThanOrEqual(1)
  expect(lines.join()).not.toContain('RCPT TO:<b@example.com>')
})

test('a rejected recipient fails with its error code, without the address', async () => {
  const { url } = await listen('550 5.1.1 <name@example.com> no such user')
  const failure: unknown = await createMailer({ url, from, requireTls: false })
    .send(mail)
    .catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(MailError)
  expect(String(failure)).toBe('MailError: The mail was not taken: EENVELOPE 550')
})

test('fails if the server is down', async () => {
  const { url } = await listen()
  await closing.pop()?.()
  await expect(createMailer({ url, from, requireTls: false }).send(mail)).rejects.toThrow(
    /not taken: (ECONNECTION|ESOCKET)$/,
  )
})

test('fails at the timeout if the server is silent', async () => {
  const { url } = await listen('', true)
  await expect(createMailer({ url, from, requireTls: false, timeout: 200 }).send(mail)).rejects.toThrow(
    /not taken: (ETIMEDOUT|ECONNECTION)/,
  )
})

test('sends nothing to a server without TLS if TLS is required', async () => {
  const { lines, url } = await listen()
  await expect(createMailer({ url, from, requireTls: true }).send(mail)).rejects.toThrow(MailError)
  expect(lines.join()).not.toContain('name@example.com')
})
