import type { PageWallet } from '@postern/protocol'

/** Its functions may throw or return anything. */
export type WalletProvider = {
  request(args: { method: string; params?: unknown }): Promise<unknown>
  on(event: string, listener: (data: unknown) => void): () => void
}

/** Beyond any user's count; stops endless announcements. */
export const maxWallets = 64

/** Only a `data:` image, so that an icon cannot cause a request. */
export function readIcon(icon: unknown): Pick<PageWallet, 'icon'> {
  return typeof icon === 'string' && icon.length <= 65_536 && /^data:image\//.test(icon) ? { icon } : {}
}

export function isSource(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

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
