import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Files that match git pathspecs, tracked or new, not ignored; paths from the repository's root. */
export function trackedFiles(patterns: readonly string[]): readonly string[] {
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return list.split('\n').filter((file) => file !== '' && existsSync(file))
}
