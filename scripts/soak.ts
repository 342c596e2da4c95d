/**
 * Repeats `npm test -- --all` beside a busy loop, to find tests that pass by chance.
 * `--times 5` is the number of runs. `--ahead 45d` moves the date ahead (needs Debian's faketime). `--at 23:59:00`
 * starts at that time of day. Prints one line per run, then every test that failed in one.
 */
import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'
import { run } from './lib/process'
import { command } from './lib/step'
import { ensureFaketime } from './lib/system'

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    times: { type: 'string', default: '5' },
    ahead: { type: 'string' },
    at: { type: 'string' },
    main: { type: 'boolean', default: false },
  },
})

/** The monotonic clock stays: timers and browsers wait by it. */
const shifted = { FAKETIME_DONT_FAKE_MONOTONIC: '1' }

function dateOf({ ahead, at }: typeof values): string | undefined {
  if (at !== undefined) return `@${new Date().toISOString().slice(0, 10)} ${at}`
  return ahead === undefined ? undefined : `+${ahead}`
}

await command(async () => {
  const date = dateOf(values)
  if (date !== undefined) await ensureFaketime()
  const test = ['node', 'scripts/run.mjs', 'test', ...(values.main ? [] : ['--all'])]
  const [program = 'node', ...parameters] = date === undefined ? test : ['faketime', '-f', date, ...test]
  const busy = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
  const failures: string[] = []
  try {
    for (let index = 1; index <= Number(values.times); index += 1) {
      const began = performance.now()
      const output = await outputOf(program, parameters, date === undefined ? {} : shifted)
      const found = output.split('\n').filter((line) => /^(?:unstable|broken): /.test(line))
      failures.push(...found.map((line) => `run ${index}: ${line}`))
      const count = /^\d+ passed, \d+ failed$/m.exec(output)?.[0]
      if (count === undefined) failures.push(`run ${index}: ${output}`)
      console.log(`run ${index}: ${((performance.now() - began) / 60_000).toFixed(1)} min, ${count ?? 'did not end'}`)
    }
  } finally {
    busy.kill('SIGKILL')
  }
  for (const line of failures) console.log(line)
  if (failures.length > 0) process.exitCode = 1
})

async function outputOf(program: string, parameters: readonly string[], env: Readonly<Record<string, string>>) {
  try {
    return await run(program, parameters, { env })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
