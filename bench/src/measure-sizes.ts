/** Gzip at its default level, the unit of the budgets. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import * as z from 'zod/mini'
import { budgetsKb, pageSize } from '../../scripts/lib/page-size'
import type { Line } from './table'

const kilobytes = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0) / 1000

const sdk = 'packages/client-sdk'
const modal = 'apps/modal-host/dist'
const wallet = 'apps/wallet/dist'

const Manifest = z.object({
  dependencies: z.optional(z.record(z.string(), z.string())),
  optionalDependencies: z.optional(z.record(z.string(), z.string())),
})
const SourceMap = z.object({ sources: z.array(z.string()) })

function withImports(entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen
  seen.add(entry)
  const source = readFileSync(entry, 'utf8')
  for (const [, specifier = ''] of source.matchAll(/(?:from|import)\s*["'](\.[^"']+\.js)["']/g)) {
    withImports(path.join(path.dirname(entry), specifier), seen)
  }
  return seen
}

/** The scripts of a built page: those that it names, and every chunk that they import statically. */
function scriptsOf(dist: string, page: string): Set<string> {
  const html = readFileSync(`${dist}/${page}`, 'utf8')
  const entries = [...html.matchAll(/<script[^>]*src="\/([^"]+)"/g)].map(([, file = '']) => path.join(dist, file))
  if (entries.length === 0) throw new Error(`${dist}/${page} names no script`)
  const files = new Set<string>()
  for (const entry of entries) withImports(entry, files)
  return files
}

/** Fails if the first JavaScript of the modal or of the wallet's frame exceeds its budget or brings a chain library. */
export function checkFirstScripts(): void {
  const boot = scriptsOf(modal, 'index.html')
  const foreign = [...boot].flatMap(sourcesOf).find((source) => isOnDemand.test(source))
  if (foreign !== undefined) throw new Error(`The modal's first scripts hold ${foreign}`)
  for (const [what, files, budgetKb] of [
    ["The modal's boot JavaScript", boot, budgetsKb.modal],
    ["The wallet frame's first JavaScript", walletFrame(), budgetsKb.walletFrame],
  ] as const) {
    const size = kilobytes([...files])
    if (size > budgetKb) throw new Error(`${what} is ${size.toFixed(1)} kB gzip, its budget is ${budgetKb} kB`)
  }
}

/** The scripts of the wallet's frame. */
function walletFrame(): Set<string> {
  const files = scriptsOf(wallet, 'sdk.html')
  const forbidden = [...files]
    .flatMap(sourcesOf)
    .filter((source) => /node_modules\/(react|react-dom|viem|bitcoinjs-lib)\//.test(source))
  if (forbidden.length > 0) throw new Error(`The wallet's frame begins with ${forbidden[0]}`)
  return files
}

/** From the source map; the bundler's runtime has none. */
function sourcesOf(file: string): string[] {
  if (existsSync(`${file}.map`)) return SourceMap.parse(JSON.parse(readFileSync(`${file}.map`, 'utf8'))).sources
  if (path.basename(file).startsWith('rolldown-runtime')) return []
  throw new Error(`${file} has no source map to look into`)
}

/** @param initial URL paths of the scripts loaded before Connect showed. */
export async function measureSizes(initial: readonly string[]): Promise<Line[]> {
  const { dependencies = {}, optionalDependencies = {} } = Manifest.parse(
    JSON.parse(readFileSync(`${sdk}/package.json`, 'utf8')),
  )
  const files = initial.map((file) => path.join(modal, file))
  const onDemandModules = files.flatMap(sourcesOf).filter((source) => isOnDemand.test(source))
  const bundled = await pageSize(`${sdk}/dist`)
  return [
    {
      what: "@postern/client on a dapp's page",
      measured: bundled.initial / 1000,
      unit: 'kB',
      budget: budgetsKb.client,
      note: 'as Vite bundles it, gzip',
    },
    {
      what: 'all JavaScript of @postern/client that a page ever loads',
      measured: (bundled.all + bundled.words) / 1000,
      unit: 'kB',
      budget: budgetsKb.page,
      note: 'every chunk, in any language, gzip',
    },
    {
      what: "embedded wallet's frame, JavaScript before the first signature",
      measured: kilobytes([...walletFrame()]),
      unit: 'kB',
      budget: budgetsKb.walletFrame,
      note: 'sdk.html, what it loads and imports, gzip; chains and the signing worker load with the first request',
    },
    {
      what: 'postern.js (script tag, elements included)',
      measured: kilobytes([`${sdk}/dist/postern.js`]),
      unit: 'kB',
      budget: budgetsKb.script,
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
      budget: budgetsKb.modal,
      note: `${files.length} scripts seen by the browser, gzip; all of dist: ${kilobytes(allScripts()).toFixed(0)} kB`,
    },
    {
      what: 'chain libraries, WalletConnect, Solana and Bitcoin in it',
      measured: onDemandModules.length,
      unit: 'modules',
      budget: 0,
      note:
        onDemandModules.length === 0 ? 'by the sources of their source maps' : onDemandModules.slice(0, 3).join(', '),
    },
    ...onDemandParts.map(({ what }): Line => {
      const scripts = allScripts().filter((file) => partOf(file) === what)
      return {
        what,
        measured: kilobytes(scripts),
        unit: 'kB',
        note: `loaded on first use; scripts: ${scripts.length}`,
      }
    }),
  ]
}

/** Not needed before a wallet is chosen. */
const isOnDemand =
  /node_modules\/(viem|ox|@solana|@solana-program|bitcoinjs-lib|bip174|@bitcoinerlab|@noble|@scure|@walletconnect|@reown|uqr)\/|src\/(connectors\/(walletconnect|page-(solana|bitcoin))|chains\/(solana|bip122)|views\/(pairing|ConnectingWalletConnect))/

/** By one of their modules; the first match wins. */
const onDemandParts = [
  { what: "WalletConnect's library (on demand)", test: /node_modules\/@walletconnect\/universal-provider\// },
  { what: 'our WalletConnect code (on demand)', test: /src\/connectors\/walletconnect\// },
  { what: 'QR code (on demand)', test: /node_modules\/uqr\// },
  { what: 'Bitcoin transactions (on demand)', test: /node_modules\/bitcoinjs-lib\// },
] as const

const partOf = (file: string) =>
  onDemandParts.find(({ test }) => sourcesOf(file).some((source) => test.test(source)))?.what

const allScripts = () =>
  readdirSync(modal, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .map((file) => path.join(modal, file))
