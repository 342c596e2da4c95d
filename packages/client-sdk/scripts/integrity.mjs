/** Writes `dist/integrity.json`: version and `integrity` of each file (W3C Subresource Integrity). */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const dist = new URL('../dist/', import.meta.url)

export const parts = ['modal', 'namespaces', 'adapters', 'elements']

/** @param {string} file A file of `dist`. @param {'sha256' | 'sha384'} algorithm */
export function integrityOf(file, algorithm = 'sha384') {
  return `${algorithm}-${createHash(algorithm)
    .update(readFileSync(new URL(file, dist)))
    .digest('base64')}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const names = ['postern.js', ...parts.map((part) => `postern-${part}.js`)]
  const files = Object.fromEntries(names.map((name) => [name, integrityOf(name)]))
  writeFileSync(new URL('integrity.json', dist), `${JSON.stringify({ version, files }, null, 2)}\n`)
}
