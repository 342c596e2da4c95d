import * as z from 'zod'
import { styleSheet } from '../http/page'
import { type Answer, type HttpCall, json, parseJson, Refusal, redirect, serve } from '../http/serve'
import { createMailbox, type Mailbox } from './messages'
import { type Smtp, startSmtp } from './smtp'
import { htmlOf, mailboxPage, pageScript } from './view'

export type RunningMailbox = {
  /** `http://mail.localhost:PORT/` */
  readonly url: string
  readonly messages: Mailbox
  /** Same as `POST /devnet/smtp {"on": false}`. */
  setSmtp(on: boolean): Promise<void>
  stop(): Promise<void>
}

const maxWaitMs = 60_000
const defaultWait = 30_000
const Switch = z.object({ on: z.boolean() })

/**
 * The devnet's email: receives by SMTP, shows a page and JSON.
 *
 * 1. Every email is stored, newest first, until it is deleted or 500 newer ones arrived.
 * 2. `GET /messages?to=` lists. `GET /messages/wait?to=&after=&timeout=` returns the oldest after the id `after`, or
 *    204 if none arrives in time.
 * 3. `DELETE /messages` deletes all.
 * 4. While SMTP is off, its port refuses connections. Received messages stay.
 */
export async function startMailbox({
  port,
  smtpPort,
  signal,
}: {
  readonly port: number
  readonly smtpPort: number
  readonly signal?: AbortSignal | undefined
}): Promise<RunningMailbox> {
  signal?.throwIfAborted()
  const messages = createMailbox()
  const open = () => startSmtp({ port: smtpPort, receive: messages.add })
  // One change at a time, in request order.
  let smtp: Promise<Smtp | null> = open()
  const setSmtp = async (on: boolean) => {
    smtp = smtp.then(async (running) => {
      if (on) return running ?? open()
      await running?.stop()
      return null
    })
    await smtp
  }
  await smtp
  const closeSmtp = () => setSmtp(false)
  const server = await serve({ port, answer: routes({ messages, setSmtp }), signal }).catch(async (cause: unknown) => {
    await closeSmtp()
    throw cause
  })
  signal?.addEventListener('abort', closeSmtp, { once: true })
  return {
    url: `http://mail.localhost:${server.port}/`,
    messages,
    setSmtp,
    async stop() {
      signal?.removeEventListener('abort', closeSmtp)
      await Promise.all([server.stop(), closeSmtp()])
    },
  }
}

function routes({
  messages,
  setSmtp,
}: {
  readonly messages: Mailbox
  setSmtp(on: boolean): Promise<void>
}): (call: HttpCall) => Promise<Answer> {
  return async ({ method, url: { pathname, searchParams }, body, gone }) => {
    const to = searchParams.get('to') ?? undefined
    const [, id = '', part] = /^\/mail\/(\d{1,9})(\/html)?$/.exec(pathname) ?? []
    if (method === 'GET') {
      if (pathname === '/') return mailboxPage(messages, null)
      if (id !== '' && part === undefined) return mailboxPage(messages, Number(id))
      if (id !== '') return htmlOf(messages.get(Number(id)) ?? refuse(404, 'No such message.'))
      if (pathname === '/style.css') return styleSheet
      if (pathname === '/page.js') return pageScript
      if (pathname === '/messages') return json(messages.list(to))
      if (pathname === '/messages/wait') {
        const timeout = Math.min(whole(searchParams.get('timeout'), defaultWait), maxWaitMs)
        const after = whole(searchParams.get('after'), 0)
        const ended = AbortSignal.any([gone, AbortSignal.timeout(timeout)])
        const message = await messages.next({ ...(to !== undefined && { to }), after }, ended)
        return message === null ? { status: 204 } : json(message)
      }
    }
    if (method === 'DELETE' && pathname === '/messages') {
      messages.clear()
      return { status: 204 }
    }
    if (method === 'POST' && pathname === '/delete') {
      messages.clear()
      return redirect('/')
    }
    if (method === 'POST' && pathname === '/devnet/smtp') {
      const { on } = parseJson(Switch, body)
      await setSmtp(on)
      return json({ on })
    }
    return refuse(404, 'Not found.')
  }
}

function refuse(status: number, message: string): never {
  throw new Refusal(status, message)
}

function whole(text: string | null, otherwise: number): number {
  if (text === null) return otherwise
  return /^\d{1,9}$/.test(text) ? Number(text) : refuse(400, 'Expected a whole number.')
}
