import { parseArgs } from 'node:util'
import { build } from './lib/build'
import { command } from './lib/step'
import { ensureSystem } from './lib/system'

await command(async () => {
  await ensureSystem()
  await build(['@postern/client', '@postern/modal-host', '@postern/wallet', '@postern/gateway'])
  if (process.argv[3] === 'load') {
    const { values } = parseArgs({
      args: process.argv.slice(4),
      options: {
        replicas: { type: 'string', default: '1' },
        arrivals: { type: 'boolean', default: false },
        visitors: { type: 'string', default: '1000' },
        minutes: { type: 'string', default: '10' },
      },
    })
    if (values.arrivals) {
      const { measureArrivals } = await import('../bench/src/measure-arrivals')
      return measureArrivals(Number(values.visitors), Number(values.minutes))
    }
    const { measureLoad } = await import('../bench/src/measure-load')
    return measureLoad(Number(values.replicas))
  }
  if (process.argv[3] === 'network') {
    const { values } = parseArgs({
      args: process.argv.slice(4),
      options: { profile: { type: 'string', multiple: true }, samples: { type: 'string', default: '5' } },
    })
    const { benchNetwork } = await import('../bench/src/main')
    return benchNetwork(values.profile, Number(values.samples))
  }
  const { bench } = await import('../bench/src/main')
  await bench()
})
