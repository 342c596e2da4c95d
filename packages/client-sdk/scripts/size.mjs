/**
 * Prints the gzip bytes of `dist`: entries with static imports, and lazy code. Exits with 1 if a budget is exceeded.
 */
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

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

function report(name, files, budget) {
  const bytes = [...files].reduce((sum, file) => sum + gzipped(file), 0)
  const over = budget !== undefined && bytes > budget
  if (over) process.exitCode = 1
  const limit = budget === undefined ? '' : `  of ${budget} B${over ? ', over' : ''}`
  console.log(`${name.padEnd(36)} ${String(bytes).padStart(6)} B${limit}`)
}

const page = withImports('index.js')
report('@postern/client', page, 6000)
const namespaces = [...onDemand(page)].filter((chunk) => chunk.startsWith('namespaces'))
report('  with Solana and Bitcoin', [...page, ...namespaces], 10000)
for (const chunk of onDemand(page)) report(`  on demand: ${chunk}`, [chunk])
report(
  '@postern/client/react, besides',
  [...withImports('react.js')].filter((file) => !page.has(file)),
)
report(
  '@postern/client/elements, besides',
  [...withImports('elements.js')].filter((file) => !page.has(file)),
)
report('postern.js (script tag)', ['postern.js'], 12000)
for (const part of ['modal', 'namespaces', 'adapters'])
  report(`  on demand: postern-${part}.js`, [`postern-${part}.js`])
