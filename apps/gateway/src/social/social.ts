import type { SocialProvider } from '@postern/protocol'
import type { SocialConfig } from './config'
import { endpointsOf } from './endpoints'
import { createProvider, type Provider } from './provider'
import { socialPath } from './routes'

export function createProviders(options: {
  readonly config: SocialConfig
  readonly walletOrigin: string
  readonly fetch: typeof globalThis.fetch
  /** Epoch milliseconds. */
  readonly now: () => number
}): ReadonlyMap<SocialProvider, Provider> {
  const { config, walletOrigin, fetch, now } = options
  const create = ([provider, credentials]: [SocialProvider, Parameters<typeof createProvider>[0]['credentials']]) => {
    const redirectUri = `${walletOrigin}${socialPath}/callback/${provider}`
    const endpoints = endpointsOf(provider, config.endpoints)
    return [provider, createProvider({ provider, credentials, endpoints, redirectUri, fetch, now })] as const
  }
  return new Map([...config.credentials].map(create))
}
