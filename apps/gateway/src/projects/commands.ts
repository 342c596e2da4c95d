/** `npm run gateway -- project …` */
import { parseArgs } from 'node:util'
import type * as z from 'zod/mini'
import { CommandError } from '../platform/command-error'
import { places } from '../platform/settings/places'
import { describe } from './describe'
import { changesOf, flagOptions, flagUsage } from './flags'
import { type Project, ProjectChanges, ProjectInput } from './project'
import { signInChainsProblem } from './sign-in-networks'
import type { ProjectStore } from './store'

const usage = `Usage: ${places.command} project <command>

  add --name <name> [--id <id>] [--origin <origin>]…      make a project
  list                                                    all projects
  show <id>                                               one project
  update <id> [options]                                   change what is named, keep the rest
  remove <id>                                             delete a project

Options of add and update:
${flagUsage}

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

const options = {
  ...flagOptions,
  id: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/**
 * @param words the arguments after `npm run gateway --`. @param newId for a project without an id.
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
      if (values.name === undefined) throw new CommandError('--name is missing', 2)
      const input = check(ProjectInput, { id: values.id ?? newId(), ...changesOf(values, {}) })
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
      if (values.id !== undefined) throw new CommandError('--id does not go with update', 2)
      const store = await openStore()
      const changes = changesOf(values, await requireProject(store, target))
      if (Object.keys(changes).length === 0) throw new CommandError('Nothing to change', 2)
      const edits = check(ProjectChanges, changes)
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

function readWords(words: readonly string[]): {
  readonly values: Readonly<Record<string, unknown>>
  readonly positionals: readonly string[]
} {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, allowNegative: true })
  } catch (error) {
    throw new CommandError(error instanceof Error ? error.message : usage, 2)
  }
}

function requireKnownChains(
  { signInChains }: Pick<ProjectChanges, 'signInChains'>,
  networks: ReadonlySet<string>,
): void {
  const wrong = signInChainsProblem(signInChains, networks)
  if (wrong !== null) throw new CommandError(`--sign-in-chain: ${wrong}`)
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
