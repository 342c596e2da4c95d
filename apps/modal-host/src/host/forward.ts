import type { ErrorCode } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'

type Run = (...args: unknown[]) => unknown

/**
 * The functions of an object that comes and goes, for the views, which outlive a page.
 *
 * 1. A call goes to the function that `current` has at that moment.
 * 2. A call without a function rejects with `missing`.
 * 3. The same name always gives the same function.
 */
export function forwardTo<T extends object>(current: () => Partial<T>, missing: ErrorCode): T
export function forwardTo(current: () => object, missing: ErrorCode): object {
  const forwards = new Map<string, Run>()
  const forward =
    (name: string): Run =>
    (...args) => {
      const owner = current()
      const run: unknown = Reflect.get(owner, name)
      if (typeof run === 'function') return Reflect.apply(run, owner, args)
      const refused = Promise.reject(new Failure(missing))
      refused.catch(() => {})
      return refused
    }
  return new Proxy(
    {},
    {
      get(_target, name) {
        if (typeof name !== 'string') return undefined
        const run = forwards.get(name) ?? forward(name)
        forwards.set(name, run)
        return run
      },
    },
  )
}
