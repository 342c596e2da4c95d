/** Publint, types in every module resolution, and size budgets. */
import { checkFirstScripts } from '../bench/src/measure-sizes'
import { run } from './lib/process'
import { command, step } from './lib/step'

await command(async () => {
  for (const folder of ['packages/client-sdk', 'packages/siwx']) {
    await step(`publint of ${folder}`, () => run('npx', ['publint', '--strict', folder]))
    await step(`Are the types of ${folder} wrong?`, () =>
      run('npx', [
        'attw',
        '--pack',
        folder,
        '--profile',
        'esm-only',
        '--exclude-entrypoints',
        'postern.js',
        '--no-color',
      ]),
    )
  }
  await step('Size budgets', () => run('npm', ['run', '--silent', 'size', '-w', '@postern/client']))
  await step('First scripts of the modal and the wallet', async () => checkFirstScripts())
})
