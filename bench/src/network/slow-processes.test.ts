import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { canSlowProcesses, slowProcesses } from './slow-processes'

/** Starts another of itself. Each waits for its group, works for a second and prints group and share of the processor. */
const program = `
const { spawn } = require('node:child_process')
const { readFileSync } = require('node:fs')
if (process.argv[1] !== 'child') {
  spawn(process.execPath, ['-e', process.env.PROGRAM, 'child'], { stdio: ['ignore', 'inherit', 'inherit'] })
}
const measure = () => {
  const group = readFileSync('/proc/self/cgroup', 'utf8')
  if (!group.includes('-' + process.pid + '\\n')) return void setImmediate(measure)
  const now = () => performance.now() // real time: the quota is a share of it
  const began = now()
  const before = process.cpuUsage()
  while (now() - began < 1000);
  const { user, system } = process.cpuUsage(before)
  console.log(JSON.stringify({ share: (user + system) / 1000 / (now() - began), group }))
}
measure()`

// Only root may make control groups, and not in every container.
describe.runIf(canSlowProcesses())('slowProcesses', () => {
  test('gives a process, and another that it starts, a quarter of a core each', async () => {
    const slow = slowProcesses(4)
    const child = spawn(process.execPath, ['-e', program], {
      env: { ...process.env, PROGRAM: program },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    slow.add(child.pid ?? 0)
    let output = ''
    child.stdout.on('data', (text) => {
      output += text
    })
    await once(child, 'close')
    await slow.stop()
    const reports: { share: number; group: string }[] = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(reports).toHaveLength(2)
    // A period at the beginning or the end can be more than its share of a second.
    for (const { share } of reports) expect(share).toBeLessThan(0.3)
    expect(new Set(reports.map(({ group }) => group)).size).toBe(2)
    expect(readFileSync('/proc/self/cgroup', 'utf8')).not.toContain('postern-bench')
  })
})
