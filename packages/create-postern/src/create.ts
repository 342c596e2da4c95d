import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type TemplateName, templates } from './templates'

/** The message tells the user what to do; shown without a stack. */
export class UserError extends Error {
  override readonly name = 'UserError'
}

const ignored = ['node_modules', 'dist', '.next', '.nuxt', '.output', '.svelte-kit', '.angular', '.postern', '.env', '']

/**
 * Writes a new app, into a new or empty folder only.
 * @param from the folder of all templates.
 * @throws {UserError}
 */
export async function createApp(folder: string, template: TemplateName, from: string): Promise<void> {
  const name = packageNameOf(folder)
  if (!(await isFree(folder))) throw new UserError(`${folder} is not empty. Choose another folder, or empty this one.`)
  await mkdir(folder, { recursive: true })
  await cp(path.join(from, templates[template].example), folder, { recursive: true })
  const file = path.join(folder, 'package.json')
  const description = await readFile(file, 'utf8')
  await writeFile(file, description.replace(/"name": "[^"]*"/, `"name": "${name}"`))
  // npm leaves files of this name out of packages.
  await writeFile(path.join(folder, '.gitignore'), ignored.join('\n'))
}

/** A valid npm name. @throws {UserError} */
export function packageNameOf(folder: string): string {
  const name = path
    .basename(path.resolve(folder))
    .toLowerCase()
    .replace(/[^a-z0-9-._~]+/g, '-')
    .replace(/^[-._]+|-+$/g, '')
  if (name === '') throw new UserError(`The folder names the package, so its name needs a letter or a digit: ${folder}`)
  return name
}

/** @throws {UserError} for a file of that name. */
async function isFree(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).every((name) => name === '.git')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT') return true
    if (code === 'ENOTDIR') throw new UserError(`${folder} is a file. Choose another folder.`)
    throw error
  }
}

/** @param cwd where the program was started. */
export function nextSteps(folder: string, cwd: string): string {
  const enter = path.resolve(cwd, folder) === cwd ? '' : `  cd ${/^[\w./-]+$/.test(folder) ? folder : `"${folder}"`}\n`
  return `
${folder} is ready. Next:

${enter}  npm install
  npx @postern/gateway dev

It keeps running. In a second terminal:

${enter}  npm run dev
`
}
