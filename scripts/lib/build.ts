import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { run } from './process'
import { step } from './step'

type Piece = { readonly name: string; readonly folder: string; readonly needs: readonly string[] }

/** In build order. `needs`: other folders that make a piece stale. */
export const pieces: readonly Piece[] = [
  { name: '@postern/client', folder: 'packages/client-sdk', needs: ['packages/protocol'] },
  { name: '@postern/wagmi', folder: 'packages/wagmi', needs: ['packages/client-sdk'] },
  {
    name: '@postern/testing',
    folder: 'packages/testing',
    needs: ['packages/client-sdk', 'packages/protocol', 'packages/link', 'packages/evm-wallet'],
  },
  { name: '@postern/siwx', folder: 'packages/siwx', needs: [] },
  {
    name: '@postern/modal-host',
    folder: 'apps/modal-host',
    needs: ['packages/protocol', 'packages/link', 'packages/chains', 'packages/ui', 'packages/siwx', 'scripts/vite'],
  },
  {
    name: '@postern/wallet',
    folder: 'apps/wallet',
    needs: ['packages/protocol', 'packages/link', 'packages/chains', 'packages/ui', 'scripts/vite'],
  },
  {
    name: '@postern/console',
    folder: 'apps/console',
    needs: ['packages/protocol', 'packages/ui', 'scripts/vite'],
  },
  {
    name: '@postern/gateway',
    folder: 'apps/gateway',
    needs: ['packages/protocol', 'packages/siwx', 'packages/chains', 'scripts/vite'],
  },
  { name: 'create-postern', folder: 'packages/create-postern', needs: ['examples'] },
  { name: '@postern/devnet', folder: 'packages/devnet', needs: ['packages/protocol', 'packages/evm-wallet'] },
  {
    name: '@postern/demo',
    folder: 'apps/demo',
    needs: ['packages/protocol', 'packages/client-sdk', 'packages/siwx', 'packages/devnet', 'packages/evm-wallet'],
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

/** With the pieces that they need. */
function withNeeds(names: readonly string[]): ReadonlySet<string> {
  const wanted = new Set(names)
  for (const { name, needs } of [...pieces].reverse()) {
    if (!wanted.has(name)) continue
    for (const piece of pieces) if (needs.includes(piece.folder)) wanted.add(piece.name)
  }
  return wanted
}

/** Default: all pieces. */
export async function build(names: readonly string[] = pieces.map(({ name }) => name)): Promise<void> {
  mkdirSync('.postern/built', { recursive: true })
  const wantedNames = withNeeds(names)
  for (const piece of pieces) {
    if (!wantedNames.has(piece.name)) continue
    const stamp = path.join('.postern/built', path.basename(piece.folder))
    const wanted = fingerprint(piece)
    if (existsSync(path.join(piece.folder, 'dist')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted)
      continue
    await step(`Building ${piece.name}`, () => run('npm', ['run', '--silent', 'build', '-w', piece.name]))
    writeFileSync(stamp, wanted)
  }
}
