/** Builds the wallet pages first. */
import { build } from './lib/build'
import { command } from './lib/step'

await command(async () => {
  await build(['@postern/devnet'])
  await import('../packages/devnet/src/main')
})
