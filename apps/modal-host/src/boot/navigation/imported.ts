export type Imported<T> = {
  /** For React's `use`. A failure stays until `forgetFailures`: React asks for the same promise again. */
  readonly get: () => Promise<T>
  readonly now: () => T | null
}

const failures = new Set<() => void>()

export function forgetFailures(): void {
  for (const forget of failures) forget()
  failures.clear()
}

export function imported<T>(load: () => Promise<T>): Imported<T> {
  let module: T | null = null
  let arriving: Promise<T> | null = null

  function get(): Promise<T> {
    if (arriving !== null) return arriving
    const loading = load()
    arriving = loading
    loading.then(
      (value) => {
        module = value
        // `use` reads these fields first, and then does not suspend.
        Object.assign(loading, { status: 'fulfilled', value })
      },
      () => {
        failures.add(() => {
          arriving = null
        })
      },
    )
    return loading
  }

  return { get, now: () => module }
}
