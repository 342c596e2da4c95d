import { type HostMethod, type HostParams, type HostResult, hostParams } from '@postern/protocol'
import type * as z from 'zod/mini'
import { parseParameters } from './parameters'

/** The signal aborts when the page cancels or the link ends. */
export type HostHandlers = {
  readonly [M in HostMethod]: (params: HostParams<M>, signal: AbortSignal) => HostResult<M> | Promise<HostResult<M>>
}

export type PageHandlers = Omit<HostHandlers, 'init'>

export type CheckResult = (method: HostMethod, result: unknown) => void

export type Route = (params: unknown, signal: AbortSignal) => Promise<unknown>

const paramsOf: { readonly [M in HostMethod]: z.ZodMiniType<HostParams<M>> } = hostParams

/** `check` (tests) throws for an invalid result. */
export function hostRoute<M extends HostMethod>(
  method: M,
  handler: HostHandlers[M],
  { warn, check }: { readonly warn: (text: string) => void; readonly check?: CheckResult | undefined },
): Route {
  const onIgnored = isOfOptions(method)
    ? (paths: readonly string[]) => warn(`Postern ignores options that it does not know: ${paths.join(', ')}`)
    : undefined
  return async (raw, signal) => {
    const params = await parseParameters<HostParams<M>>(paramsOf[method], raw, onIgnored)
    const result = await handler(params, signal)
    check?.(method, result)
    return result
  }
}

export function isHostMethod(name: string): name is HostMethod {
  return Object.hasOwn(paramsOf, name)
}

/** The dapp's developer wrote the parameters; the SDK writes the others. */
const isOfOptions = (method: HostMethod) => method === 'init' || method === 'setTheme' || method === 'setOptions'
