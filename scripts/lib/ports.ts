import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'

/** Throws one sentence per port in use. */
export async function claimPorts(pieces: Readonly<Record<string, number>>): Promise<void> {
  const taken: string[] = []
  for (const [piece, port] of Object.entries(pieces)) {
    if (!(await isFree(port)))
      taken.push(`Port ${port}, which the ${piece} needs, is already taken${holder(port)}. Stop that first.`)
  }
  if (taken.length > 0) throw new Error(taken.join('\n'))
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

function holder(port: number): string {
  try {
    const line = execFileSync('ss', ['-Hltnp', `sport = :${port}`], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [, name, pid] = /users:\(\("([^"]+)",pid=(\d+)/.exec(line) ?? []
    return name === undefined ? '' : ` by ${name} (process ${pid})`
  } catch {
    return ''
  }
}

/** Waits for a 2xx status. `alive`: false ends the wait. */
export async function answers(url: string, host: string, alive: () => boolean, limitMs = 60_000): Promise<void> {
  const { request } = await import('node:http')
  const until = performance.now() + limitMs
  const once = () =>
    new Promise<boolean>((resolve) => {
      const sent = request(url, { headers: { host } }, (response) => {
        response.resume()
        resolve((response.statusCode ?? 500) < 300)
      })
      sent.once('error', () => resolve(false))
      sent.end()
    })
  while (!(await once())) {
    if (!alive()) throw new Error(`${host} ended before it answered.`)
    if (performance.now() > until) throw new Error(`${host} did not answer within ${limitMs / 1000} s.`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
