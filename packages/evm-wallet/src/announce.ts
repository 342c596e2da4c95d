import type { WalletProvider } from './evm-wallet'

export type Announcement = {
  readonly name: string
  /** A `data:` image. */
  readonly icon: string
  readonly rdns: string
  /** Announces the wallet by EIP-6963. */
  readonly announce: boolean
  /** Also set `window.ethereum`, as before EIP-6963. */
  readonly legacy: boolean
}

/** Announces now and on each request. Returns a stop function. */
export function announce(
  window: Window & typeof globalThis,
  { name, icon, rdns, ...ways }: Announcement,
  provider: WalletProvider,
): () => void {
  const names: (() => void)[] = []
  if (ways.announce) {
    const info = Object.freeze({ uuid: window.crypto.randomUUID(), name, icon, rdns })
    const detail = Object.freeze({ info, provider })
    const tell = () => window.dispatchEvent(new window.CustomEvent('eip6963:announceProvider', { detail }))
    window.addEventListener('eip6963:requestProvider', tell)
    names.push(() => window.removeEventListener('eip6963:requestProvider', tell))
    tell()
  }
  if (ways.legacy) {
    Object.defineProperty(window, 'ethereum', { value: provider, configurable: true, writable: true })
    names.push(() => {
      if (Reflect.get(window, 'ethereum') === provider) Reflect.deleteProperty(window, 'ethereum')
    })
    window.dispatchEvent(new window.Event('ethereum#initialized'))
  }
  return () => {
    for (const end of names) end()
  }
}
