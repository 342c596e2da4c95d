import { type HostMethod, type HostParams, type HostResult, hostMethods } from '@postern/protocol'
import type * as z from 'zod/mini'
import { LinkFailure } from './failure'

/** What the host does for each method. The signal ends when the page cancels, or the link ends. */
export type HostHandlers = {
  readonly [M in HostMethod]: (params: HostParams<M>, signal: AbortSignal) => HostResult<M> | Promise<HostResult<M>>
}

/** One method, from raw parameters to a result that may be sent. */
export type Route = (params: unknown, signal: AbortSignal) => Promise<unknown>

/**
 * The fixed table of what a page may ask. A `Map`, so that `constructor` and `__proto__` are just names that it does not hold.
 * With `checkResults` (development and tests) a result that breaks its own schema is a failure instead of a surprise for the SDK.
 */
export function hostRoutes(handlers: HostHandlers, checkResults: boolean): ReadonlyMap<string, Route> {
  const routes: Record<HostMethod, Route> = {
    init: route(hostMethods.init, handlers.init),
    open: route(hostMethods.open, handlers.open),
    close: route(hostMethods.close, handlers.close),
    connect: route(hostMethods.connect, handlers.connect),
    disconnect: route(hostMethods.disconnect, handlers.disconnect),
    switchNetwork: route(hostMethods.switchNetwork, handlers.switchNetwork),
    setTheme: route(hostMethods.setTheme, handlers.setTheme),
    rpc: route(hostMethods.rpc, handlers.rpc),
    peerChanged: route(hostMethods.peerChanged, handlers.peerChanged),
    ping: route(hostMethods.ping, handlers.ping),
    diagnose: route(hostMethods.diagnose, handlers.diagnose),
  }
  return new Map(Object.entries(routes))

  function route<P, R>(
    schema: { readonly params: z.ZodMiniType<P>; readonly result: z.ZodMiniType<R> },
    handle: (params: P, signal: AbortSignal) => R | Promise<R>,
  ): Route {
    return async (raw, signal) => {
      const params = schema.params.safeParse(raw ?? null)
      if (!params.success) throw new LinkFailure('INVALID_PARAMS', { cause: params.error })
      const result = await handle(params.data, signal)
      if (checkResults) schema.result.parse(result)
      return result
    }
  }
}
