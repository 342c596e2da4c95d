import type { SocialProvider } from '@postern/protocol'
import type { Credentials, SocialCredentials } from '../../projects/social-credentials'
import type { SocialConfig } from './config'
import { endpointsOf } from './endpoints'
import { createProvider, type Provider, type ProvidersOf } from './provider'
import { socialPath } from './routes'

/** Providers that number users by developer: another client's same number may be another person. */
const numbersByDeveloper: ReadonlySet<SocialProvider> = new Set(['apple', 'facebook'])

export function createProviders(options: {
  readonly config: SocialConfig
  readonly projects: ReadonlyMap<string, { readonly social: Credentials }>
  readonly walletOrigin: string
  readonly fetch: typeof globalThis.fetch
  /** Epoch milliseconds. */
  readonly now: () => number
}): ProvidersOf {
  const { config, projects, walletOrigin, fetch, now } = options
  const create = (provider: SocialProvider, credentials: SocialCredentials): Provider =>
    createProvider({
      provider,
      credentials,
      endpoints: endpointsOf(provider, config.endpoints),
      redirectUri: `${walletOrigin}${socialPath}/callback/${provider}`,
      fetch,
      now,
    })
  const common = new Map([...config.credentials].map(([name, credentials]) => [name, create(name, credentials)]))
  const createOwn = (name: SocialProvider, credentials: SocialCredentials): Provider => {
    const provider = create(name, credentials)
    const developer = developerOf(credentials)
    const usual = config.credentials.get(name)
    const isUsual = usual !== undefined && developerOf(usual) === developer
    return numbersByDeveloper.has(name) && !isUsual ? apart(provider, developer) : provider
  }
  const own = new Map(
    [...projects].map(([id, { social }]) => [
      id,
      new Map([...common, ...[...social].map(([name, credentials]) => [name, createOwn(name, credentials)] as const)]),
    ]),
  )
  return (projectId) => own.get(projectId) ?? common
}

function developerOf(credentials: SocialCredentials): string {
  return 'teamId' in credentials ? credentials.teamId : credentials.clientId
}

/** Its users differ from those of other developers. */
function apart(provider: Provider, developer: string): Provider {
  return {
    ...provider,
    async identify(exchange) {
      const identity = await provider.identify(exchange)
      return { ...identity, subject: `${developer}:${identity.subject}` }
    },
  }
}
