/** Builds a piece anew when one of its sources changes. */
import { existsSync, watch } from 'node:fs'
import path from 'node:path'
import { build, pieces } from './build'

/** An editor that saves writes a file several times, ms. */
const settleMs = 150
/** Not `dist`, which a build writes, and not `node_modules`. */
const sourceFolders = ['src', 'public', 'scripts', 'contracts']

/**
 * 1. A change in a piece's sources, or in those it needs, builds what is stale of it; changes meanwhile build once more afterwards.
 * 2. A build that fails says why and waits for the next change.
 *
 * @returns what ends the watching.
 */
export function buildOnChange(names: readonly string[]): () => void {
  let timer: NodeJS.Timeout | undefined
  let running = false
  let again = false

  async function run(): Promise<void> {
    if (running) {
      again = true
      return
    }
    running = true
    do {
      again = false
      await build(names).catch((cause: unknown) => console.error(cause instanceof Error ? cause.message : cause))
    } while (again)
    running = false
  }
  const changed = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void run(), settleMs)
  }

  const chosen = pieces.filter(({ name }) => names.includes(name))
  const folders = new Set(chosen.flatMap(({ folder, needs }) => [folder, ...needs]))
  const watchers = [...folders].flatMap((folder) => [
    // The files beside the sources: the page, the configuration, the package's own.
    watch(folder, (_, file) => {
      if (file !== 'dist' && file !== 'node_modules') changed()
    }),
    ...sourceFolders
      .map((name) => path.join(folder, name))
      .filter((name) => existsSync(name))
      .map((name) => watch(name, { recursive: true }, changed)),
  ])
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
