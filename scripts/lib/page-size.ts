/** The size of `@postern/client` in a page, and the size budgets. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

/** Gzip, in kB: about a tenth above today's size, so that they stop growth and shape no code. */
export const budgetsKb = { client: 9, page: 44, walletFrame: 66, script: 14, modal: 137, entry: 2.2 } as const

/** Gzip bytes. `initial`: what loads at once. `all`: everything that ever loads, without the words. */
export type PageSize = { readonly initial: number; readonly all: number; readonly words: number }

/** The page's scripts as Vite bundles them. `entry` is a framework's; the page uses all its exports. */
export async function pageSize(dist: string, entry?: string): Promise<PageSize> {
  const file = (name: string) => JSON.stringify(path.resolve(dist, name))
  const names = entry === undefined ? [] : exportsOf(path.join(dist, `${entry}.js`))
  const page = `import { createPostern } from ${file('index.js')}
${names.length === 0 ? '' : `import { ${names.join(', ')} } from ${file(`${entry}.js`)}\nconsole.log(${names.join(', ')})`}
createPostern({ projectId: 'demo', networks: ['ethereum', 'solana', 'bitcoin'] }).open()`
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'virtual:page' ? id : undefined),
        load: (id) => (id === 'virtual:page' ? page : undefined),
      },
    ],
    build: { write: false, rolldownOptions: { input: 'virtual:page', external: /^(react|vue|svelte)(\/|$)/ } },
  })
  if (Array.isArray(built) || !('output' in built)) throw new Error('Vite built no single page')
  const chunks = built.output.filter((each) => each.type === 'chunk')
  const initial = new Set(chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  for (const name of initial)
    for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
      if (chunks.some(({ fileName }) => fileName === imported)) initial.add(imported)
  const isWords = (name: string) => name.includes('alert-words')
  const sizeOf = (isCounted: (name: string) => boolean) =>
    chunks.filter(({ fileName }) => isCounted(fileName)).reduce((sum, { code }) => sum + gzipSync(code).byteLength, 0)
  return { initial: sizeOf((name) => initial.has(name)), all: sizeOf((name) => !isWords(name)), words: sizeOf(isWords) }
}

/** The public names of a file's exports. */
function exportsOf(file: string): string[] {
  const [, list = ''] = readFileSync(file, 'utf8').match(/export\s*\{([^}]*)\}/) ?? []
  return list.split(',').flatMap((each) => each.trim().split(' as ').at(-1) ?? [])
}
