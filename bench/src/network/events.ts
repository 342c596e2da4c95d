/** Runs functions in the order of their times, in ms; each gets the time that it was due at, not the time that it ran at. */
export type Events = {
  now(): number
  at(time: number, run: (time: number) => void): void
}

type Event = { readonly time: number; readonly run: (time: number) => void }

/** Events that a caller runs. */
export function createEvents(now: () => number): Events & { runDue(): void; next(): number | undefined } {
  const events: Event[] = []
  return {
    now,
    at(time, run) {
      let index = events.length
      while (index > 0 && (events[index - 1]?.time ?? 0) > time) index -= 1
      events.splice(index, 0, { time, run })
    },
    runDue() {
      for (let first = events[0]; first !== undefined && first.time <= now(); first = events[0]) {
        events.shift()
        first.run(first.time)
      }
    },
    next: () => events[0]?.time,
  }
}

/** Events that one timer runs, up to 1 ms late. */
export function createTimedEvents(): Events {
  const events = createEvents(() => performance.now())
  let timer: NodeJS.Timeout | undefined
  const arm = () => {
    clearTimeout(timer)
    const next = events.next()
    if (next === undefined) return
    timer = setTimeout(
      () => {
        events.runDue()
        arm()
      },
      Math.max(0, next - events.now()),
    )
  }
  return {
    now: events.now,
    at(time, run) {
      const before = events.next()
      events.at(time, run)
      if (before === undefined || time < before) arm()
    },
  }
}
