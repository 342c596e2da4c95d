import type { PageWallet } from '@postern/protocol'

/** Untrusted: functions may throw or return anything. */
export type WalletProvider = {
  request(args: { method: string; params?: unknown }): Promise<unknown>
  on(event: string, listener: (data: unknown) => void): () => void
}

/** Stops a page that announces endlessly. */
export const maxWallets = 64

/** Two show that the name is not unique. */
export const maxNamesakes = 2

/** Only a `data:` image, which makes no request. Some wallets begin it with a line break. */
export function readIcon(rawIcon: unknown): Pick<PageWallet, 'icon'> {
  const icon = typeof rawIcon === 'string' ? rawIcon.trim() : ''
  return icon.length <= 65_536 && /^data:image\//.test(icon) ? { icon } : {}
}

export function isSource(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}

export type Methods = NonNullable<PageWallet['methods']>

export function only(condition: boolean, ...methods: Methods): Methods {
  return condition ? methods : []
}
