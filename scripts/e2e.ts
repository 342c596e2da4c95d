/** Builds what is stale, then passes its arguments to Playwright. */
import { build } from './lib/build'
import { run } from './lib/process'
import { command } from './lib/step'
import { enginesOf, ensureSystem } from './lib/system'

/** Playwright takes every word after `--project` for a project's name; with `=` only one. */
function withNamedProjects(given: readonly string[]): string[] {
  return given.flatMap((word, index) => {
    if (word === '--project') return [`--project=${given[index + 1] ?? ''}`]
    return given[index - 1] === '--project' ? [] : [word]
  })
}

await command(async () => {
  const parameters = withNamedProjects(process.argv.slice(3))
  const engines = enginesOf(parameters.flatMap((word) => /^--project=(.+)/.exec(word)?.[1] ?? []))
  await ensureSystem(engines)
  await build()
  await run('npx', ['playwright', 'test', '--config', 'e2e/playwright.config.ts', ...parameters], {
    show: true,
    env: { POSTERN_ENGINES: engines.join(',') },
  })
})
