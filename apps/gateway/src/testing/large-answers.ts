/** A process of its own with an upstream that answers each call with 10 MB, and callers who ask it through the gateway. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import * as z from 'zod/mini'

const Started = z.object({ port: z.number() })

export type LargeAnswers = {
  readonly url: string
  /** Sends all within a second or so. @param host of the gateway's site. */
  flood(request: {
    readonly port: number
    readonly host: string
    readonly path: string
    readonly count: number
    readonly body: string
  }): Promise<void>
  /** Gives up the requests that are left. */
  stopFlood(): void
  close(): Promise<void>
}

export async function startLargeAnswers(): Promise<LargeAnswers> {
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const { port } = Started.parse(JSON.parse(String((await lines.next()).value)))
  return {
    url: `http://127.0.0.1:${port}/`,
    async flood(request) {
      child.stdin.write(`${JSON.stringify(request)}\n`)
      await lines.next()
    },
    stopFlood() {
      child.stdin.write('null\n')
    },
    async close() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

/** The answers are of the kinds that cost most to parse: many arrays, many names, many strings, one long string. */
const program = `
const http = require('node:http')
const bytes = 10_000_000
const word = '"0x' + 'ab'.repeat(32) + '",'
let names = '{'
for (let index = 0; names.length < bytes; index += 1) names += '"k' + index + '":1,'
const results = [
  '[' + '[],'.repeat(bytes / 3) + '0]',
  names + '"z":0}',
  '[' + word.repeat(bytes / word.length) + '0]',
  '"0x' + 'ab'.repeat(bytes / 2) + '"',
]
const answers = results.map((result) => Buffer.from('{"jsonrpc":"2.0","result":' + result + ',"id":1}'))
let count = 0
const upstream = http.createServer((request, response) => {
  request.resume().on('end', () => response.end(answers[count++ % answers.length]))
})
upstream.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: upstream.address().port })))

const open = new Set()
require('node:readline').createInterface({ input: process.stdin }).on('line', async (line) => {
  const request = JSON.parse(line)
  if (request === null) return open.forEach((sent) => sent.destroy())
  const { port, host, path, count, body } = request
  const one = (index) => new Promise((resolve) => {
    const headers = { Host: host, 'X-Caller': String(index % 20) }
    const sent = http.request({ host: '127.0.0.1', port, path, method: 'POST', agent: false, headers }, (response) => {
      response.resume().on('error', () => {})
    })
    open.add(sent)
    sent.on('error', () => {}).on('close', () => open.delete(sent) && resolve())
    sent.end(body)
  })
  const sending = []
  for (let index = 0; index < count; index += 1) {
    sending.push(one(index))
    // real time: the flood's rate.
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await Promise.all(sending)
  console.log('over')
})
`
