/** A module that is imported when it is first needed. */
export type Imported<T> = {
  /** For React's `use`. A failure stays until `forgetFailures`: React asks again for the promise that it waits for. */
  readonly get: () => Promise<T>
  /** Null until the module has loaded. */
  readonly now: () => T | null
}

const failures = new Set<() => void>()

/** Lets what failed be imported again. */
export function forgetFailures(): void {
  for (const forget of failures) forget()
  failures.clear()
}

export function imported<T>(load: () => Promise<T>): Imported<T> {
  let module: T | null = null
  let arriving: Promise<T> | null = null

  function get(): Promise<T> {
    if (arriving !== null) return arriving
    const asked = load()
    arriving = asked
    asked.then(
      (value) => {
        module = value
        // `use` reads these fields first, and then does not suspend.
        Object.assign(asked, { status: 'fulfilled', value })
      },
      () => {
        failures.add(() => {
          arriving = null
        })
      },
    )
    return asked
  }

  return { get, now: () => module }
}
