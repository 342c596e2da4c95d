export type Lazy<T> = {
  readonly value: T | undefined
  readonly promise: Promise<T> | undefined
  /** After a failure, the next call loads again. */
  get(): Promise<T>
}

/** Calls reject with `toError` of a load failure. */
export function lazy<Code, T>(
  load: () => Promise<Code>,
  create: (code: Code) => T,
  toError: (cause: unknown) => unknown = (cause) => cause,
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
