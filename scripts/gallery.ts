/** Renders every view and state of the modal host to PNG files under `gallery/`; arguments are name prefixes. */
import { run } from './lib/process'
import { command } from './lib/step'
import { ensureSystem } from './lib/system'

await command(async () => {
  await ensureSystem()
  await run('npm', ['run', '--silent', 'gallery', '-w', '@postern/modal-host', '--', ...process.argv.slice(3)], {
    show: true,
  })
})
