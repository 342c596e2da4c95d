/** WebKitGTK's MiniBrowser by WebDriver: https://www.w3.org/TR/webdriver2/ */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
// real time: polls a process that starts
import { setTimeout as delay } from 'node:timers/promises'
import * as z from 'zod/mini'

const commandTimeoutMs = 60_000
const startTimeoutMs = 60_000

/** Member of JSON that stands for an element. */
const elementMember = 'element-6066-11e4-a52e-4f735466cecf'
export const Element = z.object({ [elementMember]: z.string() })
export type Element = z.infer<typeof Element>
export const idOf = (element: Element): string => element[elementMember] ?? ''

const Failed = z.object({ error: z.string(), message: z.string() })

/** `code`: an error code of the specification, such as `stale element reference`. */
export class DriverError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(`${code}: ${message}`)
  }
}

export type Driver = {
  /** A command of the session: `url`, `element/…/click`. */
  send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<unknown>
  stop(): Promise<void>
}

async function command(method: string, url: string, body?: object): Promise<unknown> {
  const response = await fetch(url, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    // real time: ends a wait for a process that never answers
    signal: AbortSignal.timeout(commandTimeoutMs),
  })
  const { value } = z.object({ value: z.unknown() }).parse(await response.json())
  if (response.ok) return value
  const { error, message } = Failed.parse(value)
  throw new DriverError(error, message)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

/** Without a display, WebKitWebDriver hangs. Returns the display's name. */
async function startDisplay(): Promise<{ readonly name: string; readonly server: ChildProcess }> {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  // real time: ends a wait for a process that never answers
  const [chunk] = await once(server.stdio[3] ?? server, 'data', { signal: AbortSignal.timeout(startTimeoutMs) })
  return { name: `:${String(chunk).trim()}`, server }
}

function miniBrowser(): string {
  const found = ['x86_64-linux-gnu', 'aarch64-linux-gnu']
    .map((platform) => `/usr/lib/${platform}/webkit2gtk-4.1/MiniBrowser`)
    .find((path) => existsSync(path))
  if (found === undefined) throw new Error('WebKitGTK’s MiniBrowser (webkit2gtk-4.1) is not installed.')
  return found
}

async function untilReady(url: string): Promise<void> {
  // real time: ends the wait for a process
  const deadline = Date.now() + startTimeoutMs
  for (;;) {
    try {
      await command('GET', `${url}/status`)
      return
    } catch (error) {
      // real time: ends the wait for a process
      if (Date.now() > deadline) throw error
      // real time: polls a process that starts
      await delay(50)
    }
  }
}

export type WebKit = {
  /**
   * Starts a new browser without cookies and storage. The driver has one browser at a time: stop it before the next one.
   *
   * @param settings arguments of MiniBrowser, such as `--enable-html5-local-storage=false`.
   */
  open(settings?: readonly string[]): Promise<Driver>
  stop(): Promise<void>
}

/** A display with a window manager, and WebKit's driver on it. */
export async function startWebKit(port: number): Promise<WebKit> {
  const { name, server } = await startDisplay()
  const environment = { ...process.env, DISPLAY: name, WEBKIT_DISABLE_DMABUF_RENDERER: '1' }
  // Gives the focus to a window that opens, as a desktop does. Without focus, Approve does not arm.
  const windowManager = spawn('openbox', ['--sm-disable'], { env: environment, stdio: 'ignore' })
  const child = spawn('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], {
    env: environment,
    stdio: 'ignore',
  })
  const url = `http://127.0.0.1:${port}`
  await untilReady(url)
  return {
    async open(settings = []) {
      const browser = { binary: miniBrowser(), args: ['--automation', ...settings] }
      const session = await command('POST', `${url}/session`, {
        capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': browser } },
      })
      const { sessionId } = z.object({ sessionId: z.string() }).parse(session)
      return {
        send: (method, path, body) => command(method, `${url}/session/${sessionId}/${path}`, body),
        async stop() {
          await command('DELETE', `${url}/session/${sessionId}`)
        },
      }
    },
    async stop() {
      await end(child)
      await end(windowManager)
      await end(server)
    },
  }
}
