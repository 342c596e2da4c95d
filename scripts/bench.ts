import { build } from './lib/build'
import { command } from './lib/step'
import { ensureSystem } from './lib/system'

await command(async () => {
  await ensureSystem()
  await build(['@postern/client', '@postern/modal-host', '@postern/gateway'])
  const { bench } = await import('../bench/src/main')
  await bench()
})
