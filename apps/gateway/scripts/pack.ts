/**
 * Runs around `npm pack` and `npm publish`: `add` puts pages, script tag files and licence into the package, `remove`
 * takes them out.
 */
import { cpSync, existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { packagedPages } from '../src/platform/settings/places'

const packageDir = path.resolve(import.meta.dirname, '..')
const repositoryDir = path.resolve(packageDir, '../..')
const licence = path.join(packageDir, 'LICENSE')
const pages = path.join(packageDir, 'pages')

/** No source map; of the SDK, only what a script tag loads. */
const packed = {
  modal: ['apps/modal-host/dist', (name: string) => !name.endsWith('.map')],
  wallet: ['apps/wallet/dist', (name: string) => !name.endsWith('.map')],
  console: ['apps/console/dist', (name: string) => !name.endsWith('.map')],
  sdk: [
    'packages/client-sdk/dist',
    (name: string) => /^(?:postern(?:-[a-z0-9]+)*\.js|integrity\.json)(?:\.br|\.gz)?$/.test(name),
  ],
} as const

rmSync(pages, { recursive: true, force: true })
rmSync(licence, { force: true })
if (process.argv[2] === 'add') {
  cpSync(path.join(repositoryDir, 'LICENSE'), licence)
  for (const site of ['modal', 'wallet', 'console', 'sdk'] as const) {
    const [built, isPacked] = packed[site]
    const source = path.join(repositoryDir, built)
    if (!existsSync(source)) throw new Error(`${built} is not built: run \`npm run build\` first`)
    cpSync(source, path.join(packageDir, packagedPages[site]), {
      recursive: true,
      filter: (file) => file === source || path.extname(file) === '' || isPacked(path.basename(file)),
    })
  }
}
