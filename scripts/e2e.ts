/**
 * Builds what is stale, then passes its arguments to Playwright.
 * Default: Chromium, or the `--project`. `--all`: Chromium, Firefox and WebKit.
 */
import { build } from './lib/build'
import { run } from './lib/process'
import { command } from './lib/step'
import { engineProjects, enginesOf, ensureSystem } from './lib/system'

/** Playwright takes every word after `--project` for a project's name; with `=` only one. */
function withNamedProjects(given: readonly string[]): string[] {
  return given.flatMap((word, index) => {
    if (word === '--project') return [`--project=${given[index + 1] ?? ''}`]
    return given[index - 1] === '--project' ? [] : [word]
  })
}

await command(async () => {
  const given = process.argv.slice(3)
  const parameters = withNamedProjects(given.filter((word) => word !== '--all'))
  const named = parameters.flatMap((word) => /^--project=(.+)/.exec(word)?.[1] ?? [])
  const projects = given.includes('--all')
    ? engineProjects
    : engineProjects.filter((project) => named.includes(project))
  await ensureSystem(enginesOf(projects))
  await build()
  await run('npx', ['playwright', 'test', '--config', 'e2e/playwright.config.ts', ...parameters], {
    show: true,
    env: { POSTERN_ENGINES: projects.join(',') },
  })
})
