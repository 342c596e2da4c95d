/**
 * Fuzzes the links and the gateway; see fuzz/README.md.
 * `npm run fuzz -- --seconds 480 --seed 1 --messages 1000000 --target wallet-link`, all optional.
 */
import { readdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { run } from './lib/process'
import { command } from './lib/step'

const targets = readdirSync('fuzz/src').flatMap((file) => /^(.+)\.test\.ts$/.exec(file)?.[1] ?? [])

await command(async () => {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      seconds: { type: 'string', default: '60' },
      messages: { type: 'string' },
      seed: { type: 'string' },
      target: { type: 'string', multiple: true, default: targets },
      replay: { type: 'string' },
    },
  })
  const unknown = values.target.filter((name) => !targets.includes(name))
  if (unknown.length > 0) throw new Error(`No target ${unknown.join(', ')}. There are: ${targets.join(', ')}.`)
  const settings = {
    FUZZ_SECONDS: values.seconds,
    FUZZ_MESSAGES: values.messages,
    FUZZ_SEED: values.seed,
    FUZZ_REPLAY: values.replay,
  }
  const env = Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  const files = values.target.map((name) => `fuzz/src/${name}.test.ts`)
  // For the check of memory.
  const NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --expose-gc`
  await run('npx', ['vitest', 'run', '--disableConsoleIntercept', ...files], {
    show: true,
    env: { ...env, NODE_OPTIONS },
  })
})
