/** A gateway in a process of its own, for tests of several on one database. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import path from 'node:path'
import * as z from 'zod/mini'
import type { Mail } from '../accounts/mail/mailer'
import { walletOrigin } from './app'
import type { Called } from './sign-in'

export type Replica = Called & {
  readonly port: number
  /** Printed emails, oldest first. */
  readonly mails: readonly Mail[]
  /** Messages of its log, oldest first. */
  messages(): readonly string[]
  status(path: string): Promise<number>
  kill(): Promise<void>
}

const Line = z.looseObject({ msg: z.string(), port: z.optional(z.number()), requestId: z.optional(z.string()) })
type Line = z.infer<typeof Line>

/** Loaded before the gateway: its clock is ahead by `POSTERN_TEST_AHEAD_MS`. */
const clock = `data:text/javascript,${encodeURIComponent(`
const { now } = Date
const ahead = Number(process.env.POSTERN_TEST_AHEAD_MS)
// real time: the process has the machine's, and what it is ahead.
Date.now = () => now() + ahead
globalThis.Date = class extends Date {
  constructor(...given) {
    // real time: the function above.
    given.length === 0 ? super(Date.now()) : super(...given)
  }
}`)}`

/**
 * @param outDir the built program.
 * @param aheadMs its clock.
 */
export async function startReplica(outDir: string, env: Record<string, string>, aheadMs = 0): Promise<Replica> {
  const child = spawn(process.execPath, ['--import', clock, path.join(outDir, 'main.js')], {
    env: { PATH: process.env.PATH, PORT: '0', POSTERN_TEST_AHEAD_MS: String(aheadMs), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  }
  const lines = () =>
    output
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => Line.parse(JSON.parse(line)))
  const lineWhere = async (isIt: (line: Line) => boolean): Promise<Line> => {
    for (;;) {
      const line = lines().find(isIt)
      if (line !== undefined) return line
      await Promise.race([once(child.stdout, 'data'), ended.then(() => Promise.reject(new Error(output)))])
    }
  }
  const { port = 0 } = await lineWhere(({ msg }) => msg === 'listening')
  let nonce = ''
  const request: Called['request'] = async (url, init) => {
    const response = await send(port, new URL(url), init)
    nonce = response.headers.get('DPoP-Nonce') ?? nonce
    // The answer may arrive before what the gateway printed for it: its emails and, last, this line.
    const id = response.headers.get('X-Request-Id')
    await lineWhere(({ requestId, msg }) => requestId === id && msg === 'request')
    return response
  }
  // Any refused call carries a nonce for proofs.
  await request(`${walletOrigin}/auth/email?projectId=demo`, { method: 'POST', body: '{}' })
  return {
    port,
    request,
    auth: { proofs: { nonce: () => nonce } },
    get mails() {
      return mailsIn(output)
    },
    messages: () => lines().map(({ msg }) => msg),
    status: async (name) => (await send(port, new URL(name, walletOrigin), {})).status,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Node's `fetch` sets its own `Host`. */
async function send(port: number, url: URL, { method = 'GET', headers, body }: RequestInit): Promise<Response> {
  const outgoing = httpRequest({
    host: '127.0.0.1',
    port,
    path: `${url.pathname}${url.search}`,
    method,
    agent: false,
    headers: { ...Object.fromEntries(new Headers(headers)), host: url.host },
  })
  outgoing.end(typeof body === 'string' ? body : undefined)
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve)
    outgoing.once('error', reject)
  })
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
  const received = Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  const status = incoming.statusCode ?? 0
  return new Response([204, 304].includes(status) ? null : Buffer.concat(chunks), { status, headers: received })
}

/** As `mail/terminal-mailer.ts` prints them. */
function mailsIn(output: string): Mail[] {
  return [...output.matchAll(/^ {2}Email to (\S+): (.*)\n\n([\s\S]*?)\n\n(?! {2})/gm)].map(
    ([, to = '', subject = '', text = '']) => ({
      to,
      subject,
      text: text.replace(/^ {2}/gm, ''),
      html: '',
    }),
  )
}
