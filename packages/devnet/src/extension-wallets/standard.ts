/** Source: https://github.com/wallet-standard/wallet-standard */

export type StandardAccount = {
  readonly address: string
  readonly publicKey: Uint8Array
  readonly chains: readonly string[]
  readonly features: readonly string[]
}

export type StandardWallet = {
  readonly version: '1.0.0'
  readonly name: string
  readonly icon: string
  readonly chains: readonly string[]
  readonly features: Readonly<Record<string, unknown>>
  readonly accounts: readonly StandardAccount[]
}

type RegisterApi = { register(...wallets: StandardWallet[]): () => void }

/** Registers with present and later apps. Returns an unregister function. */
export function registerStandardWallet(window: EventTarget, wallet: StandardWallet): () => void {
  const cleanups: (() => void)[] = []
  const register = (api: unknown) => {
    if (hasRegister(api)) cleanups.push(api.register(wallet))
  }
  const onReady = (event: Event) => register(Reflect.get(event, 'detail'))
  window.addEventListener('wallet-standard:app-ready', onReady)
  window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
  return () => {
    window.removeEventListener('wallet-standard:app-ready', onReady)
    for (const end of cleanups) end()
  }
}

function hasRegister(api: unknown): api is RegisterApi {
  return typeof api === 'object' && api !== null && 'register' in api && typeof api.register === 'function'
}

/** A listener that throws does not stop the others. */
export function createEvents<A extends readonly unknown[]>() {
  const listeners = new Map<string, Set<(...data: A) => void>>()
  return {
    on(event: string, listener: (...data: A) => void): () => void {
      const heard = listeners.get(event) ?? new Set()
      listeners.set(event, heard.add(listener))
      return () => heard.delete(listener)
    },
    off(event: string, listener: (...data: A) => void): void {
      listeners.get(event)?.delete(listener)
    },
    emit(event: string, ...data: A): void {
      for (const listener of [...(listeners.get(event) ?? [])]) {
        try {
          listener(...data)
        } catch (cause) {
          queueMicrotask(() => {
            throw cause
          })
        }
      }
    },
  }
}
