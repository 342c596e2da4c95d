import { type HostMethod, type HostParams, type HostResult, type hostMethods, hostParams } from '@postern/protocol'
import { Failure } from '@postern/protocol/failure'
import type * as z from 'zod/mini'

/** The signal aborts when the page cancels or the link ends. */
export type HostHandlers = {
  readonly [M in HostMethod]: (params: HostParams<M>, signal: AbortSignal) => HostResult<M> | Promise<HostResult<M>>
}

export type Route = (params: unknown, signal: AbortSignal) => Promise<unknown>

/**
 * The methods that a page may call. A `Map`, so `constructor` and `__proto__` are missing keys. With `checked` (tests),
 * invalid results fail here instead of in the SDK.
 */
export function hostRoutes(handlers: HostHandlers, checked?: typeof hostMethods): ReadonlyMap<string, Route> {
  const routes: Record<HostMethod, Route> = {
    init: route(hostParams.init, handlers.init, checked?.init.result),
    open: route(hostParams.open, handlers.open, checked?.open.result),
    close: route(hostParams.close, handlers.close, checked?.close.result),
    connect: route(hostParams.connect, handlers.connect, checked?.connect.result),
    pay: route(hostParams.pay, handlers.pay, checked?.pay.result),
    disconnect: route(hostParams.disconnect, handlers.disconnect, checked?.disconnect.result),
    switchNetwork: route(hostParams.switchNetwork, handlers.switchNetwork, checked?.switchNetwork.result),
    setTheme: route(hostParams.setTheme, handlers.setTheme, checked?.setTheme.result),
    rpc: route(hostParams.rpc, handlers.rpc, checked?.rpc.result),
    peerChanged: route(hostParams.peerChanged, handlers.peerChanged, checked?.peerChanged.result),
    ping: route(hostParams.ping, handlers.ping, checked?.ping.result),
    diagnose: route(hostParams.diagnose, handlers.diagnose, checked?.diagnose.result),
  }
  return new Map(Object.entries(routes))

  function route<P, R>(
    schema: z.ZodMiniType<P>,
    handle: (params: P, signal: AbortSignal) => R | Promise<R>,
    resultSchema: z.ZodMiniType<R> | undefined,
  ): Route {
    return async (raw, signal) => {
      const params = schema.safeParse(raw ?? null)
      if (!params.success) throw new Failure('INVALID_PARAMS', { cause: params.error })
      const result = await handle(params.data, signal)
      resultSchema?.parse(result)
      return result
    }
  }
}
