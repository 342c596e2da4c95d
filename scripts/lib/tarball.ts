import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'

const Packed = z.array(z.object({ files: z.array(z.object({ path: z.string() })) }))

/** The files that npm would publish, sorted; the hash in a chunk's name is `[hash]`. */
function filesOfTarball(folder: string): string[] {
  const answer = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [packed] = Packed.parse(JSON.parse(answer))
  if (packed === undefined) throw new Error(`npm packed nothing in ${folder}`)
  return packed.files.map(({ path: file }) => file.replace(/-[\w-]{8}(?=\.js(\.map)?$)/, '-[hash]')).sort()
}

/** Compares the tarball with the package's `tarball.txt`. */
export function checkTarball(folder: string): void {
  const expected = readFileSync(path.join(folder, 'tarball.txt'), 'utf8').trim().split('\n')
  const found = filesOfTarball(folder)
  const added = found.filter((file) => !expected.includes(file))
  const missing = expected.filter((file) => !found.includes(file))
  if (added.length + missing.length === 0) return
  throw new Error(
    `The tarball of ${folder} is not what its tarball.txt lists.\nNot listed: ${added.join(', ')}\nMissing: ${missing.join(', ')}`,
  )
}
