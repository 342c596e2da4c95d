/** A copy of the source of some workspaces, to check the types of a change that is not made. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { typescript } from '../lib/typescript'

/** The new content of a file, from its present one; '' for a new file. */
export type Change = Readonly<Record<string, (source: string) => string>>

export type SourceCopy = {
  /** TypeScript's errors after the change, one per line. The next call starts from the unchanged source. */
  errorsAfter(change: Change): readonly string[]
  remove(): void
}

/** `workspaces` maps the packages' names to their folders. */
export function copySource(to: string, workspaces: Readonly<Record<string, string>>): SourceCopy {
  const root = path.resolve(to)
  mkdirSync(path.join(root, 'node_modules/@postern'), { recursive: true })
  cpSync('tsconfig.base.json', path.join(root, 'tsconfig.base.json'))
  for (const [name, folder] of Object.entries(workspaces)) {
    cpSync(folder, path.join(root, folder), { recursive: true, filter: (file) => !/\/(node_modules|dist)$/.test(file) })
    symlinkSync(path.join(root, folder), path.join(root, 'node_modules/@postern', name))
    const packages = path.resolve(folder, 'node_modules')
    if (existsSync(packages)) symlinkSync(packages, path.join(root, folder, 'node_modules'))
  }
  const config = {
    extends: './tsconfig.base.json',
    compilerOptions: {
      lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
      types: ['node', 'vite/client'],
      // A second check then takes about a second.
      incremental: true,
      tsBuildInfoFile: 'checked.tsbuildinfo',
    },
    include: Object.values(workspaces).map((folder) => `${folder}/src`),
    exclude: ['**/*.test.ts', '**/*.test.tsx', '**/testing'],
  }
  writeFileSync(path.join(root, 'tsconfig.json'), JSON.stringify(config))

  return {
    errorsAfter(change) {
      const files = Object.entries(change).map(([name, edit]) => {
        const file = path.join(root, name)
        const before = existsSync(file) ? readFileSync(file, 'utf8') : null
        mkdirSync(path.dirname(file), { recursive: true })
        writeFileSync(file, edit(before ?? ''))
        return { file, before }
      })
      // Other tests run beside it: with more threads, TypeScript takes half as much work again.
      const { stdout } = spawnSync(process.execPath, [typescript, '-p', root, '--singleThreaded'], { encoding: 'utf8' })
      for (const { file, before } of files) before === null ? rmSync(file) : writeFileSync(file, before)
      return stdout.split('\n').filter((line) => line.includes('error TS'))
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}
