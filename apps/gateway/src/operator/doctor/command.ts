/** The real network for {@link diagnose}. */
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { readConfig } from '../../config'
import { CommandError } from '../../platform/command-error'
import { places } from '../../platform/settings/places'
import { diagnose, report } from './doctor'
import { doctorSettings } from './settings'

const options = { json: { type: 'boolean' }, project: { type: 'string' }, 'dkim-selector': { type: 'string' } } as const

/** @param folder where the command was started. @returns the text to print, and whether a check failed. */
export async function runDoctor(
  words: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
): Promise<{ readonly text: string; readonly failed: boolean }> {
  const { json = false, project, 'dkim-selector': dkimSelector } = readOptions(words)
  const settings = await doctorSettings(env, folder)
  const config = readConfig(settings.env)
  const resolver = newResolver()
  const { databaseUrl } = config
  const found = await diagnose(
    { ...config, projectId: project ?? settings.projectId },
    {
      addresses: (host) => readAddresses(host, resolver),
      txt: async (name) => (await resolver.resolveTxt(name)).map((parts) => parts.join('')),
      certificate: readCertificate,
      fetch,
      now: Date.now,
      dkimSelector,
      databaseTime: databaseUrl === undefined ? null : () => readDatabaseTime(databaseUrl),
    },
  )
  const findings = [...settings.findings, ...found]
  return { text: report(findings, json), failed: findings.some(({ level }) => level === 'failure') }
}

function readOptions(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options }).values
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError(
      `${reason}\nUsage: ${places.command} doctor [--project <id>] [--json] [--dkim-selector <name>]`,
      2,
    )
  }
}

const newResolver = () => new Resolver({ timeout: 3_000, tries: 2 })

/** @param host as a URL has it. */
export async function readAddresses(host: string, resolver = newResolver()): Promise<readonly string[]> {
  const address = host.replace(/^\[(.*)\]$/, '$1')
  if (isIP(address) !== 0) return [address]
  // RFC 6761: resolvers do not know these names.
  if (host === 'localhost' || host.endsWith('.localhost')) return ['127.0.0.1']
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  return found.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
}

/** Reads a server's certificate, also one that is not trusted. */
export function readCertificate(
  host: string,
  port: number,
): Promise<{ readonly until: number; readonly problem: string | null }> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host,
      port,
      servername: isIP(host) === 0 ? host : '',
      rejectUnauthorized: false,
      timeout: 8_000,
    })
    socket.once('secureConnect', () => {
      const until = Date.parse(socket.getPeerCertificate().valid_to)
      const problem = socket.authorized ? null : String(socket.authorizationError)
      socket.destroy()
      resolve({ until, problem })
    })
    socket.once('timeout', () => socket.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })))
    socket.once('error', reject)
  })
}

async function readDatabaseTime(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 5_000 })
  try {
    await client.connect()
    const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
    return rows[0]?.now.getTime() ?? Number.NaN
  } finally {
    await client.end()
  }
}
