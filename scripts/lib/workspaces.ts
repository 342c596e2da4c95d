import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod'

const Names = z.record(z.string(), z.string()).default({})
const Manifest = z.object({
  name: z.string(),
  scripts: Names,
  dependencies: Names,
  devDependencies: Names,
  peerDependencies: Names,
})

export type Workspace = {
  readonly name: string
  readonly folder: string
  /** Names of the workspaces that its code imports. */
  readonly imports: readonly string[]
  readonly isBuilt: boolean
}

/** Only tests import it, and types of the demo. */
const forTests = '@postern/devnet'

/** The graph of the workspaces, as their `package.json` say. */
export function readWorkspaces(): readonly Workspace[] {
  const { workspaces: patterns } = z
    .object({ workspaces: z.array(z.string()) })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')))
  const manifests = patterns.flatMap(foldersOf).map((folder) => ({
    folder,
    ...Manifest.parse(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))),
  }))
  const names = new Set(manifests.map(({ name }) => name))
  return manifests.map(({ folder, name, scripts, dependencies, devDependencies, peerDependencies }) => ({
    folder,
    name,
    imports: Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }).filter(
      (imported) => names.has(imported) && imported !== forTests,
    ),
    isBuilt: scripts.build !== undefined,
  }))
}

function foldersOf(pattern: string): readonly string[] {
  if (!pattern.endsWith('/*')) return [pattern]
  const parent = pattern.slice(0, -2)
  return readdirSync(parent)
    .map((name) => path.join(parent, name))
    .filter((folder) => existsSync(path.join(folder, 'package.json')))
}
