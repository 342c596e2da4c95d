import { parseArgs } from 'node:util'
import { build } from './lib/build'
import { command } from './lib/step'
import { ensureSystem } from './lib/system'

await command(async () => {
  await ensureSystem()
  await build(['@postern/client', '@postern/modal-host', '@postern/wallet', '@postern/gateway'])
  if (process.argv[3] === 'load') {
    const { measureLoad } = await import('../bench/src/measure-load')
    const { values } = parseArgs({ args: process.argv.slice(4), options: { replicas: { type: 'string' } } })
    await measureLoad(Number(values.replicas ?? 1))
    return
  }
  const { bench } = await import('../bench/src/main')
  await bench()
})
