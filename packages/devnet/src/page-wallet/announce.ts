/** How a page learns of the wallet: EIP-6963, and `window.ethereum` as before it. */
import type { WalletOptions } from './options'
import type { WalletProvider } from './wallet'

const defaultIcon = `data:image/svg+xml,${encodeURIComponent(
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 96 96'><rect width='96' height='96' rx='24' fill='#31506e'/>" +
    "<path d='M26 36h38a8 8 0 0 1 8 8v20a8 8 0 0 1-8 8H32a8 8 0 0 1-8-8V34a10 10 0 0 1 10-10h28v8H34' fill='none' stroke='#fff' stroke-width='5' stroke-linejoin='round' stroke-linecap='round'/>" +
    "<circle cx='60' cy='54' r='4.5' fill='#fff'/></svg>",
)}`

/** Announces at once and whenever a dapp asks. Answers with what takes it back. */
export function announce(window: Window, options: WalletOptions, provider: WalletProvider): () => void {
  const taken: (() => void)[] = []
  if (options.announce) {
    const info = Object.freeze({
      uuid: window.crypto.randomUUID(),
      name: options.name,
      icon: options.icon ?? defaultIcon,
      rdns: options.rdns,
    })
    const detail = Object.freeze({ info, provider })
    const tell = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    window.addEventListener('eip6963:requestProvider', tell)
    taken.push(() => window.removeEventListener('eip6963:requestProvider', tell))
    tell()
  }
  if (options.legacy) {
    Object.defineProperty(window, 'ethereum', { value: provider, configurable: true, writable: true })
    taken.push(() => {
      if (Reflect.get(window, 'ethereum') === provider) Reflect.deleteProperty(window, 'ethereum')
    })
    window.dispatchEvent(new Event('ethereum#initialized'))
  }
  return () => {
    for (const end of taken) end()
  }
}
