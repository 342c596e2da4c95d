/** One process group each, so that stopping a process stops its children. */
import { type ChildProcess, spawn } from 'node:child_process'

const maxLines = 200
const killTimeoutMs = 8_000

export type Service = {
  readonly name: string
  /** The exit code, or null after a signal. */
  readonly ended: Promise<number | null>
  /** For the message about why it ended. */
  readonly lastLines: () => string
  /** Kills it after 8 s. */
  stop(): Promise<void>
}

type Options = { readonly env?: Readonly<Record<string, string>>; readonly show?: boolean }

function watch(child: ChildProcess, show: boolean): () => string {
  const lines: string[] = []
  const keep = (chunk: Buffer) => {
    if (show) process.stdout.write(chunk)
    lines.push(...chunk.toString().split('\n'))
    if (lines.length > maxLines) lines.splice(0, lines.length - maxLines)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  return () => lines.join('\n').trim()
}

function start(command: string, parameters: readonly string[], { env = {}, show = false }: Options) {
  const child = spawn(command, parameters, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const lastLines = watch(child, show)
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { child, ended, lastLines }
}

/** False if it has already ended. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): boolean {
  if (child.pid === undefined) return false
  try {
    return process.kill(-child.pid, signal)
  } catch {
    return false
  }
}

const running = new Set<Service>()

export function startService(
  name: string,
  command: string,
  parameters: readonly string[],
  options: Options = {},
): Service {
  const { child, ended, lastLines } = start(command, parameters, options)
  const service: Service = {
    name,
    ended,
    lastLines,
    async stop() {
      if (!signalGroup(child, 'SIGTERM')) return
      const insist = setTimeout(() => signalGroup(child, 'SIGKILL'), killTimeoutMs)
      await ended.catch(() => null)
      clearTimeout(insist)
    },
  }
  running.add(service)
  void ended.catch(() => null).then(() => running.delete(service))
  return service
}

export async function stopServices(): Promise<void> {
  await Promise.all([...running].reverse().map((service) => service.stop()))
}

/** Returns the output; an error includes it. */
export async function run(command: string, parameters: readonly string[], options: Options = {}): Promise<string> {
  const { child, ended, lastLines } = start(command, parameters, options)
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const stop = () => signalGroup(child, 'SIGTERM')
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  const code = await ended.finally(() => {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  })
  if (code !== 0) {
    throw new Error(
      `${options.show ? '' : `${lastLines()}\n`}\`${[command, ...parameters].join(' ')}\` failed (${code ?? 'stopped'}).`,
    )
  }
  return output
}
