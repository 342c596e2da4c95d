/** Looks at what would be published as its users would: publint, the types by every module resolution, and the size budgets. */
import { run } from './lib/process'
import { command, step } from './lib/step'

await command(async () => {
  await step('publint', () => run('npx', ['publint', '--strict', 'packages/client-sdk']))
  await step('Are the types wrong?', () =>
    run('npx', [
      'attw',
      '--pack',
      'packages/client-sdk',
      '--profile',
      'esm-only',
      '--exclude-entrypoints',
      'postern.js',
      '--no-color',
    ]),
  )
  await step('Size budgets', () => run('npm', ['run', '--silent', 'size', '-w', '@postern/client']))
})
