/**
 * Every check before a change lands, one line per step, then the number of tests. In Firefox and WebKit run the tests
 * tagged `@engines-smoke`.
 */
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { build } from './lib/build'
import { run, stopServices } from './lib/process'
import { command, step, together } from './lib/step'
import { ensureSystem } from './lib/system'

const unitReport = '.postern/unit.json'
const e2eReport = '.postern/e2e.json'

const UnitReport = z.object({ numPassedTests: z.int(), numFailedTests: z.int() })
const E2eReport = z.object({ stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int() }) })

function count(): { passed: number; failed: number } {
  const unit = UnitReport.parse(JSON.parse(readFileSync(unitReport, 'utf8')))
  const { stats } = E2eReport.parse(JSON.parse(readFileSync(e2eReport, 'utf8')))
  return {
    passed: unit.numPassedTests + stats.expected,
    failed: unit.numFailedTests + stats.unexpected + stats.flaky,
  }
}

const engines = ['firefox', 'webkit'] as const

await command(async () => {
  const began = performance.now()
  try {
    await ensureSystem(engines)
    // First: the demo's types come from the built SDK.
    await build()
    await together([
      () => step('Checking types', () => run('npm', ['run', '--silent', 'types'])),
      async () => {
        await step('Linting', () => run('npm', ['run', '--silent', 'lint']))
        await step('Checking for unused code', () => run('npm', ['run', '--silent', 'knip']))
        await step('Checking packages', () => run('npm', ['run', '--silent', 'package']))
      },
    ])
    await step('Running unit tests', () =>
      run('npx', ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${unitReport}`], {
        show: process.env.CI !== undefined,
      }),
    )
    await step('Running end-to-end tests', () =>
      run('npx', ['playwright', 'test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'], {
        show: true,
        env: {
          PLAYWRIGHT_JSON_OUTPUT_NAME: `${process.cwd()}/${e2eReport}`,
          POSTERN_ENGINES: engines.join(','),
          POSTERN_ENGINE_TESTS: 'smoke',
        },
      }),
    )
  } finally {
    await stopServices()
  }
  const { passed, failed } = count()
  console.log(`\nAll steps done in ${((performance.now() - began) / 60_000).toFixed(1)} min.`)
  console.log(`${passed} passed, ${failed} failed`)
  if (failed > 0) process.exitCode = 1
})
