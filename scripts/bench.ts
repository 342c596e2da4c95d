import { build } from './lib/build'
import { command } from './lib/step'

await command(build)
await import('../bench/src/main')
