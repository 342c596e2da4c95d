import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** In the npm package, to which `scripts/pack.ts` copies them. */
export const packagedPages = {
  modal: 'pages/modal',
  wallet: 'pages/wallet',
  sdk: 'pages/sdk',
  console: 'pages/console',
} as const

const builtPages = {
  modal: 'apps/modal-host/dist',
  wallet: 'apps/wallet/dist',
  sdk: 'packages/client-sdk/dist',
  console: 'apps/console/dist',
} as const

export type Places = {
  readonly packageDir: string
  readonly command: string
  readonly pages: Readonly<Record<keyof typeof packagedPages, string>>
  /** For the embedded database and the development secrets. */
  readonly dataDir: string
}

/** @param packageDir the npm package has no `src`. */
export function findPlaces(packageDir: string, cwd: string): Places {
  const packaged = !existsSync(path.join(packageDir, 'src'))
  const root = packaged ? packageDir : path.resolve(packageDir, '../..')
  const names = packaged ? packagedPages : builtPages
  return {
    packageDir,
    command: packaged ? 'npx gateway' : 'npm run gateway --',
    pages: {
      modal: path.join(root, names.modal),
      wallet: path.join(root, names.wallet),
      sdk: path.join(root, names.sdk),
      console: path.join(root, names.console),
    },
    dataDir: path.join(packaged ? cwd : root, '.postern'),
  }
}

function findPackage(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) ? folder : findPackage(path.dirname(folder))
}

export const places = findPlaces(findPackage(path.dirname(fileURLToPath(import.meta.url))), process.cwd())
