/** The development stack, watching: a change in a source rebuilds its piece, and the gateway starts anew when it is its own. */
import { build, pieces } from './lib/build'
import { origins, ports, startStack } from './lib/development'
import { claimPorts } from './lib/ports'
import { startService, stopServices } from './lib/process'
import { command } from './lib/step'

const asked = new Promise<null>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(null))
})

await command(async () => {
  await claimPorts(ports)
  try {
    await build()
    const services = await Promise.race([startStack({ watch: true }), asked])
    if (services === null) return
    const watchers = pieces
      .filter(({ name }) => name !== '@postern/gateway')
      .map(({ name }) => startService(`watcher of ${name}`, 'npm', ['run', 'watch', '-w', name], { show: true }))
    console.log(`\n  Watching. Demo: ${origins.demo}/  Ctrl-C stops everything.\n`)
    const ended = [...services, ...watchers].map((service) => service.ended.then(() => service))
    const first = await Promise.race([asked, ...ended])
    if (first !== null) throw new Error(`The ${first.name} ended. ${first.lastLines()}`)
  } finally {
    await stopServices()
  }
})
