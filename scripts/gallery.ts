/**
 * Renders every view and state of the modal host to PNG files under `gallery/`.
 * Arguments are name prefixes. `corpus` renders the approval corpora instead.
 */
import { run } from './lib/process'
import { command } from './lib/step'
import { ensureSystem } from './lib/system'

await command(async () => {
  await ensureSystem()
  const isCorpus = process.argv[3] === 'corpus'
  const script = isCorpus ? 'gallery:corpus' : 'gallery'
  const names = process.argv.slice(isCorpus ? 4 : 3)
  await run('npm', ['run', '--silent', script, '-w', '@postern/modal-host', '--', ...names], { show: true })
})
