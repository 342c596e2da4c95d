import { type HostMethod, type HostParams, type HostResult, type hostMethods, hostParams } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type * as z from 'zod/mini'

/** The signal aborts when the page cancels or the link ends. */
export type HostHandlers = {
  readonly [M in HostMethod]: (params: HostParams<M>, signal: AbortSignal) => HostResult<M> | Promise<HostResult<M>>
}

export type Route = (params: unknown, signal: AbortSignal) => Promise<unknown>

/** The protocol's table, as the schema of each method by its name. */
const paramsOf: { readonly [M in HostMethod]: z.ZodMiniType<HostParams<M>> } = hostParams

/**
 * The methods that a page may call. A `Map`, so `constructor` and `__proto__` are missing keys. With `checked` (tests),
 * invalid results fail here instead of in the SDK.
 */
export function hostRoutes(handlers: HostHandlers, checked?: typeof hostMethods): ReadonlyMap<string, Route> {
  const results: { readonly [M in HostMethod]: { readonly result: z.ZodMiniType<HostResult<M>> } } | undefined = checked
  return new Map(
    Object.keys(paramsOf)
      .filter(isHostMethod)
      .map((method) => [method, routeOf(method)]),
  )

  function routeOf<M extends HostMethod>(method: M): Route {
    return async (raw, signal) => {
      const params = parse<HostParams<M>>(paramsOf[method], raw)
      const result = await handlers[method](params, signal)
      results?.[method].result.parse(result)
      return result
    }
  }
}

function parse<P>(schema: z.ZodMiniType<P>, raw: unknown): P {
  const parsed = schema.safeParse(raw ?? null)
  if (!parsed.success) throw new Failure('INVALID_PARAMS', { cause: parsed.error })
  return parsed.data
}

function isHostMethod(name: string): name is HostMethod {
  return Object.hasOwn(paramsOf, name)
}
