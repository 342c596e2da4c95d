/** Publint, the tarball's files, types in every module resolution, and size budgets. */
import { checkFirstScripts } from '../bench/src/measure-sizes'
import { run } from './lib/process'
import { command, step } from './lib/step'
import { checkTarball } from './lib/tarball'

await command(async () => {
  for (const folder of ['packages/client-sdk', 'packages/siwx', 'packages/wagmi', 'packages/testing']) {
    await step(`publint of ${folder}`, () => run('npx', ['publint', '--strict', folder]))
    await step(`Tarball of ${folder}`, async () => checkTarball(folder))
    await step(`Are the types of ${folder} wrong?`, () =>
      run('npx', [
        'attw',
        '--pack',
        folder,
        '--profile',
        'esm-only',
        '--exclude-entrypoints',
        'integrity.json',
        '--no-color',
      ]),
    )
  }
  await step('Types with the oldest TypeScript', () =>
    run('node', ['packages/older-versions/node_modules/typescript/bin/tsc', '-p', 'packages/older-versions']),
  )
  await step('publint of packages/create-postern', () => run('npx', ['publint', '--strict', 'packages/create-postern']))
  await step('publint of apps/gateway', () => run('npx', ['publint', '--strict', 'apps/gateway']))
  await step('The SDK in a page that extends Object.prototype', () =>
    run('node', ['packages/client-sdk/scripts/extended-prototype.mjs']),
  )
  await step('Size budgets', () => run('npm', ['run', '--silent', 'size', '-w', '@postern/client']))
  await step('First scripts of the modal and the wallet', async () => checkFirstScripts())
})
