export type OnceLoaded<T> = {
  /** The same promise, until a load fails. */
  load(): Promise<T>
  readonly call: Call<T>
  readonly send: Send<T>
  readonly notify: Send<T>
  latest(): Latest<T>
}

type Call<T> = <R>(run: (code: T) => R) => Promise<Awaited<R>>
type Send<T> = (run: (code: T) => unknown) => void

/** Only the newest call waits. */
export type Latest<T> = {
  readonly call: Call<T>
  readonly send: Send<T>
  /** Drops the waiting call; false if there was none. */
  drop(): boolean
}

type Waiting<T> = {
  /** Calls with the same slot replace each other. Null: never replaced. */
  readonly slot: object | null
  run(code: T): void
  fail(reason: unknown): void
  drop(): void
}

type Loading<T> = { readonly kind: 'loading'; readonly done: Promise<T>; waiting: readonly Waiting<T>[] }
type Loaded<T> = { readonly kind: 'loaded'; readonly done: Promise<T>; readonly code: T }
type State<T> = { readonly kind: 'idle' } | Loading<T> | Loaded<T>

/**
 * Loads code on first use, and queues calls to it.
 *
 * 1. `load`, `call` and `send` load the code once. After a failure, the next call loads it again.
 * 2. Calls wait until the code has loaded, then run in order.
 * 3. `call` settles as its function does. It rejects if loading fails.
 * 4. `send` has no result. If loading fails, `onFailed` gets the reason, once per `send`.
 * 5. `notify` never starts a load. Without a load, or if it fails, `notify` is dropped: code that loads later starts
 *    from the current state.
 * 6. A call through `latest()` replaces its waiting call. A replaced or dropped `call` rejects with a reason that
 *    `isDropped` recognizes; a `send` just ends.
 * 7. A function that throws fails only its own call.
 *
 * @example
 * const chart = onceLoaded(async () => (await import('./chart')).createChart())
 * chart.send(({ draw }) => draw(points))
 */
export function onceLoaded<T>(
  load: () => Promise<T>,
  // Unhandled without a listener.
  onFailed: (reason: unknown) => void = (reason) => void Promise.reject(reason),
): OnceLoaded<T> {
  let state: State<T> = { kind: 'idle' }

  function begin(): Loading<T> {
    const loading: Loading<T> = { kind: 'loading', done: load().then(finish, fail), waiting: [] }
    state = loading
    // Each waiting call handles the failure itself.
    loading.done.catch(() => {})
    return loading

    function finish(code: T): T {
      for (let next = loading.waiting[0]; next !== undefined; next = loading.waiting[0]) {
        loading.waiting = loading.waiting.slice(1)
        next.run(code)
      }
      state = { kind: 'loaded', done: loading.done, code }
      return code
    }

    function fail(reason: unknown): never {
      state = { kind: 'idle' }
      for (const one of loading.waiting) one.fail(reason)
      throw reason
    }
  }

  function submit(entry: Waiting<T>): void {
    if (state.kind === 'loaded') {
      entry.run(state.code)
      return
    }
    const loading = state.kind === 'loading' ? state : begin()
    if (entry.slot !== null) drop(entry.slot)
    loading.waiting = [...loading.waiting, entry]
  }

  function drop(slot: object): boolean {
    if (state.kind !== 'loading') return false
    const dropped = state.waiting.filter((one) => one.slot === slot)
    state.waiting = state.waiting.filter((one) => one.slot !== slot)
    for (const one of dropped) one.drop()
    return dropped.length > 0
  }

  const callIn =
    (slot: object | null): Call<T> =>
    (run) =>
      new Promise((resolve, reject) =>
        submit({
          slot,
          run: (code) => invoke(code, run).then(resolve, reject),
          fail: reject,
          drop: () => reject(new Dropped()),
        }),
      )

  const sendIn =
    (slot: object | null, fail: (reason: unknown) => void): Send<T> =>
    (run) =>
      submit({ slot, run: (code) => void invoke(code, run), fail, drop: () => {} })

  const sendIfLoaded = sendIn(null, () => {})

  return {
    load: () => (state.kind === 'idle' ? begin() : state).done,
    call: callIn(null),
    send: sendIn(null, onFailed),
    notify(run) {
      if (state.kind !== 'idle') sendIfLoaded(run)
    },
    latest() {
      const slot = {}
      return { call: callIn(slot), send: sendIn(slot, onFailed), drop: () => drop(slot) }
    },
  }
}

class Dropped extends Error {
  override readonly name = 'Dropped'
}

export function isDropped(reason: unknown): boolean {
  return reason instanceof Dropped
}

/** A throw becomes a rejection. */
async function invoke<T, R>(code: T, run: (code: T) => R): Promise<Awaited<R>> {
  return await run(code)
}
