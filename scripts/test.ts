/**
 * Every check before a change lands: one line per step with its time, then the number of tests.
 * Default: the end-to-end tests tagged `@main`. `--all`: every end-to-end test in Chromium, and those tagged `@engines`
 * in Firefox and WebKit.
 */
import { randomInt } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { build } from './lib/build'
import { run, stopServices } from './lib/process'
import { command, step, together } from './lib/step'
import { engineProjects, enginesOf, ensureSystem } from './lib/system'
import { resultsOfPlaywright } from './results/playwright-report'
import { type Results, summarize } from './results/results'
import { unstableTests } from './results/unstable-tests'

const unitReport = '.postern/unit.json'
const e2eReport = '.postern/e2e.json'

/** The run stops after this many failures. */
const maxE2eFailures = 20

const all = process.argv.includes('--all')
const projects = all ? engineProjects : []
const seed = process.env.PROPERTY_SEED ?? String(randomInt(2 ** 31))

/** Runs tests that write a report. Failed tests are in the report; any other failure throws. */
async function reported(
  file: string,
  work: () => Promise<unknown>,
  parse: (report: unknown) => Results,
): Promise<Results> {
  rmSync(file, { force: true })
  const failure = await work().then(
    () => undefined,
    (error: unknown) => error,
  )
  if (failure !== undefined && !existsSync(file)) throw failure
  const results = parse(JSON.parse(readFileSync(file, 'utf8')))
  if (failure !== undefined && results.failures.length === 0) throw failure
  return results
}

function unitTests(): Promise<Results> {
  const reporters = ['--reporter=default', '--reporter=./scripts/results/vitest-reporter.ts']
  const options = {
    show: process.env.CI !== undefined,
    env: { PROPERTY_SEED: seed, UNIT_RESULTS: unitReport },
  }
  return reported(
    unitReport,
    () => run('npx', ['vitest', 'run', '--retry=1', ...reporters], options),
    (report) => report as Results,
  )
}

function endToEndTests(): Promise<Results> {
  const parameters = ['--config', 'e2e/playwright.config.ts', '--reporter=list,json', '--retries=1']
  const selected = all ? [] : ['--grep', '@main\\b']
  const env = {
    PLAYWRIGHT_JSON_OUTPUT_NAME: `${process.cwd()}/${e2eReport}`,
    POSTERN_ENGINES: projects.join(','),
    POSTERN_TIER: all ? 'all' : 'main',
  }
  return reported(
    e2eReport,
    () =>
      run('npx', ['playwright', 'test', ...parameters, `--max-failures=${maxE2eFailures}`, ...selected], {
        show: true,
        env,
      }),
    (report) => resultsOfPlaywright(report, 'e2e'),
  )
}

await command(async () => {
  const began = performance.now()
  try {
    await ensureSystem(enginesOf(projects))
    // First, because the demo's types come from the built SDK.
    await build()
    await together([
      () => step('Checking types', () => run('npm', ['run', '--silent', 'types'])),
      async () => {
        await step('Linting', () => run('npm', ['run', '--silent', 'lint']))
        await step('Checking for unused code', () => run('npm', ['run', '--silent', 'knip']))
        await step('Checking packages', () => run('npm', ['run', '--silent', 'package']))
      },
    ])
    const results = [
      await step('Running unit tests', unitTests),
      await step(`Running ${all ? 'all' : 'the main'} end-to-end tests`, endToEndTests),
    ]
    const today = new Date().toISOString().slice(0, 10)
    const { passed, failed, lines } = summarize(results, { seed, today, mayRepeat: unstableTests })
    console.log(`\nAll steps done in ${((performance.now() - began) / 60_000).toFixed(1)} min.`)
    for (const line of lines) console.log(line)
    console.log(`${passed} passed, ${failed} failed`)
    if (failed > 0) process.exitCode = 1
  } finally {
    await stopServices()
  }
})
