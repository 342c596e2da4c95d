/** The console on the command line, through a running gateway's admin API. */
import { parseArgs } from 'node:util'
import * as z from 'zod/mini'
import { CommandError } from '../../platform/command-error'
import { parseJson } from '../../platform/parse-json'
import { places } from '../../platform/settings/places'

type Command = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** `{}` is replaced by the argument. */
  readonly path: string
  /** Required unless it ends with `?`. */
  readonly argument?: string
  /** In the body or in the query. */
  readonly body?: string
  readonly query?: string
  readonly options?: readonly ('days' | 'page' | 'before' | 'target')[]
  readonly does: string
  /** It cannot be undone: asks for `--yes`. */
  readonly isFinal?: true
}

const onUser = (method: Command['method'], action: string, does: string): Command => ({
  method,
  path: `/users/{}${action}`,
  argument: '<user id>',
  does,
})

const commands: Readonly<Record<string, Command>> = {
  'user look-up': {
    method: 'POST',
    path: '/users/look-up',
    argument: '<email address, wallet address or id>',
    body: 'who',
    does: 'finds users; email addresses are masked',
  },
  'user show': onUser('GET', '', 'wallets and devices'),
  'user export': onUser('GET', '/export', 'all data that the gateway can read, for the user'),
  'user sign-out': onUser('POST', '/sign-out', 'ends all sessions'),
  'user block': onUser('POST', '/block', 'ends all sessions and refuses new ones'),
  'user unblock': onUser('POST', '/unblock', 'lets a blocked user sign in again'),
  'user delete': {
    ...onUser('DELETE', '', 'deletes the user. Without an exported seed, the wallet and its money are lost'),
    isFinal: true,
  },
  'operator sessions': {
    method: 'GET',
    path: '/operators/sessions',
    does: 'open sessions of operators who signed in at the provider',
  },
  'operator end-session': {
    method: 'DELETE',
    path: '/operators/sessions/{}',
    argument: '<session id>',
    does: 'ends one of them',
  },
  'operator sign-out': {
    method: 'POST',
    path: '/operators/sign-out',
    argument: '<email address, subject or both as the audit log has them>',
    body: 'who',
    does: 'ends the sessions of an operator who signed in at the provider',
  },
  analytics: {
    method: 'GET',
    path: '/analytics',
    argument: '<project id>',
    query: 'projectId',
    options: ['days'],
    does: 'opens, connects and failures by day',
  },
  health: { method: 'GET', path: '/health', does: 'database, email, upstreams and limits of one replica' },
  'script-tag': { method: 'GET', path: '/script-tag', does: 'address and hash of the script tag for pages' },
  directory: {
    method: 'GET',
    path: '/directory',
    argument: '<name>?',
    query: 'search',
    options: ['page'],
    does: 'wallets of the directory',
  },
  audit: { method: 'GET', path: '/audit', options: ['before', 'target'], does: 'the audit log, newest first' },
}

const flags = {
  days: { type: 'string' },
  page: { type: 'string' },
  before: { type: 'string' },
  target: { type: 'string' },
  yes: { type: 'boolean' },
} as const

export const adminUsage = Object.entries(commands)
  .map(
    ([name, command]) =>
      `${places.command} ${usageOf(name, command)}\n                                    ${command.does}`,
  )
  .join('\n')

export const isAdminCommand = ([first = '']: readonly string[]): boolean =>
  Object.keys(commands).some((name) => name.split(' ')[0] === first)

export type AdminCommandOptions = {
  readonly url: string
  readonly token: string | undefined
  readonly fetch: typeof globalThis.fetch
}

/**
 * @param words the arguments after `npm run gateway --`.
 * @returns the response as JSON.
 * @throws {CommandError}
 */
export async function runAdminCommand(
  words: readonly string[],
  { url, token, fetch }: AdminCommandOptions,
): Promise<string> {
  const name = nameIn(words) ?? ''
  const command = commands[name]
  if (command === undefined || words.includes('--help')) throw new CommandError(adminUsage, 2)
  const wrong = (why: string) => new CommandError(`${why}\nUsage: ${places.command} ${usageOf(name, command)}`, 2)
  const { values, positionals } = read(words.slice(name.split(' ').length), wrong)
  const [argument, ...more] = positionals
  if (more.length > 0 || (argument !== undefined && command.argument === undefined))
    throw wrong(`Unexpected ${JSON.stringify(more[0] ?? argument)}`)
  if (argument === undefined && command.argument?.endsWith('?') === false) throw wrong(`${command.argument} is missing`)
  // A URL reads these as steps up its path.
  if (command.path.includes('{}') && (argument === '.' || argument === '..'))
    throw wrong(`${JSON.stringify(argument)} is not an id`)
  for (const option of ['days', 'page', 'before', 'target'] as const)
    if (values[option] !== undefined && command.options?.includes(option) !== true)
      throw wrong(`--${option} does not go with ${name}`)
  if (command.isFinal && values.yes !== true) throw wrong(`${name} ${command.does}. Add --yes`)

  if (token === undefined || token === '')
    throw new CommandError('Set POSTERN_ADMIN_TOKEN to your operator token, or to a file with it.')
  const target = targetOf(url, command, argument, values)
  const body = command.body === undefined ? undefined : JSON.stringify({ [command.body]: argument })
  const answer = await ask(fetch, target, command, token, body)
  return typeof answer === 'object' && answer !== null && 'status' in answer && answer.status === 'ok'
    ? 'Done.'
    : JSON.stringify(answer, null, 2)
}

function usageOf(name: string, { argument, options = [], isFinal }: Command): string {
  const parts = [argument?.endsWith('?') === true ? `[${argument.slice(0, -1)}]` : argument]
  return [name, ...parts, ...options.map((option) => `[--${option} <${option}>]`), isFinal && '--yes']
    .filter(Boolean)
    .join(' ')
}

const nameIn = ([one = '', two = '']: readonly string[]): string | undefined =>
  [`${one} ${two}`, one].find((name) => Object.hasOwn(commands, name))

function read(words: readonly string[], wrong: (why: string) => CommandError) {
  try {
    return parseArgs({ args: [...words], options: flags, allowPositionals: true })
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error))
  }
}

function targetOf(
  url: string,
  command: Command,
  argument: string | undefined,
  values: Readonly<Record<string, string | boolean | undefined>>,
): URL {
  if (!URL.canParse(url)) throw new CommandError('POSTERN_ADMIN_URL must be a URL such as https://admin.example.com')
  const path = command.path.replace('{}', encodeURIComponent(argument ?? ''))
  const target = new URL(`/admin/v1${path}`, url)
  const isLoopback = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(target.hostname)
  if (target.protocol !== 'https:' && !(target.protocol === 'http:' && isLoopback))
    throw new CommandError('POSTERN_ADMIN_URL must be https, or on this machine: it gets your token')
  if (command.query !== undefined && argument !== undefined) target.searchParams.set(command.query, argument)
  for (const option of command.options ?? []) {
    const value = values[option]
    if (typeof value === 'string') target.searchParams.set(option, value)
  }
  return target
}

const Refusal = z.object({ reasons: z.array(z.object({ name: z.string(), description: z.string() })) })

async function ask(
  fetch: typeof globalThis.fetch,
  target: URL,
  { method }: Command,
  token: string,
  body: string | undefined,
): Promise<unknown> {
  const response = await fetch(target, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body }),
    // The token goes to this address alone.
    redirect: 'error',
    signal: AbortSignal.timeout(30_000),
  }).catch((error: unknown) => {
    throw new CommandError(
      `No answer from ${target.origin}: ${reasonOf(error)}. Check that the gateway runs with its admin API on, and that POSTERN_ADMIN_URL is the address of its admin port`,
    )
  })
  const text = await response.text()
  const answer = parseJson(text)
  if (response.ok) return answer
  const refused = Refusal.safeParse(answer)
  const reasons = refused.success ? refused.data.reasons.map(({ description }) => description) : []
  throw new CommandError(reasons.join('\n') || `${target.origin} answered ${response.status}`)
}

/** "fetch failed" has its reason in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message
}
