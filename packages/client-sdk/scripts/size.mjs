/**
 * Prints the gzip bytes of `dist`: entries with static imports, and lazy code. Exits with 1 if a budget is exceeded.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

const dist = new URL('../dist/', import.meta.url)
const gzipped = (file) => gzipSync(readFileSync(new URL(file, dist))).byteLength

function withImports(file, seen = new Set()) {
  if (seen.has(file)) return seen
  seen.add(file)
  const text = readFileSync(new URL(file, dist), 'utf8')
  for (const [, chunk] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) withImports(chunk, seen)
  return seen
}

function onDemand(files) {
  const found = [...files].flatMap((file) => [
    ...readFileSync(new URL(file, dist), 'utf8').matchAll(/import\(\s*["'`]\.\/([^"'`]+\.js)/g),
  ])
  return new Set(found.flatMap(([, chunk]) => [...withImports(chunk)]).filter((chunk) => !files.has(chunk)))
}

/** The scripts of a page, as Vite bundles it. @param {string} [entry] a framework's entry, all of which the page uses */
async function bundlePage(entry) {
  const file = (name) => JSON.stringify(fileURLToPath(new URL(name, dist)))
  const names = entry === undefined ? [] : exportsOf(entry)
  const page = `import { createPostern } from ${file('index.js')}
${names.length === 0 ? '' : `import { ${names.join(', ')} } from ${file(`${entry}.js`)}\nconsole.log(${names.join(', ')})`}
createPostern({ projectId: 'demo', networks: ['ethereum', 'solana', 'bitcoin'] }).open()`
  const { output } = await build({
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
  const chunks = new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])))
  const initial = new Set([...chunks.values()].filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  for (const name of initial)
    for (const imported of chunks.get(name)?.imports ?? []) if (chunks.has(imported)) initial.add(imported)
  const sizeOf = (names) => [...names].reduce((sum, name) => sum + gzipSync(chunks.get(name).code).byteLength, 0)
  const words = [...chunks.keys()].filter((name) => name.includes('alert-words'))
  return { initial: sizeOf(initial), all: sizeOf(chunks.keys()) - sizeOf(words), words: sizeOf(words) }
}

/** By their public names. */
function exportsOf(entry) {
  const [, list] = readFileSync(new URL(`${entry}.js`, dist), 'utf8').match(/export\s*\{([^}]*)\}/)
  return list.split(',').map((each) => each.trim().split(' as ').at(-1))
}

function report(name, files, budget) {
  reportBytes(
    name,
    [...files].reduce((sum, file) => sum + gzipped(file), 0),
    budget,
  )
}

function reportBytes(name, bytes, budget) {
  const over = budget !== undefined && bytes > budget
  if (over) process.exitCode = 1
  const limit = budget === undefined ? '' : `  of ${budget} B${over ? ', over' : ''}`
  console.log(`${name.padEnd(36)} ${String(bytes).padStart(6)} B${limit}`)
}

const bundled = await bundlePage()
reportBytes('@postern/client, as Vite bundles it', bundled.initial, 9000)
reportBytes('all JavaScript of a page, any language', bundled.all + bundled.words, 44000)
reportBytes('  of it the words of the alert', bundled.words)

const page = withImports('index.js')
report('@postern/client', page)
const namespaces = [...onDemand(page)].filter((chunk) => chunk.startsWith('namespaces'))
report('  with Solana and Bitcoin', [...page, ...namespaces])
for (const chunk of onDemand(page)) report(`  on demand: ${chunk}`, [chunk])
for (const entry of ['react', 'vue', 'svelte'])
  reportBytes(`@postern/client/${entry}, besides`, (await bundlePage(entry)).initial - bundled.initial, 2200)
report(
  '@postern/client/elements, besides',
  [...withImports('elements.js')].filter((file) => !page.has(file)),
)
report('postern.js (script tag)', ['postern.js'], 14000)
report('@postern/wagmi', ['../../wagmi/dist/index.js'], 2200)
for (const part of ['modal', 'namespaces', 'adapters', 'elements'])
  report(`  on demand: postern-${part}.js`, [`postern-${part}.js`])
