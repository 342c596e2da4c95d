/** SMTP. Failures contain only a reply's code: the reply may repeat the address. */
import { createTransport } from 'nodemailer'

export type Mail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Instead of the name in `MAIL_FROM`; the address stays. */
  readonly sender?: string | undefined
  readonly replyTo?: string | undefined
}

export type Mailer = {
  /** @throws {MailError} within 9 s. */
  send(mail: Mail): Promise<void>
}

/** `reason`: nodemailer's code, such as `ECONNECTION`, and the SMTP reply code. */
export class MailError extends Error {
  override readonly name = 'MailError'
  constructor(readonly reason: string) {
    super(`The mail was not taken: ${reason}`)
  }
}

export type MailerOptions = {
  /** `smtp://user:password@host:587`, `smtps://…`. */
  readonly url: string
  /** `Name <address>`. */
  readonly from: string
  readonly requireTls: boolean
  /** In ms. */
  readonly timeout?: number
}

export function createMailer({ url, from, requireTls, timeout = 9_000 }: MailerOptions): Mailer {
  const transport = createTransport(
    {
      url,
      requireTLS: requireTls,
      connectionTimeout: timeout,
      greetingTimeout: timeout,
      dnsTimeout: timeout,
      socketTimeout: timeout,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    {
      from,
      // RFC 3834: prevents automatic replies.
      headers: { 'Auto-Submitted': 'auto-generated' },
    },
  )
  const address = /<([^>]+)>\s*$/.exec(from)?.[1] ?? from
  return {
    async send({ to, subject, text, html, sender, replyTo }) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new MailError('ETIMEDOUT')), timeout)
      })
      try {
        // In object form, commas and brackets cannot add addresses.
        const message = {
          to: { name: '', address: to },
          ...(sender !== undefined && { from: { name: sender, address } }),
          ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
          subject,
          text,
          html,
        }
        await Promise.race([transport.sendMail(message), late])
      } catch (error) {
        throw error instanceof MailError ? error : new MailError(reasonOf(error))
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

function reasonOf(error: unknown): string {
  const code = read(error, 'code')
  const reply = read(error, 'responseCode')
  return [
    typeof code === 'string' && /^[A-Z_]{1,32}$/.test(code) ? code : 'unknown',
    ...(typeof reply === 'number' ? [String(reply)] : []),
  ].join(' ')
}

function read(from: unknown, name: string): unknown {
  return typeof from === 'object' && from !== null ? Reflect.get(from, name) : undefined
}
