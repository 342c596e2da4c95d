import { build } from './lib/build'
import { command } from './lib/step'

await command(build)
