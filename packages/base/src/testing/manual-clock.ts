import type { Clock } from '../clock'

export type ManualClock = Clock & {
  /** Runs due timers in order. */
  advance(milliseconds: number): void
  pending(): number
}

/** Moves only on command. Timers of 0 ms run in a microtask. */
export function manualClock(start = 1_000_000): ManualClock {
  let time = start
  let timers: { at: number; task: () => void }[] = []

  function run(timer: { at: number; task: () => void }): void {
    if (!timers.includes(timer)) return
    timers = timers.filter((other) => other !== timer)
    timer.task()
  }

  return {
    now: () => time,
    after(milliseconds, task) {
      const timer = { at: time + milliseconds, task }
      timers.push(timer)
      if (milliseconds === 0) queueMicrotask(() => run(timer))
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    advance(milliseconds) {
      const end = time + milliseconds
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).sort((left, right) => left.at - right.at)
        if (next === undefined) break
        time = Math.max(time, next.at)
        run(next)
      }
      time = end
    },
    pending: () => timers.length,
  }
}
