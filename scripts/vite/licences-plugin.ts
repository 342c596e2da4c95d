/** Writes `licences.txt`: every package whose code or files are in the build, with its licence. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'
import * as z from 'zod/mini'

const fileOf = (name: string) => fileURLToPath(new URL(`licences/${name}.txt`, import.meta.url))

/** Packages that name licence and author in `package.json` or README, but publish no licence text. */
const given: Readonly<Record<string, string>> = {
  '@bitcoinerlab/secp256k1': fileOf('bitcoinerlab-secp256k1'),
  // The text that its version 6 publishes.
  bs58: fileOf('bs58'),
  'drizzle-orm': fileOf('drizzle-orm'),
  'pg-types': fileOf('pg-types'),
  pgpass: fileOf('pgpass'),
  uint8arrays: fileOf('uint8arrays'),
}

const Package = z.object({ name: z.string(), version: z.string(), license: z.optional(z.string()) })

/** `worker` goes into `worker.plugins` and adds the workers' packages to the page's file. */
export function licencesPlugins(): { readonly page: Plugin; readonly worker: Plugin } {
  const folders = new Set<string>()
  let root = ''

  function collect(bundle: Rolldown.OutputBundle): void {
    for (const output of Object.values(bundle)) {
      for (const file of output.type === 'chunk' ? output.moduleIds : output.originalFileNames) {
        const folder = packageFolder(path.resolve(root, file))
        if (folder !== null) folders.add(folder)
      }
    }
  }

  return {
    worker: {
      name: 'postern-licences-of-workers',
      apply: 'build',
      generateBundle: (_options, bundle) => collect(bundle),
    },
    page: {
      name: 'postern-licences',
      apply: 'build',
      configResolved(config) {
        root = config.root
      },
      generateBundle(_options, bundle) {
        collect(bundle)
        this.emitFile({ type: 'asset', fileName: 'licences.txt', source: licencesText([...folders]) })
      },
    },
  }
}

/** The installed package that a module belongs to; null for our own code and the bundler's. */
export function packageFolder(module: string): string | null {
  const found = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module.replace(/^.*\0/, '').replace(/[?#].*$/, ''))
  return found?.[1] ?? null
}

/** Throws with the name of a package that has no licence text. */
export function licencesText(folders: readonly string[]): string {
  const entries = new Map<string, string>()
  for (const folder of folders) {
    const { name, version, license } = Package.parse(
      JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')),
    )
    const own = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)([.-]|$)/i.test(file))
    const replacement = given[name]
    const found =
      own.length > 0
        ? own.sort().map((file) => path.join(folder, file))
        : replacement === undefined
          ? []
          : [replacement]
    if (found.length === 0) throw new Error(`${name} ${version} contains no licence text. Name a file with it.`)
    const texts = found.map((file) => readFileSync(file, 'utf8').trim())
    entries.set(
      `${name} ${version}`,
      `${name} ${version}\nLicence: ${license ?? 'as follows'}\n\n${texts.join('\n\n')}\n`,
    )
  }
  const sorted = [...entries].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text)
  return sorted.join(`\n${'-'.repeat(80)}\n\n`)
}
