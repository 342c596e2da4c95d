import { existsSync, watch } from 'node:fs'
import path from 'node:path'
import { build, pieces } from './build'

/** Debounce in ms: editors write a file several times. */
const debounceMs = 150
/** Excludes `dist`, which a build writes, and `node_modules`. */
const sourceFolders = ['src', 'public', 'scripts', 'contracts']

/**
 * Rebuilds pieces on changes. Returns a stop function.
 *
 * 1. A change in the sources of a piece, or of those it needs, rebuilds what is stale. Changes during a build cause one
 *    more build.
 * 2. A failed build prints why and waits for the next change.
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
    timer = setTimeout(() => void run(), debounceMs)
  }

  const chosen = pieces.filter(({ name }) => names.includes(name))
  const folders = new Set(chosen.flatMap(({ folder, needs }) => [folder, ...needs]))
  const watchers = [...folders].flatMap((folder) => [
    // Files in the folder itself: the page, the configuration, package.json.
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
