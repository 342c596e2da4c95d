/**
 * Slows a program and all its processes down, by the kernel's quota of processor time.
 *
 * 1. Each process has a control group of its own, which runs for 1/n of the time of one core: a phone with more and
 *    slower cores than this machine, where frames of different sites still run beside each other.
 * 2. The threads of a process share that core. On a phone they do not.
 * 3. A new process starts in the group of its parent. It gets a group of its own within {@link pollMs}.
 * 4. A process runs at full speed, then not at all, in periods of {@link periodUs}. On a kernel with a tick of 4 ms that is
 *    what its timer can resolve.
 *
 * The driver's own throttling slows the thread of one frame, not those of other processes.
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const periodUs = 16_000
const pollMs = 5

type Controller = { readonly folder: string; limit(group: string, slowdown: number): void }

/**
 * Version 1 has a folder per controller, and the groups are made in that of this process. Version 2 has one for all, and
 * allows groups beside processes at its root only. Undefined if this process may make no groups, and on other systems.
 */
function findController(): Controller | undefined {
  if (!existsSync('/proc/self/cgroup')) return
  const own = /^\d+:(?:\S+,)?cpu(?:,\S+)?:(.*)$/m.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1] ?? ''
  const first = path.join('/sys/fs/cgroup/cpu', own)
  if (existsSync(path.join(first, 'cgroup.procs')) && isWritable(first)) {
    return {
      folder: first,
      limit(group, slowdown) {
        writeFileSync(path.join(group, 'cpu.cfs_period_us'), String(periodUs))
        writeFileSync(path.join(group, 'cpu.cfs_quota_us'), String(Math.round(periodUs / slowdown)))
      },
    }
  }
  const second = '/sys/fs/cgroup'
  const control = path.join(second, 'cgroup.subtree_control')
  if (!existsSync(control) || !isWritable(second) || !readFileSync(control, 'utf8').split(/\s/).includes('cpu')) return
  return {
    folder: second,
    limit(group, slowdown) {
      writeFileSync(path.join(group, 'cpu.max'), `${Math.round(periodUs / slowdown)} ${periodUs}`)
    },
  }
}

export const canSlowProcesses = () => findController() !== undefined

export type SlowProcesses = {
  /** With all that it starts. */
  add(pid: number): void
  /** After all processes have ended. */
  stop(): Promise<void>
}

/** @throws without {@link canSlowProcesses}. */
export function slowProcesses(slowdown: number): SlowProcesses {
  const controller = findController()
  if (controller === undefined) throw new Error('This machine lets no control group limit the processor')
  const prefix = `postern-bench-${process.pid}-`
  const groups = new Set<string>()
  const groupOf = (pid: string) => path.join(controller.folder, `${prefix}${pid}`)
  const move = (pid: string) => {
    const group = groupOf(pid)
    mkdirSync(group)
    groups.add(group)
    controller.limit(group, slowdown)
    try {
      writeFileSync(path.join(group, 'cgroup.procs'), pid)
    } catch {
      // It has ended.
    }
  }
  const timer = setInterval(() => {
    for (const group of groups) {
      for (const pid of readFileSync(path.join(group, 'cgroup.procs'), 'utf8').split('\n')) {
        if (pid !== '' && !groups.has(groupOf(pid))) move(pid)
      }
    }
  }, pollMs)
  return {
    add: (pid) => move(String(pid)),
    async stop() {
      clearInterval(timer)
      const left = () => readdirSync(controller.folder).filter((name) => name.startsWith(prefix))
      for (let tries = 0; left().length > 0 && tries < 50; tries += 1) {
        for (const name of left()) removeIfEmpty(path.join(controller.folder, name))
        await delay(100)
      }
    },
  }
}

function removeIfEmpty(group: string): void {
  try {
    rmdirSync(group)
  } catch {
    // A process in it has not ended.
  }
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}
