import { parseArgs } from 'node:util'
import { UserError } from './create'
import { isTemplateName, templateNames, templates } from './templates'

const command = 'npm create postern@latest'

export const usage = `Usage: ${command} [folder] -- [--template NAME]

Templates:
${templateNames.map((name) => `  ${name.padEnd(10)} ${templates[name].title}`).join('\n')}
`

export type Arguments = {
  readonly folder: string | undefined
  readonly template: string | undefined
  readonly help: boolean
}

/** @throws {UserError} */
export function readArguments(words: readonly string[], env: Readonly<Record<string, string | undefined>>): Arguments {
  const { values, positionals } = parse(words)
  if (values.template === undefined) refuseKeptOption(positionals, env)
  if (positionals.length > 1)
    throw new UserError(`One folder is expected, not ${positionals.length}: ${positionals.join(', ')}.\n\n${usage}`)
  return { folder: positionals[0], template: values.template, help: values.help }
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { template: { type: 'string', short: 't' }, help: { type: 'boolean', short: 'h', default: false } },
    })
  } catch (error) {
    // The rest explains `--`, for programs that npm does not start.
    const [message] = (error instanceof Error ? error.message : String(error)).split('. ')
    throw new UserError(`${message}.\n\n${usage}`)
  }
}

/** Without `--`, npm takes an option as its own: `--template next` leaves `next`, `--template=next` leaves nothing. */
function refuseKeptOption(positionals: readonly string[], env: Readonly<Record<string, string | undefined>>): void {
  const kept = env.npm_config_template ?? env.npm_config_t
  if (kept === undefined) return
  const option = env.npm_config_template === undefined ? '-t' : '--template'
  const template = isTemplateName(kept) ? kept : positionals.find(isTemplateName)
  const folder = positionals.find((word) => word !== template)
  const call = [command, folder, '--', '--template', template ?? 'NAME'].filter((word) => word !== undefined)
  throw new UserError(`npm kept ${option} for itself. Put -- before it:\n\n  ${call.join(' ')}\n`)
}
