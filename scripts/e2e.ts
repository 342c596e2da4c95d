/** Builds what is stale, then passes its arguments to Playwright. */
import { build } from './lib/build'
import { run } from './lib/process'
import { command } from './lib/step'
import { ensureSystem } from './lib/system'

await command(async () => {
  await ensureSystem()
  await build()
  await run('npx', ['playwright', 'test', '--config', 'e2e/playwright.config.ts', ...process.argv.slice(3)], {
    show: true,
  })
})
