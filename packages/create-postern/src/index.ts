/** `npm create postern@latest [folder] -- --template next` */
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createApp, UserError } from './create'
import { isTemplateName, type TemplateName, templateNames, templates } from './templates'

const usage = `npm create postern@latest [folder] -- [--template NAME]

Templates:
${templateNames.map((name) => `  ${name.padEnd(10)} ${templates[name].title}`).join('\n')}
`

async function main(): Promise<void> {
  const { values, positionals } = readArguments()
  if (values.help) return say(usage)
  const template = await chooseTemplate(values.template)
  const folder = positionals[0] ?? (await ask('Folder', 'my-dapp'))
  await createApp(folder, template, fileURLToPath(new URL('templates', import.meta.url)))
  const enter = path.resolve(folder) === process.cwd() ? [] : [`cd ${folder}`]
  say(
    [
      '',
      `${folder} is ready. Next:`,
      '',
      ...[
        ...enter,
        'npm install',
        'npx @postern/gateway dev    # stays open; then in a second terminal:',
        'npm run dev',
      ].map((line) => `  ${line}`),
      '',
    ].join('\n'),
  )
}

function readArguments() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { template: { type: 'string', short: 't' }, help: { type: 'boolean', short: 'h', default: false } },
    })
  } catch (error) {
    throw new UserError(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
  }
}

async function chooseTemplate(name: string | undefined): Promise<TemplateName> {
  if (name === undefined) {
    say(templateNames.map((each, index) => `  ${index + 1}  ${templates[each].title}`).join('\n'))
    const answer = await ask('Template (number or name)', '1')
    return chooseTemplate(templateNames[Number(answer) - 1] ?? answer)
  }
  if (isTemplateName(name)) return name
  throw new UserError(`There is no template "${name}". Use one of: ${templateNames.join(', ')}.`)
}

/** @throws {UserError} if there is no one to ask. */
async function ask(question: string, usual: string): Promise<string> {
  if (!process.stdin.isTTY) throw new UserError(`Say it as an argument:\n\n${usage}`)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await terminal.question(`${question} [${usual}]: `)).trim() || usual
  } finally {
    terminal.close()
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

main().catch((error: unknown) => {
  if (!(error instanceof UserError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
