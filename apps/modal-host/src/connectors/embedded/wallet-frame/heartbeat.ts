import type { Clock } from '@postern/base/clock'

export const heartbeatMs = 5_000
/** Missed pings are counted, not measured in time: time also passes while the machine sleeps. */
export const maxMissedHeartbeats = 3

export type Heartbeat = {
  /** Does nothing if it already pings. */
  start(): void
  heard(): void
  stop(): void
}

export type HeartbeatOptions = {
  readonly clock: Clock
  readonly isNeeded: () => boolean
  readonly ping: () => void
  /** Called after {@link maxMissedHeartbeats} unanswered pings in a row. */
  readonly onSilent: () => void
}

export function createHeartbeat({ clock, isNeeded, ping, onSilent }: HeartbeatOptions): Heartbeat {
  let stopTimer: (() => void) | null = null
  let missed = 0

  function beat(): void {
    stopTimer = null
    if (!isNeeded()) return
    if (missed >= maxMissedHeartbeats) {
      onSilent()
      return
    }
    missed += 1
    ping()
    start()
  }

  function start(): void {
    stopTimer ??= clock.after(heartbeatMs, beat)
  }

  return {
    start,
    heard() {
      missed = 0
    },
    stop() {
      stopTimer?.()
      stopTimer = null
      missed = 0
    },
  }
}
