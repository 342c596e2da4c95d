/** Gzip bytes of each entry and lazy chunk in `dist`. Exits with 1 over a budget. */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { budgetsKb, pageSize } from '../../../scripts/lib/page-size'

const dist = new URL('../dist/', import.meta.url)
const gzipped = (file: string) => gzipSync(readFileSync(new URL(file, dist))).byteLength

function withImports(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  const text = readFileSync(new URL(file, dist), 'utf8')
  for (const [, chunk = ''] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g)) withImports(chunk, seen)
  return seen
}

function onDemand(files: ReadonlySet<string>): Set<string> {
  const found = [...files].flatMap((file) => [
    ...readFileSync(new URL(file, dist), 'utf8').matchAll(/import\(\s*["'`]\.\/([^"'`]+\.js)/g),
  ])
  return new Set(found.flatMap(([, chunk = '']) => [...withImports(chunk)]).filter((chunk) => !files.has(chunk)))
}

function report(name: string, files: Iterable<string>, budgetKb?: number): void {
  reportBytes(
    name,
    [...files].reduce((sum, file) => sum + gzipped(file), 0),
    budgetKb,
  )
}

function reportBytes(name: string, bytes: number, budgetKb?: number): void {
  const budget = budgetKb === undefined ? undefined : budgetKb * 1000
  const over = budget !== undefined && bytes > budget
  if (over) process.exitCode = 1
  const limit = budget === undefined ? '' : `  of ${budget} B${over ? ', over' : ''}`
  console.log(`${name.padEnd(36)} ${String(bytes).padStart(6)} B${limit}`)
}

const folder = fileURLToPath(dist)
const bundled = await pageSize(folder)
reportBytes('@postern/client, as Vite bundles it', bundled.initial, budgetsKb.client)
reportBytes('all JavaScript of a page, any language', bundled.all + bundled.words, budgetsKb.page)
reportBytes('  of it the words of the alert', bundled.words)

const page = withImports('index.js')
report('@postern/client', page)
const namespaces = [...onDemand(page)].filter((chunk) => chunk.startsWith('namespaces'))
report('  with Solana and Bitcoin', [...page, ...namespaces])
for (const chunk of onDemand(page)) report(`  on demand: ${chunk}`, [chunk])
for (const entry of ['react', 'vue', 'svelte'])
  reportBytes(
    `@postern/client/${entry}, besides`,
    (await pageSize(folder, entry)).initial - bundled.initial,
    budgetsKb.entry,
  )
report(
  '@postern/client/elements, besides',
  [...withImports('elements.js')].filter((file) => !page.has(file)),
)
report('postern.js (script tag)', ['postern.js'], budgetsKb.script)
report('@postern/wagmi', ['../../wagmi/dist/index.js'], budgetsKb.entry)
for (const part of ['modal', 'namespaces', 'adapters', 'elements'])
  report(`  on demand: postern-${part}.js`, [`postern-${part}.js`])
