import type { WalletProvider } from './evm'
import { looks } from './icons'
import type { WalletOptions } from './options'

/** Now and on each request. Returns a stop function. */
export function announce(window: Window, options: WalletOptions, provider: WalletProvider): () => void {
  const names: (() => void)[] = []
  if (options.announce) {
    const info = Object.freeze({
      uuid: window.crypto.randomUUID(),
      name: options.name,
      icon: options.icon ?? looks.evm.icon,
      rdns: options.rdns,
    })
    const detail = Object.freeze({ info, provider })
    const tell = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    window.addEventListener('eip6963:requestProvider', tell)
    names.push(() => window.removeEventListener('eip6963:requestProvider', tell))
    tell()
  }
  if (options.legacy) {
    Object.defineProperty(window, 'ethereum', { value: provider, configurable: true, writable: true })
    names.push(() => {
      if (Reflect.get(window, 'ethereum') === provider) Reflect.deleteProperty(window, 'ethereum')
    })
    window.dispatchEvent(new Event('ethereum#initialized'))
  }
  return () => {
    for (const end of names) end()
  }
}
