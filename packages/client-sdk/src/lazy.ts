export type Lazy<T> = {
  /** Undefined until it is created. */
  readonly value: T | undefined
  /** The pending or successful load. */
  readonly promise: Promise<T> | undefined
  /** The first call loads the code and creates the value; after a failure, the next call loads again. */
  get(): Promise<T>
}

/**
 * A value whose code is loaded on first use. `toError` is what the calls reject with if the code cannot be loaded. They
 * reject with the error of `create` as it is.
 */
export function lazy<Code, T>(
  load: () => Promise<Code>,
  create: (code: Code) => T,
  toError: (cause: unknown) => Error,
): Lazy<T> {
  let value: T | undefined
  let promise: Promise<T> | undefined
  async function start(): Promise<T> {
    const code = await load().catch((cause: unknown) => {
      throw toError(cause)
    })
    value = create(code)
    return value
  }

  return {
    get value() {
      return value
    },
    get promise() {
      return promise
    },
    get() {
      promise ??= start().catch((error: unknown) => {
        promise = undefined
        throw error
      })
      return promise
    },
  }
}
