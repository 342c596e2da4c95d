/** What a dapp's visitor downloads, as gzip at its default level: the figure that budgets are written in. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import * as z from 'zod/mini'
import type { Line } from './table'

const kilobytes = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0) / 1000

const sdk = 'packages/client-sdk'
const modal = 'apps/modal-host/dist'

const Manifest = z.object({
  dependencies: z.optional(z.record(z.string(), z.string())),
  optionalDependencies: z.optional(z.record(z.string(), z.string())),
})
const SourceMap = z.object({ sources: z.array(z.string()) })

/** A bundle's entry and every chunk that it imports statically, as files. */
function withImports(entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen
  seen.add(entry)
  const source = readFileSync(entry, 'utf8')
  for (const [, specifier = ''] of source.matchAll(/(?:from|import)\s*["'](\.[^"']+\.js)["']/g)) {
    withImports(path.join(path.dirname(entry), specifier), seen)
  }
  return seen
}

/** The modules of a script, by its source map. The bundler's own runtime has none to name. */
function sourcesOf(file: string): string[] {
  if (existsSync(`${file}.map`)) return SourceMap.parse(JSON.parse(readFileSync(`${file}.map`, 'utf8'))).sources
  if (path.basename(file).startsWith('rolldown-runtime')) return []
  throw new Error(`${file} has no source map to look into`)
}

/** @param initial the URLs' paths of the scripts that the modal host loaded before Connect showed, as the browser saw them. */
export function measureSizes(initial: readonly string[]): Line[] {
  const { dependencies = {}, optionalDependencies = {} } = Manifest.parse(
    JSON.parse(readFileSync(`${sdk}/package.json`, 'utf8')),
  )
  const files = initial.map((file) => path.join(modal, file))
  const chainLibraries = files
    .flatMap(sourcesOf)
    .filter((source) => /node_modules\/(viem|ox|@solana|bitcoinjs-lib|@walletconnect)\//.test(source))
  return [
    {
      what: "@postern/client on a dapp's page, EVM",
      measured: kilobytes([...withImports(`${sdk}/dist/index.js`)]),
      unit: 'kB',
      budget: 6,
      note: 'dist/index.js and what it imports, minified, gzip',
    },
    {
      what: 'postern.js (script tag, elements included)',
      measured: kilobytes([`${sdk}/dist/postern.js`]),
      unit: 'kB',
      budget: 12,
      note: 'gzip',
    },
    {
      what: 'npm packages that @postern/client brings',
      measured: Object.keys({ ...dependencies, ...optionalDependencies }).length,
      unit: 'packages',
      budget: 0,
      note: 'dependencies in its package.json',
    },
    {
      what: 'modal host, JavaScript before Connect shows',
      measured: kilobytes(files),
      unit: 'kB',
      budget: 120,
      note: `${files.length} scripts seen by the browser, gzip; all of dist: ${kilobytes(allScripts()).toFixed(0)} kB`,
    },
    {
      what: 'chain libraries in it',
      measured: chainLibraries.length,
      unit: 'modules',
      budget: 0,
      note: 'by the sources of their source maps',
    },
  ]
}

const allScripts = () =>
  readdirSync(modal, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .map((file) => path.join(modal, file))
