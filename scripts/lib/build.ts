import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { run } from './process'
import { step, together } from './step'
import { readWorkspaces, type Workspace } from './workspaces'

type Piece = {
  readonly name: string
  readonly folder: string
  /** Folders of the workspaces that it imports, also through others. */
  readonly needs: readonly string[]
}

/** The workspaces with a build, each after those that it needs. The documentation has a command of its own. */
export const pieces: readonly Piece[] = piecesOf(readWorkspaces())

function piecesOf(workspaces: readonly Workspace[]): Piece[] {
  const needsOf = ({ imports }: Workspace): ReadonlySet<string> => {
    const direct = workspaces.filter(({ name }) => imports.includes(name))
    return new Set(direct.flatMap((workspace) => [workspace.folder, ...needsOf(workspace)]))
  }
  return workspaces
    .filter(({ folder, isBuilt }) => isBuilt && folder !== 'apps/docs')
    .map((workspace) => ({ name: workspace.name, folder: workspace.folder, needs: [...needsOf(workspace)] }))
    .sort((one, other) => one.needs.length - other.needs.length)
}

/** What changes a build beside workspaces. */
const otherInputs = ({ folder }: Piece) => [
  'scripts/vite',
  ...(folder === 'packages/create-postern' ? ['examples'] : []),
]

const skipped = new Set(['node_modules', 'dist', 'coverage', 'drizzle', 'icons'])

function* files(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (skipped.has(entry.name) || entry.name.endsWith('.test.ts') || entry.name.endsWith('.test.tsx')) continue
    const name = path.join(folder, entry.name)
    if (entry.isDirectory()) yield* files(name)
    else if (entry.isFile()) yield name
  }
}

function fingerprint(piece: Piece): string {
  const hash = createHash('sha256')
  for (const folder of [piece.folder, ...piece.needs, ...otherInputs(piece)]) {
    for (const file of files(folder)) hash.update(file).update(readFileSync(file))
  }
  // The one variable that changes a build; see apps/modal-host/vite.config.ts.
  hash.update(process.env.POSTERN_WALLETCONNECT ?? '')
  return hash.update(readFileSync('package-lock.json')).digest('hex')
}

function withNeeds(names: readonly string[]): ReadonlySet<string> {
  const folders = pieces.filter(({ name }) => names.includes(name)).flatMap(({ folder, needs }) => [folder, ...needs])
  return new Set(pieces.filter(({ folder }) => folders.includes(folder)).map(({ name }) => name))
}

/** Builds pieces (default: all), each after those that it needs. */
export async function build(names: readonly string[] = pieces.map(({ name }) => name)): Promise<void> {
  mkdirSync('.postern/built', { recursive: true })
  const wanted = withNeeds(names)
  const inTurn = twoAtOnce()
  const built = new Map<string, Promise<void>>()
  for (const piece of pieces.filter(({ name }) => wanted.has(name))) {
    const needed = piece.needs.map((folder) => built.get(folder))
    built.set(
      piece.folder,
      Promise.all(needed).then(() => inTurn(() => buildPiece(piece))),
    )
  }
  await together([...built.values()].map((piece) => () => piece))
}

/** Limits the work to two at once: most of a build is the work of one thread. */
function twoAtOnce(): (work: () => Promise<void>) => Promise<void> {
  let free = 2
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
    else free -= 1
    try {
      await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}

async function buildPiece(piece: Piece): Promise<void> {
  const stamp = path.join('.postern/built', path.basename(piece.folder))
  const wanted = fingerprint(piece)
  if (existsSync(path.join(piece.folder, 'dist')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  await step(`Building ${piece.name}`, () => run('npm', ['run', '--silent', 'build', '-w', piece.name]))
  writeFileSync(stamp, wanted)
}
