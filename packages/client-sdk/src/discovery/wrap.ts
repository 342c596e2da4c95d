import type { WalletProvider } from './wallet-provider'

/** Reads functions once, so that a later swap has no effect. */
export function wrap(source: object): WalletProvider | undefined {
  const take = (name: string): ((...args: unknown[]) => unknown) | undefined => {
    const member: unknown = Reflect.get(source, name)
    return typeof member === 'function' ? (...args) => Reflect.apply(member, source, args) : undefined
  }
  const [request, on, off] = [take('request'), take('on'), take('removeListener')]
  if (request === undefined) return undefined
  return {
    request: async (args) => request(args),
    on(event, listener) {
      on?.(event, listener)
      return () => off?.(event, listener)
    },
  }
}
