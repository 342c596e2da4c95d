import type { ErrorCode } from '@postern/protocol'
import { createCallProxy, functionAt } from '@postern/protocol/call-proxy'
import { Failure } from '@postern/protocol/failure'

/**
 * The functions of an object that comes and goes: the one step between the page link or a view, and the code that does the work.
 *
 * 1. Each call goes to the function that `current` has at that moment, with its arguments and its result.
 * 2. A call of a function that is not there rejects with `missing`. A caller that expects no result need not handle that.
 * 3. The same name always gives the same function, so a caller may keep it.
 */
export function forwardTo<T extends object>(current: () => Partial<T>, missing: ErrorCode): T
export function forwardTo(current: () => object, missing: ErrorCode): object {
  return createCallProxy((path, args) => {
    const run = functionAt(current(), path)
    if (run !== null) return run(args)
    const refused = Promise.reject(new Failure(missing))
    refused.catch(() => {})
    return refused
  })
}
