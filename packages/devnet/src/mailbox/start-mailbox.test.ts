import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePorts } from '../http/free-ports'
import { type RunningMailbox, startMailbox } from './start-mailbox'

const { port, smtpPort, ...other } = await freePorts('port', 'smtpPort', 'mailbox', 'smtp')
const base = `http://127.0.0.1:${port}`
const post = createTransport({ host: '127.0.0.1', port: smtpPort, secure: false })
const mail = (to: string, more: object = {}) =>
  post.sendMail({
    from: 'Postern <no-reply@postern.localhost>',
    to,
    subject: 'Hello',
    text: 'Your code is 482913.',
    ...more,
  })

describe('startMailbox', () => {
  let mailbox: RunningMailbox
  beforeAll(async () => {
    mailbox = await startMailbox({ port, smtpPort })
  })
  afterAll(() => mailbox.stop())
  beforeEach(() => mailbox.messages.clear())
  const list = async (query = ''): Promise<unknown> => (await fetch(`${base}/messages${query}`)).json()

  test('1. stores incoming email, newest first, with its code and links', async () => {
    await mail('Ada@Example.com')
    await mail('bob@example.com', {
      subject: 'Ünïcode ✓',
      text: 'Open http://wallet.postern.localhost:4400/auth/device?token=123456 or type 000111',
      html: '<a href="http://wallet.postern.localhost:4400/auth/device?token=123456&amp;x=1">Approve</a>',
    })
    expect(await list()).toMatchObject([
      {
        to: ['bob@example.com'],
        subject: 'Ünïcode ✓',
        code: '000111',
        links: [
          'http://wallet.postern.localhost:4400/auth/device?token=123456',
          'http://wallet.postern.localhost:4400/auth/device?token=123456&x=1',
        ],
      },
      { to: ['ada@example.com'], from: 'no-reply@postern.localhost', code: '482913', html: null, links: [] },
    ])
  })

  test('2. lists one address, ignoring case', async () => {
    await mail('ada@example.com')
    await mail('bob@example.com')
    expect(await list('?to=BOB@example.com')).toMatchObject([{ to: ['bob@example.com'] }])
  })

  test('2. a wait ends with the next email to that address', async () => {
    await mail('ada@example.com')
    const [first] = mailbox.messages.list()
    const waiting = fetch(`${base}/messages/wait?to=ada@example.com&after=${first?.id}`)
    await mail('bob@example.com')
    await mail('ada@example.com', { subject: 'The second' })
    expect(await (await waiting).json()).toMatchObject({ subject: 'The second', to: ['ada@example.com'] })
  })

  test('2. a wait that times out returns 204', async () => {
    expect((await fetch(`${base}/messages/wait?to=unknown@example.com&timeout=20`)).status).toBe(204)
  })

  test('3. deletes all messages', async () => {
    await mail('ada@example.com')
    expect((await fetch(`${base}/messages`, { method: 'DELETE' })).status).toBe(204)
    expect(await list()).toEqual([])
  })

  test('4. refuses email while off, and accepts it again', async () => {
    const set = (on: boolean) => fetch(`${base}/devnet/smtp`, { method: 'POST', body: JSON.stringify({ on }) })
    await mail('ada@example.com')
    await set(false)
    await expect(mail('ada@example.com')).rejects.toMatchObject({ code: 'ESOCKET' })
    await set(true)
    await mail('ada@example.com')
    expect(await list()).toHaveLength(2)
  })

  test('the page shows hostile email as text and runs none of it', async () => {
    await mail('ada@example.com', { subject: '<script>alert(1)</script>', html: '<script>alert(1)</script><p>Hi</p>' })
    const [{ id } = { id: 0 }] = mailbox.messages.list()
    const page = await (await fetch(`${base}/`)).text()
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page).not.toContain('<script>alert')
    expect(page).toContain('<p class="code">482913</p>')
    const framed = await fetch(`${base}/mail/${id}/html`)
    expect(framed.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*sandbox allow-popups/)
  })

  test('a page of the web can neither read nor change settings', async () => {
    const headers = { origin: 'https://evil.example' }
    expect((await fetch(`${base}/messages`, { headers })).status).toBe(403)
    expect((await fetch(`${base}/devnet/smtp`, { method: 'POST', headers, body: '{"on":false}' })).status).toBe(403)
  })

  test('a taken port rejects and leaves SMTP closed', async () => {
    await expect(startMailbox({ port, smtpPort: other.smtp })).rejects.toThrow(/EADDRINUSE/)
    const again = await startMailbox({ port: other.mailbox, smtpPort: other.smtp })
    await again.stop()
  })
})
