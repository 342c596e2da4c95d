import { noop } from '../shared/noop'
import type { WalletProvider } from './wallet-provider'

/**
 * A wallet whose code loads with its first request, and after a failure with the next one.
 * A listener added before loading hears events from then on.
 */
export function lazyProvider(load: () => Promise<WalletProvider>): WalletProvider {
  let loading: Promise<WalletProvider> | undefined
  const pendingListeners = new Set<(provider: WalletProvider) => void>()

  async function start(): Promise<WalletProvider> {
    const provider = await load()
    for (const listen of pendingListeners) listen(provider)
    pendingListeners.clear()
    return provider
  }

  function loaded(): Promise<WalletProvider> {
    loading ??= start().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }

  return {
    request: async (args) => (await loaded()).request(args),
    on(event, listener) {
      let end = noop
      const listen = (provider: WalletProvider) => {
        end = provider.on(event, listener)
      }
      pendingListeners.add(listen)
      loading?.then((provider) => pendingListeners.delete(listen) && listen(provider), noop)
      return () => {
        pendingListeners.delete(listen)
        end()
      }
    },
  }
}
