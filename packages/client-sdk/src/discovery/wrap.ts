import { noop } from '../shared/noop'
import type { WalletProvider } from './wallet-provider'

/** Reads the functions once: replacing them later has no effect. May throw. */
export function wrap(source: object): WalletProvider | undefined {
  // A throw becomes a rejection.
  const bindMethod = (name: string): ((...args: unknown[]) => Promise<unknown>) | undefined => {
    const member: unknown = Reflect.get(source, name)
    return typeof member === 'function' ? async (...args) => Reflect.apply(member, source, args) : undefined
  }
  const [request, on, off] = [bindMethod('request'), bindMethod('on'), bindMethod('removeListener')]
  if (request === undefined) return undefined
  return {
    request,
    on(event, listener) {
      on?.(event, listener).catch(noop)
      return () => off?.(event, listener).catch(noop)
    },
  }
}
