/** `npm run gateway -- project …` */
import { parseArgs } from 'node:util'
import type * as z from 'zod/mini'
import { places } from '../platform/settings/places'
import { describe } from './describe'
import {
  type Analytics,
  type Approvals,
  type Look,
  type MailLook,
  type MailTexts,
  type Project,
  ProjectChanges,
  ProjectInput,
} from './project'
import { signInChainsProblem } from './sign-in-networks'
import type { ProjectStore } from './store'

const usage = `Usage: ${places.command} project <command>

  add --name <name> [--id <id>] [--origin <origin>]…      make a project
  list                                                    all projects
  show <id>                                               one project
  update <id> [options]                                   change what is named, keep the rest
  remove <id>                                             delete a project

Options of add and update:
  --name <name>
  --origin <origin>            repeatable; https://app.example.com, or https://*.example.com for one label.
                               update: the whole new list
  --add-origin <origin>        update only, repeatable
  --remove-origin <origin>     update only, repeatable
  --no-default-ancestors       keep localhost, preview and tunnelling hosts out (a live project should)
  --default-ancestors          let them in (the default in development)
  --feature <name>=on|off      repeatable; wins over what the dapp configures. --feature socials=google,github
  --look <part>=<value>|off    repeatable; how the modal looks where a dapp's own theme says nothing: accent=#0d756d, radius=0.5
                               (of corners, 0 to 2), font='Georgia, serif', mix=#3344ff with mixStrength=10 (percent, 0 to 50)
  --wallet-connect <id>|off    the project's id at WalletConnect; without one the modal offers no WalletConnect
  --sign-in-chain <chain>      repeatable; eip155:1. Where visitors can sign in with their wallet, of the chains that the gateway
                               knows. update: the whole new list; all: every one of them (the default)
  --recovery-wait-hours <n>    how long a new device of an embedded wallet's user waits before it can open the wallet;
                               the mailbox and the other devices can stop it meanwhile. 0: not at all (the default)
  --recovery any|hardened      hardened: new wallets need a passkey or passphrase (any by default)
  --recovery-choice later|first  first: a new user chooses how to recover before the wallet is made (later by default)
  --approvals auto|window      where users approve what the embedded wallet signs: in the page what can take nothing or little
                               (the default), or always in the wallet's own window
  --approvals-window-above <usd>|off
                               requests above this worth in US dollars go to the window, and those above four times as
                               much in a day. off: the default, 25
  --trust-origin <origin>      repeatable; an exact origin whose pages may show approvals without the default limits.
                               update: the whole new list; none: no origin
  --mail-sender <name>|off     shown as the sender of the project's emails; the address stays the gateway's
  --mail-reply-to <address>|off
  --mail-brand <name>|off      above the heading of the emails
  --mail-color <#rrggbb>|off   of the brand and of buttons in them
  --mail-footer <text>|off     one line below everything, such as how to reach your support
  --mail-text <language>.intro|footer=<text>|off
                               repeatable; de.intro='Welcome to our shop.' In emails of that language, one line below the
                               heading, or in place of --mail-footer. Other languages without their own have that of en
  --analytics on|off           whether the gateway keeps what visitors do in the modal (on by default)
  --analytics-consent on|off   whether a visitor is asked first (on by default)
  --analytics-addresses on|off whether it may hold the visitor's address (off by default)
  --analytics-days <n>|default how long the gateway keeps events

  --json                       print JSON

${places.command} start            run the gateway, with the settings of the environment
${places.command} dev              run a gateway for development, with its data in .postern of this folder
${places.command} secrets [FILE]   print new secrets for POSTERN_SECRETS, or write them to a file of mode 0600
${places.command} secrets rotate <file> [--last] [--purpose <name>]…
                                    add new keys to a file of secrets, and seal with them; --last only opens with them,
                                    until all replicas have the file
${places.command} secrets wrap <file> --url <url> --key <name>
                                    print a file of secrets as a key service has wrapped it
${places.command} secrets reseal   seal all rows with the current keys, so that older ones can be removed
${places.command} doctor [--project <id>] [--dkim-selector <name>] [--json]
                                    check the running gateway from outside
${places.command} user|operator|analytics|health|directory|audit …
                                    what the console does, through the admin API of a running gateway; --help lists it
${places.command} backup <file> [--data-keys <file>]    write the database to a new file; with --data-keys, the data keys
                                    of shares to another one
${places.command} restore <file> [--data-keys <file>]   read it into an empty database`

export class CommandError extends Error {
  override readonly name = 'CommandError'
  constructor(
    message: string,
    readonly exitCode: 1 | 2 = 1,
  ) {
    super(message)
  }
}

const options = {
  id: { type: 'string' },
  name: { type: 'string' },
  origin: { type: 'string', multiple: true },
  'add-origin': { type: 'string', multiple: true },
  'remove-origin': { type: 'string', multiple: true },
  'default-ancestors': { type: 'boolean' },
  feature: { type: 'string', multiple: true },
  look: { type: 'string', multiple: true },
  'wallet-connect': { type: 'string' },
  'sign-in-chain': { type: 'string', multiple: true },
  'recovery-wait-hours': { type: 'string' },
  recovery: { type: 'string' },
  'recovery-choice': { type: 'string' },
  approvals: { type: 'string' },
  'approvals-window-above': { type: 'string' },
  'trust-origin': { type: 'string', multiple: true },
  'mail-sender': { type: 'string' },
  'mail-reply-to': { type: 'string' },
  'mail-brand': { type: 'string' },
  'mail-color': { type: 'string' },
  'mail-footer': { type: 'string' },
  'mail-text': { type: 'string', multiple: true },
  analytics: { type: 'string' },
  'analytics-consent': { type: 'string' },
  'analytics-addresses': { type: 'string' },
  'analytics-days': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

type Flags = ReturnType<typeof readWords>['values']

/**
 * @param words the arguments after `npm run gateway --`.
 * @param newId for a project without an id.
 * @param networks where visitors can sign in with a wallet.
 * @returns the standard output.
 * @throws {CommandError}
 */
export async function runCommand(
  words: readonly string[],
  openStore: () => Promise<ProjectStore>,
  newId: () => string,
  networks: ReadonlySet<string>,
): Promise<string> {
  const { values, positionals } = readWords(words)
  const [topic, command, id, ...more] = positionals
  if (values.help === true) return usage
  if (topic !== 'project' || command === undefined || more.length > 0) throw new CommandError(usage, 2)
  const print = (project: Project) => (values.json === true ? toJson(project) : describe(project))

  switch (command) {
    case 'add': {
      if (id !== undefined) throw new CommandError(`Unexpected ${JSON.stringify(id)}: name the project with --id`, 2)
      refuse(values, ['add-origin', 'remove-origin'], 'add')
      if (values.name === undefined) throw new CommandError('--name is missing', 2)
      const input = check(ProjectInput, {
        id: values.id ?? newId(),
        ...readChanges(values),
        look: editLook({}, values.look),
        mailTexts: editMailTexts({}, values['mail-text']),
      })
      requireKnownChains(input, networks)
      const project = await (await openStore()).add(input)
      if (project === null) throw new CommandError(`There is already a project ${input.id}`)
      return print(project)
    }
    case 'list': {
      const projects = await (await openStore()).list()
      if (values.json === true) return toJson(projects)
      return projects.length === 0 ? 'No projects yet.' : projects.map(describe).join('\n\n')
    }
    case 'show':
      return print(await requireProject(await openStore(), named(id, command)))
    case 'update': {
      const target = named(id, command)
      refuse(values, ['id'], 'update')
      const changes = readChanges(values)
      const store = await openStore()
      const project = await requireProject(store, target)
      const edits = check(ProjectChanges, {
        ...changes,
        allowedOrigins: editOrigins(project.allowedOrigins, values),
        features: changes.features === undefined ? undefined : { ...project.features, ...changes.features },
        look: editLook(project.look, values.look),
        approvals: changes.approvals === undefined ? undefined : { ...project.approvals, ...changes.approvals },
        mail: changes.mail === undefined ? undefined : { ...project.mail, ...changes.mail },
        mailTexts: editMailTexts(project.mailTexts, values['mail-text']),
        analytics: changes.analytics === undefined ? undefined : { ...project.analytics, ...changes.analytics },
      })
      if (Object.values(edits).every((value) => value === undefined)) throw new CommandError('Nothing to change', 2)
      requireKnownChains(edits, networks)
      const updated = await store.update(target, edits)
      if (updated === null) throw missing(target)
      return print(updated)
    }
    case 'remove': {
      const target = named(id, command)
      const store = await openStore()
      await requireProject(store, target)
      if (!(await store.remove(target))) throw missing(target)
      return values.json === true ? toJson({ removed: target }) : `Removed ${target}.`
    }
    default:
      throw new CommandError(`There is no command ${JSON.stringify(command)}\n\n${usage}`, 2)
  }
}

function readWords(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, allowNegative: true })
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : usage, 2)
  }
}

function readChanges(values: Flags) {
  return {
    name: values.name,
    allowedOrigins: values.origin,
    defaultAncestors: values['default-ancestors'],
    features: values.feature === undefined ? undefined : Object.fromEntries(values.feature.map(readFeature)),
    walletConnect: values['wallet-connect'] === 'off' ? null : values['wallet-connect'],
    signInChains: readSignInChains(values['sign-in-chain']),
    recoveryWaitHours: readHours(values['recovery-wait-hours']),
    recovery: values.recovery,
    recoveryChoice: values['recovery-choice'],
    approvals: readApprovals(values),
    mail: readMailLook(values),
    analytics: readAnalytics(values),
    analyticsDays: readDays(values['analytics-days']),
  }
}

function readSignInChains(chains: Flags['sign-in-chain']): readonly string[] | null | undefined {
  if (chains === undefined || !chains.includes('all')) return chains && [...new Set(chains)]
  if (chains.length > 1) throw new CommandError('--sign-in-chain all goes without others', 2)
  return null
}

function requireKnownChains(
  { signInChains }: Pick<ProjectChanges, 'signInChains'>,
  networks: ReadonlySet<string>,
): void {
  const wrong = signInChainsProblem(signInChains, networks)
  if (wrong !== null) throw new CommandError(`--sign-in-chain: ${wrong}`)
}

function readHours(text: string | undefined): number | undefined {
  if (text === undefined || /^\d{1,4}$/.test(text)) return text === undefined ? undefined : Number(text)
  throw new CommandError('--recovery-wait-hours is a whole number of hours', 2)
}

/** The schema checks the values. */
function readApprovals(values: Flags): Readonly<Partial<Record<keyof Approvals, unknown>>> | undefined {
  const { approvals: place, 'approvals-window-above': above, 'trust-origin': trusted } = values
  if (place === undefined && above === undefined && trusted === undefined) return undefined
  if (trusted?.includes('none') === true && trusted.length > 1)
    throw new CommandError('--trust-origin none goes without others', 2)
  return {
    ...(place !== undefined && { place }),
    ...(above !== undefined && { windowAboveUsd: above === 'off' ? null : readDollars(above) }),
    ...(trusted !== undefined && { trustedOrigins: trusted.includes('none') ? [] : [...new Set(trusted)] }),
  }
}

function readDollars(text: string): number {
  if (!/^\d{1,12}(\.\d{1,2})?$/.test(text))
    throw new CommandError('--approvals-window-above is an amount in US dollars such as 100, or off', 2)
  return Number(text)
}

/** The schema checks the values. */
function readMailLook(values: Flags): Partial<MailLook> | undefined {
  const said = (
    [
      ['sender', 'mail-sender'],
      ['replyTo', 'mail-reply-to'],
      ['brand', 'mail-brand'],
      ['color', 'mail-color'],
      ['footer', 'mail-footer'],
    ] as const
  ).flatMap(([name, flag]) => {
    const text = values[flag]
    return text === undefined ? [] : [[name, text === 'off' ? null : text] as const]
  })
  return said.length === 0 ? undefined : Object.fromEntries(said)
}

/** The schema checks the parts and the values. */
function editLook(before: Look, entries: Flags['look']): object | undefined {
  if (entries === undefined) return undefined
  const look = new Map<string, unknown>(Object.entries(before))
  for (const entry of entries) {
    const [, part = '', text] = /^([A-Za-z]+)=(.+)$/s.exec(entry) ?? []
    if (text === undefined) throw new CommandError(`--look ${entry}: write it as accent=#0d756d`, 2)
    if (text === 'off') look.delete(part)
    else look.set(part, part === 'radius' || part === 'mixStrength' ? Number(text) : text)
  }
  return Object.fromEntries(look)
}

/** The schema checks the languages and the lines. */
function editMailTexts(before: MailTexts, entries: Flags['mail-text']): object | undefined {
  if (entries === undefined) return undefined
  const texts = new Map(Object.entries(before).map(([language, lines]) => [language, new Map(Object.entries(lines))]))
  for (const entry of entries) {
    const [, language = '', part = '', text] = /^([A-Za-z-]+)\.([a-z]+)=(.*)$/s.exec(entry) ?? []
    if (text === undefined) throw new CommandError(`--mail-text ${entry}: write it as de.intro=Text`, 2)
    const lines = texts.get(language) ?? new Map<string, string>()
    if (text === 'off') lines.delete(part)
    else lines.set(part, text)
    if (lines.size === 0) texts.delete(language)
    else texts.set(language, lines)
  }
  return Object.fromEntries([...texts].map(([language, lines]) => [language, Object.fromEntries(lines)]))
}

function readDays(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined
  if (text === 'default') return null
  if (!/^\d{1,4}$/.test(text)) throw new CommandError('--analytics-days is a whole number of days, or default', 2)
  return Number(text)
}

function readAnalytics(values: Flags): Partial<Record<keyof Analytics, boolean>> | undefined {
  const said = (
    [
      ['enabled', 'analytics'],
      ['consent', 'analytics-consent'],
      ['addresses', 'analytics-addresses'],
    ] as const
  ).flatMap(([name, flag]) => {
    const state = values[flag]
    if (state === undefined) return []
    if (state !== 'on' && state !== 'off') throw new CommandError(`--${flag} is on or off`, 2)
    return [[name, state === 'on'] as const]
  })
  return said.length === 0 ? undefined : Object.fromEntries(said)
}

/** The schema checks the name, and the list of `socials`. */
function readFeature(text: string): [string, unknown] {
  const [name = '', state, ...rest] = text.split('=')
  if (state === undefined || rest.length > 0) throw new CommandError(`--feature ${text}: write it as swaps=off`, 2)
  if (name === 'socials') return [name, state === 'off' ? [] : state.split(',')]
  if (state !== 'on' && state !== 'off') throw new CommandError(`--feature ${text}: ${name} is on or off`, 2)
  return [name, state === 'on']
}

function editOrigins(before: readonly string[], values: Flags): readonly string[] | undefined {
  const { origin, 'add-origin': added, 'remove-origin': removed } = values
  if (origin === undefined && added === undefined && removed === undefined) return undefined
  const start = origin ?? before
  for (const gone of removed ?? []) {
    if (!start.includes(gone)) throw new CommandError(`${gone} is not among the origins: ${start.join(', ') || 'none'}`)
  }
  return [...new Set([...start.filter((entry) => !removed?.includes(entry)), ...(added ?? [])])]
}

function refuse(values: Flags, flags: readonly (keyof Flags)[], command: string): void {
  for (const flag of flags) {
    if (values[flag] !== undefined) throw new CommandError(`--${flag} does not go with ${command}`, 2)
  }
}

function check<T extends z.ZodMiniType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new CommandError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'))
}

function named(id: string | undefined, command: string): string {
  if (id === undefined) throw new CommandError(`${command} needs the id of a project`, 2)
  return id
}

async function requireProject(store: ProjectStore, id: string): Promise<Project> {
  const project = await store.find(id)
  if (project === null) throw missing(id)
  return project
}

function missing(id: string): CommandError {
  return new CommandError(`There is no project ${JSON.stringify(id)}`)
}

function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
