import { createCallProxy, functionAt, type NamedCall } from './call-proxy'
import { Failure } from './failure'

/** The functions of `T`, each with a promise of its result. */
export type Calls<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => infer R
    ? (...args: A) => Promise<Awaited<R>>
    : T[K] extends object
      ? Calls<T[K]>
      : never
}

/** The functions of `T` without their results. */
export type Sends<T> = {
  readonly [K in keyof T]: T[K] extends (...args: infer A) => unknown
    ? (...args: A) => void
    : T[K] extends object
      ? Sends<T[K]>
      : never
}

export type OnceLoaded<T> = {
  /** Loads the code if it is not loaded yet. */
  load(): Promise<T>
  readonly call: Calls<T>
  readonly send: Sends<T>
  readonly notify: Sends<T>
  latest(): Latest<T>
}

/** Calls that replace one another while they wait. */
export type Latest<T> = {
  readonly call: Calls<T>
  readonly send: Sends<T>
  /** Drops the waiting call; false without one. */
  drop(): boolean
}

type Waiting = {
  /** Calls with the same slot replace each other; null: never replaced. */
  readonly slot: object | null
  run(code: object): void
  fail(reason: unknown): void
  drop(): void
}

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'loading'; readonly done: Promise<object>; waiting: readonly Waiting[] }
  | { readonly kind: 'loaded'; readonly code: object }

/**
 * Loads code on first use, and queues the calls to it.
 *
 * 1. `load`, `call` and `send` load the code once. After a failure the next call loads it again.
 * 2. Calls made before the code has loaded wait, and run in order. Later calls run at once.
 * 3. `call` settles as its function does. It rejects if the code cannot be loaded.
 * 4. `send` has no result. If the code cannot be loaded, `onFailed` gets the reason, once per `send`.
 * 5. `notify` does not load the code. During a load it queues; without a load, or if the load fails, it is dropped,
 *    because code that loads later starts from the current state.
 * 6. A call through one `latest()` replaces its waiting call. A replaced or dropped `call` rejects with ABORTED; a `send`
 *    just ends.
 * 7. A function that throws fails only its own call.
 *
 * @example
 * const chart = onceLoaded(async () => (await import('./chart')).createChart())
 * chart.send.draw(points)
 */
export function onceLoaded<T extends object>(
  load: () => Promise<T>,
  onFailed?: (reason: unknown) => void,
): OnceLoaded<T>
export function onceLoaded(
  load: () => Promise<object>,
  // Without a listener the failure is an unhandled rejection.
  onFailed: (reason: unknown) => void = (reason) => void Promise.reject(reason),
): OnceLoaded<object> {
  let state: State = { kind: 'idle' }

  function begin(): Extract<State, { kind: 'loading' }> {
    const loading: Extract<State, { kind: 'loading' }> = {
      kind: 'loading',
      done: load().then(finish, fail),
      waiting: [],
    }
    state = loading
    // Each waiting call handles the failure itself.
    loading.done.catch(() => {})
    return loading

    function finish(code: object): object {
      for (let next = loading.waiting[0]; next !== undefined; next = loading.waiting[0]) {
        loading.waiting = loading.waiting.slice(1)
        next.run(code)
      }
      state = { kind: 'loaded', code }
      return code
    }

    function fail(reason: unknown): never {
      state = { kind: 'idle' }
      for (const one of loading.waiting) one.fail(reason)
      throw reason
    }
  }

  function submit(entry: Waiting): void {
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

  const callsOf = (slot: object | null) =>
    createCallProxy(
      (path, args) =>
        new Promise((resolve, reject) =>
          submit({
            slot,
            run: (code) => resolve(invoke(code, path, args)),
            fail: reject,
            drop: () => reject(new Failure('ABORTED')),
          }),
        ),
    )

  const sendTo =
    (slot: object | null, fail: (reason: unknown) => void): NamedCall =>
    (path, args) =>
      submit({ slot, run: (code) => void invoke(code, path, args), fail, drop: () => {} })

  const notifyOnly = sendTo(null, () => {})

  return {
    load: async () => (state.kind === 'loaded' ? state.code : (state.kind === 'loading' ? state : begin()).done),
    call: callsOf(null),
    send: createCallProxy(sendTo(null, onFailed)),
    notify: createCallProxy((path, args) => {
      if (state.kind !== 'idle') notifyOnly(path, args)
    }),
    latest() {
      const slot = {}
      return { call: callsOf(slot), send: createCallProxy(sendTo(slot, onFailed)), drop: () => drop(slot) }
    },
  }
}

/** Whether a call rejected because it was replaced or dropped. */
export function isDropped(reason: unknown): boolean {
  return reason instanceof Failure && reason.code === 'ABORTED'
}

/** Starts at once; an error that the function throws becomes a rejection. */
async function invoke(code: object, path: readonly string[], args: readonly unknown[]): Promise<unknown> {
  const run = functionAt(code, path)
  if (run === null) throw new TypeError(`The code has no function ${path.join('.')}`)
  return run(args)
}
