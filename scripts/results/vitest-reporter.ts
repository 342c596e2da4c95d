/** Writes which unit tests failed, as `Results`, to the file that `UNIT_RESULTS` names. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import type { Failure, Results } from './results'

export default class ResultsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { readonly message: string }[]): void {
    const outside = unhandled.map(({ message }) => ({
      ...{ verdict: 'broken' as const, file: 'vite.config.ts', project: 'run' },
      title: `an error outside of a test: ${message.split('\n')[0]}`,
    }))
    const found = modules.map(resultsOf)
    const results: Results = {
      passed: found.reduce((sum, { passed }) => sum + passed, 0),
      failures: [...found.flatMap(({ failures }) => failures), ...outside],
    }
    const file = process.env.UNIT_RESULTS
    if (file === undefined) throw new Error('Set UNIT_RESULTS to the file that the results go to.')
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(results))
  }
}

function resultsOf(module: TestModule): Results {
  const about = { file: module.relativeModuleId, project: module.project.name }
  const failures: Failure[] = []
  let passed = 0
  for (const test of module.children.allTests()) {
    const { state } = test.result()
    const isFlaky = test.diagnostic()?.flaky === true
    if (state === 'passed' && !isFlaky) passed += 1
    else if (state !== 'skipped')
      failures.push({
        ...about,
        verdict: isFlaky ? 'unstable' : 'broken',
        title: test.fullName.replaceAll(' > ', ' › '),
      })
  }
  // The file did not load, or a hook of all its tests failed.
  const hooks = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())]
  for (const { message } of hooks) failures.push({ ...about, verdict: 'broken', title: message.split('\n')[0] ?? '' })
  return { passed, failures }
}
