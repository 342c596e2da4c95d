/**
 * A Chromium without a driver, which would take a large part of a cold opening: pausing new frames, injecting scripts,
 * recording request initiators. The page writes its result to its title, which the browser process knows.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import * as z from 'zod/mini'
import { chromiumArguments, findChromium } from '../../e2e/support/chromium'

export type Visit = {
  /** After {@link doneMark} in the title. */
  readonly pageResult: unknown
  /** What `benchLoads` of the page returns after that. */
  readonly loads: unknown
  /** CPU time of scripts on the page's thread, in ms. */
  readonly scriptTime: number
}

export type QuietBrowserOptions = {
  readonly flags?: readonly string[]
  /** Runs with the id of the browser's first process as soon as that has started. */
  readonly onStart?: (pid: number) => void
}

export type QuietBrowser = {
  /** A first-time visit; resolves with the page's result. */
  visit(url: string): Promise<Visit>
  stop(): Promise<void>
}

/** Title prefix of a finished page, before JSON. */
export const doneMark = 'bench '

const Message = z.looseObject({
  id: z.optional(z.number()),
  result: z.optional(z.unknown()),
  error: z.optional(z.unknown()),
})
const Context = z.looseObject({ browserContextId: z.string() })
const Target = z.looseObject({ targetId: z.string() })
const Session = z.looseObject({ sessionId: z.string() })
const Targets = z.looseObject({ targetInfos: z.array(z.looseObject({ targetId: z.string(), title: z.string() })) })
const Evaluated = z.looseObject({ result: z.looseObject({ value: z.unknown() }) })
const Metrics = z.looseObject({ metrics: z.array(z.looseObject({ name: z.string(), value: z.number() })) })

const timeoutMs = 30_000
/** Idle time after a window was created, in ms. */
const settle = 500

export async function launchQuietly({ flags = [], onStart }: QuietBrowserOptions = {}): Promise<QuietBrowser> {
  const profile = await mkdtemp(path.join(tmpdir(), 'postern-bench-browser-'))
  const child = spawn(
    findChromium() ?? chromium.executablePath(),
    [
      ...chromiumArguments('allowed'),
      '--headless=new',
      '--remote-debugging-pipe',
      '--window-size=1280,900',
      `--user-data-dir=${profile}`,
      ...flags,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  )
  if (child.pid !== undefined) onStart?.(child.pid)
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const [, , , commands, answers] = child.stdio
  const send = connect(commands, answers)

  return {
    async visit(url) {
      const { browserContextId } = Context.parse(await send('Target.createBrowserContext'))
      const at = { browserContextId, width: 1280, height: 900 }
      const { targetId } = Target.parse(await send('Target.createTarget', { ...at, url: 'about:blank' }))
      // The frame has its own process.
      const { sessionId } = Session.parse(await send('Target.attachToTarget', { targetId, flatten: true }))
      await send('Performance.enable', { timeDomain: 'threadTicks' }, sessionId)
      await delay(settle)
      await send('Page.navigate', { url }, sessionId)
      const pageResult = await whenDone(send, targetId)
      const expression = "typeof benchLoads === 'undefined' ? [] : benchLoads()"
      const evaluate = { expression, returnByValue: true }
      const { result: loads } = Evaluated.parse(await send('Runtime.evaluate', evaluate, sessionId))
      const { metrics } = Metrics.parse(await send('Performance.getMetrics', {}, sessionId))
      await send('Target.disposeBrowserContext', { browserContextId })
      const seconds = metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN
      return { pageResult, loads: loads.value, scriptTime: seconds * 1000 }
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
      await rm(profile, { recursive: true, force: true })
    },
  }
}

type Send = (method: string, params?: object, sessionId?: string) => Promise<unknown>

/** Polls the browser rarely, and the page never. */
async function whenDone(send: Send, targetId: string): Promise<unknown> {
  const deadline = Date.now() + timeoutMs
  while (Date.now() < deadline) {
    const { targetInfos } = Targets.parse(await send('Target.getTargets'))
    const title = targetInfos.find((info) => info.targetId === targetId)?.title ?? ''
    if (title.startsWith(doneMark)) return JSON.parse(title.slice(doneMark.length))
    await delay(250)
  }
  throw new Error('The page did not report its result')
}

/** DevTools protocol over a pipe: JSON ended by zero bytes. */
function connect(commands: unknown, answers: unknown): Send {
  if (!isWritable(commands) || !isReadable(answers)) throw new Error('Chromium gave no pipe')
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>()
  let last = 0
  let rest = ''
  answers.setEncoding('utf8')
  answers.on('data', (chunk: string) => {
    const texts = (rest + chunk).split('\0')
    rest = texts.pop() ?? ''
    for (const text of texts) {
      const { id, result, error } = Message.parse(JSON.parse(text))
      const pending = id === undefined ? undefined : waiting.get(id)
      if (pending === undefined || id === undefined) continue
      waiting.delete(id)
      if (error === undefined) pending.resolve(result)
      else pending.reject(new Error(`Chromium refused: ${JSON.stringify(error)}`))
    }
  })
  answers.once('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('Chromium ended'))
  })
  return (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      last += 1
      waiting.set(last, { resolve, reject })
      commands.write(
        `${JSON.stringify({ id: last, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`,
      )
    })
}

const isWritable = (stream: unknown): stream is Writable =>
  typeof stream === 'object' && stream !== null && 'write' in stream

const isReadable = (stream: unknown): stream is Readable =>
  typeof stream === 'object' && stream !== null && 'setEncoding' in stream
