/** A quick check while working: types, lint, unit tests of changed files, and tests tagged @smoke. */
import { spawnSync } from 'node:child_process'
import { build } from './lib/build'
import { run, stopServices } from './lib/process'
import { command, step, together } from './lib/step'
import { ensureSystem } from './lib/system'
import { typescript } from './lib/typescript'

/** The commit where the branch left the remote's or the local `main`. */
function changedSince(): string {
  for (const base of ['origin/main', 'main']) {
    const { status, stdout } = spawnSync('git', ['merge-base', 'HEAD', base], { encoding: 'utf8' })
    if (status === 0) return stdout.trim()
  }
  return 'HEAD'
}

await command(async () => {
  const began = performance.now()
  try {
    await ensureSystem()
    await build()
    await together([
      // The whole program once; `npm test` also checks each workspace with its own platform's types.
      () => step('Checking types', () => run(process.execPath, [typescript, '-p', 'tsconfig.json'])),
      () => step('Linting', () => run('npm', ['run', '--silent', 'lint'])),
    ])
    await step('Running the unit tests of changed files', () =>
      run('npx', ['vitest', 'run', '--changed', changedSince(), '--passWithNoTests'], { env: { FUZZ_SECONDS: '3' } }),
    )
    await step('Running the smoke tests', () =>
      run(
        'npx',
        [
          'playwright',
          'test',
          '--config',
          'e2e/playwright.config.ts',
          '--grep',
          '@smoke',
          '--project',
          'storage-allowed',
        ],
        { show: true },
      ),
    )
  } finally {
    await stopServices()
  }
  console.log(`\nChecked in ${((performance.now() - began) / 60_000).toFixed(1)} min.`)
})
