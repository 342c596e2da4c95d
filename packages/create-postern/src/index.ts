/** `npm create postern@latest [folder] -- --template next` */
import { createInterface } from 'node:readline/promises'
import { fileURLToPath } from 'node:url'
import { readArguments, usage } from './arguments'
import { createApp, nextSteps, UserError } from './create'
import { isTemplateName, type TemplateName, templateNames, templates } from './templates'

async function main(): Promise<void> {
  const { folder: given, template: name, help } = readArguments(process.argv.slice(2), process.env)
  if (help) return say(usage)
  const template = await chooseTemplate(name)
  const folder = given ?? (await ask('Folder', 'my-dapp'))
  await createApp(folder, template, fileURLToPath(new URL('templates', import.meta.url)))
  say(nextSteps(folder, process.cwd()))
}

async function chooseTemplate(name: string | undefined): Promise<TemplateName> {
  if (name === undefined) {
    const list = templateNames.map((each, index) => `  ${index + 1}  ${templates[each].title}\n`).join('')
    const answer = await ask('Template', '1', `Choose a template by its number or name:\n${list}`)
    return chooseTemplate(templateNames[Number(answer) - 1] ?? answer)
  }
  if (isTemplateName(name)) return name
  throw new UserError(`There is no template "${name}". Use one of: ${templateNames.join(', ')}.`)
}

/** @throws {UserError} without a terminal. */
async function ask(what: string, usual: string, before = ''): Promise<string> {
  if (!process.stdin.isTTY) throw new UserError(`${what} is missing, and there is no terminal to ask in.\n\n${usage}`)
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return (await terminal.question(`${before}${what} [${usual}]: `)).trim() || usual
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
