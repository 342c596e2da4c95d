import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { run } from './process'
import { step, together } from './step'

type Piece = { readonly name: string; readonly folder: string; readonly needs: readonly string[] }

/** Each piece follows those that it needs. `needs`: other folders that make a piece stale. */
export const pieces: readonly Piece[] = [
  { name: '@postern/client', folder: 'packages/client-sdk', needs: ['packages/base', 'packages/protocol'] },
  { name: '@postern/wagmi', folder: 'packages/wagmi', needs: ['packages/client-sdk'] },
  {
    name: '@postern/testing',
    folder: 'packages/testing',
    needs: ['packages/client-sdk', 'packages/base', 'packages/protocol', 'packages/link', 'packages/evm-wallet'],
  },
  { name: '@postern/siwx', folder: 'packages/siwx', needs: ['packages/base', 'packages/protocol'] },
  {
    name: '@postern/modal-host',
    folder: 'apps/modal-host',
    needs: [
      'packages/base',
      'packages/protocol',
      'packages/link',
      'packages/chains',
      'packages/ui',
      'packages/siwx',
      'scripts/vite',
    ],
  },
  {
    name: '@postern/wallet',
    folder: 'apps/wallet',
    needs: ['packages/base', 'packages/protocol', 'packages/link', 'packages/chains', 'packages/ui', 'scripts/vite'],
  },
  {
    name: '@postern/console',
    folder: 'apps/console',
    needs: ['packages/base', 'packages/protocol', 'packages/ui', 'scripts/vite'],
  },
  {
    name: '@postern/gateway',
    folder: 'apps/gateway',
    needs: ['packages/base', 'packages/protocol', 'packages/siwx', 'packages/chains', 'scripts/vite'],
  },
  { name: 'create-postern', folder: 'packages/create-postern', needs: ['examples'] },
  {
    name: '@postern/devnet',
    folder: 'packages/devnet',
    needs: ['packages/base', 'packages/protocol', 'packages/evm-wallet'],
  },
  {
    name: '@postern/demo',
    folder: 'apps/demo',
    needs: [
      'packages/base',
      'packages/protocol',
      'packages/client-sdk',
      'packages/siwx',
      'packages/devnet',
      'packages/evm-wallet',
    ],
  },
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
  for (const folder of [piece.folder, ...piece.needs]) {
    for (const file of files(folder)) hash.update(file).update(readFileSync(file))
  }
  // The one variable that changes a build; see apps/modal-host/vite.config.ts.
  hash.update(process.env.POSTERN_WALLETCONNECT ?? '')
  return hash.update(readFileSync('package-lock.json')).digest('hex')
}

function withNeeds(names: readonly string[]): ReadonlySet<string> {
  const wanted = new Set(names)
  for (const { name, needs } of [...pieces].reverse()) {
    if (!wanted.has(name)) continue
    for (const piece of pieces) if (needs.includes(piece.folder)) wanted.add(piece.name)
  }
  return wanted
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
