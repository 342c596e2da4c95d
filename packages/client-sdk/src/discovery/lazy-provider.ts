import { lazy } from '../shared/lazy'
import { noop } from '../shared/noop'
import type { WalletProvider } from './wallet-provider'

/** Loads with the first request. Earlier listeners hear events from then on. */
export function lazyProvider(load: () => Promise<WalletProvider>): WalletProvider {
  const pendingListeners = new Set<(provider: WalletProvider) => void>()
  const wallet = lazy(load, (provider) => {
    for (const listen of pendingListeners) listen(provider)
    pendingListeners.clear()
    return provider
  })

  return {
    request: async (args) => (await wallet.get()).request(args),
    on(event, listener) {
      let end = noop
      const listen = (provider: WalletProvider) => {
        end = provider.on(event, listener)
      }
      pendingListeners.add(listen)
      wallet.promise?.then((provider) => pendingListeners.delete(listen) && listen(provider), noop)
      return () => {
        pendingListeners.delete(listen)
        end()
      }
    },
  }
}
