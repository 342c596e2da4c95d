import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { canSlowProcesses, slowProcesses } from './slow-processes'

/** Starts another of itself, then works for a second; both print their id, group and share of the processor. */
const program = `
const { spawn } = require('node:child_process')
if (process.argv[1] !== 'child') {
  spawn(process.execPath, ['-e', process.env.PROGRAM, 'child'], { stdio: ['ignore', 'inherit', 'inherit'] })
}
setTimeout(() => {
  const began = performance.now()
  const before = process.cpuUsage()
  while (performance.now() - began < 1000);
  const { user, system } = process.cpuUsage(before)
  const share = (user + system) / 1000 / (performance.now() - began)
  const group = require('node:fs').readFileSync('/proc/self/cgroup', 'utf8')
  console.log(JSON.stringify({ share, group }))
}, 500)`

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
