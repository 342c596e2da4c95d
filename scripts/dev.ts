/** The development stack with watching: rebuilds changed pieces and restarts the gateway. */
import { build, pieces } from './lib/build'
import { origins, ports, startStack } from './lib/development'
import { claimPorts } from './lib/ports'
import { stopServices } from './lib/process'
import { command } from './lib/step'
import { buildOnChange } from './lib/watch'

const asked = new Promise<null>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(null))
})

await command(async () => {
  await claimPorts(ports)
  let stopWatching = () => {}
  try {
    await build()
    const services = await Promise.race([startStack({ watch: true }), asked])
    if (services === null) return
    // The gateway runs from source.
    stopWatching = buildOnChange(pieces.map(({ name }) => name).filter((name) => name !== '@postern/gateway'))
    console.log(`\n  Watching. Demo: ${origins.demo}/  Ctrl-C stops everything.\n`)
    const ended = services.map((service) => service.ended.then(() => service))
    const first = await Promise.race([asked, ...ended])
    if (first !== null) throw new Error(`The ${first.name} ended. ${first.lastLines()}`)
  } finally {
    stopWatching()
    await stopServices()
  }
})
