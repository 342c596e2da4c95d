/** Debian's PostgreSQL for one test run, in a temporary folder on a socket only. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'

const debianDir = '/usr/lib/postgresql'

/** Debian's newest version, else the one on PATH; null without one. */
export function findPostgres(): string | null {
  const versions = existsSync(debianDir) ? readdirSync(debianDir) : []
  const newestFirst = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(debianDir, version, 'bin'))
  const onPath = (process.env.PATH ?? '').split(path.delimiter)
  return (
    [...newestFirst, ...onPath].find(
      (dir) => dir !== '' && existsSync(path.join(dir, 'initdb')) && existsSync(path.join(dir, 'postgres')),
    ) ?? null
  )
}

export type TestPostgres = { readonly url: string; restart(): Promise<void>; stop(): Promise<void> }

export const notInstalled = 'PostgreSQL is not installed: run `apt-get install postgresql`'

/** Creates an empty database, or one from a template; returns its URL. */
export async function createDatabase(url: string, name: string, template?: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`create database "${name}"${template === undefined ? '' : ` template "${template}"`}`)
  } finally {
    await client.end()
  }
  const own = new URL(url)
  own.pathname = name
  return own.href
}

/**
 * @param onDisk mounts a separate disk at the data folder.
 * @throws with the command that installs PostgreSQL if it is missing.
 */
export async function startPostgres(onDisk?: (folder: string) => Promise<void>): Promise<TestPostgres> {
  const bin = findPostgres()
  if (bin === null) throw new Error(notInstalled)
  const dir = await mkdtemp(path.join(tmpdir(), 'postern-pg-'))
  await onDisk?.(dir)
  const user = await unprivileged(dir)
  const data = path.join(dir, 'data')
  const made = spawnSync(
    path.join(bin, 'initdb'),
    ['-D', data, '-A', 'trust', '-U', 'postern', '-E', 'UTF8', '--no-sync'],
    {
      ...user,
      cwd: dir,
      encoding: 'utf8',
    },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr || String(made.error)}`)
  let server = await startServer(bin, data, dir, user)
  return {
    url: `postgresql://postern@localhost/postgres?host=${encodeURIComponent(dir)}`,
    async restart() {
      await stopServer(server)
      server = await startServer(bin, data, dir, user)
    },
    async stop() {
      await stopServer(server)
      await rm(dir, { recursive: true, force: true })
    },
  }
}

type User = Awaited<ReturnType<typeof unprivileged>>

async function startServer(bin: string, data: string, dir: string, user: User): Promise<ChildProcess> {
  const server = spawn(
    path.join(bin, 'postgres'),
    ['-D', data, '-k', dir, '-c', 'listen_addresses=', '-c', 'fsync=off'],
    {
      ...user,
      cwd: dir,
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  )
  await new Promise<void>((resolve, reject) => {
    let output = ''
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`postgres ended: ${output}`)))
    server.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('ready to accept connections')) resolve()
    })
  })
  return server
}

/** SIGINT: fast shutdown. */
async function stopServer(server: ChildProcess): Promise<void> {
  const ended = once(server, 'exit')
  server.kill('SIGINT')
  await ended
}

/** PostgreSQL refuses root: use its own user, or the system's user without rights. */
async function unprivileged(dir: string): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = idsOf('postgres') ?? idsOf('nobody') ?? [65_534, 65_534]
  await chown(dir, uid, gid)
  await chmod(dir, 0o700)
  return { uid, gid }
}

function idsOf(user: string): [number, number] | null {
  const ids = ['-u', '-g'].map((flag) =>
    Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout.trim() || 'NaN'),
  )
  const [uid, gid] = ids
  return uid !== undefined && gid !== undefined && Number.isInteger(uid) && Number.isInteger(gid) ? [uid, gid] : null
}
