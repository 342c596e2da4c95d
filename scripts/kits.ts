/** Packs the packages, installs them in folders outside the repository, and uses them in a browser. */
import { mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { build } from './lib/build'
import { run } from './lib/process'
import { command, step } from './lib/step'
import { ensureSystem } from './lib/system'

const packed = path.resolve('.postern/kits/packed')

/** Dependencies too, so that no test needs a registry. Only our packages run scripts when packed. */
const packages = [
  { folder: 'apps/gateway', scripts: true },
  { folder: 'packages/client-sdk', scripts: true },
  { folder: 'packages/wagmi', scripts: true },
  { folder: 'packages/siwx', scripts: true },
  { folder: 'packages/create-postern', scripts: true },
  { folder: 'node_modules/@electric-sql/pglite', scripts: false },
]

await command(async () => {
  await ensureSystem()
  await build([
    '@postern/client',
    '@postern/siwx',
    '@postern/wagmi',
    '@postern/modal-host',
    '@postern/wallet',
    '@postern/gateway',
    '@postern/devnet',
    'create-postern',
  ])
  await step('Packing', async () => {
    rmSync(packed, { recursive: true, force: true })
    mkdirSync(packed, { recursive: true })
    for (const { folder, scripts } of packages)
      await run('npm', ['pack', `--ignore-scripts=${!scripts}`, `./${folder}`, '--pack-destination', packed])
  })
  await run('npx', ['playwright', 'test', '--config', 'e2e/kits/playwright.config.ts', ...process.argv.slice(3)], {
    show: true,
  })
})
