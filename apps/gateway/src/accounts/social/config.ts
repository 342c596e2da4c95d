import { type SocialProvider, socialProviders } from '@postern/protocol'
import * as z from 'zod/mini'
import { type Credentials, readPrivateKey, type SocialCredentials } from '../../projects/social-credentials'

export type SocialConfig = {
  readonly credentials: Credentials
  /** Stand-in for all providers in tests. */
  readonly endpoints?: string
}

const Endpoints = z.url({ protocol: /^https?$/ })

/** @param problems one line per invalid variable. */
export function readSocials(
  env: Readonly<Record<string, string | undefined>>,
  production: boolean,
  problems: string[],
): SocialConfig {
  const credentials = new Map<SocialProvider, SocialCredentials>()
  for (const provider of socialProviders) {
    const read = provider === 'apple' ? readApple(env, problems) : readSecret(provider, env, problems)
    if (read !== null) credentials.set(provider, read)
  }
  const endpoints = env.SOCIAL_ENDPOINTS
  if (endpoints !== undefined && !Endpoints.safeParse(endpoints).success) {
    problems.push('SOCIAL_ENDPOINTS must be an http or https URL')
  } else if (production && endpoints !== undefined && !endpoints.startsWith('https:')) {
    problems.push('SOCIAL_ENDPOINTS must be https in production')
  }
  return { credentials, ...(endpoints === undefined ? {} : { endpoints: endpoints.replace(/\/+$/, '') }) }
}

function readSecret(
  provider: SocialProvider,
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): SocialCredentials | null {
  const name = provider.toUpperCase()
  const clientId = env[`${name}_CLIENT_ID`]
  const clientSecret = env[`${name}_CLIENT_SECRET`]
  if (clientId === undefined && clientSecret === undefined) return null
  if (clientId === undefined || clientSecret === undefined) {
    problems.push(`${name}_CLIENT_ID and ${name}_CLIENT_SECRET go together`)
    return null
  }
  return { clientId, clientSecret }
}

function readApple(env: Readonly<Record<string, string | undefined>>, problems: string[]): SocialCredentials | null {
  const { APPLE_CLIENT_ID, APPLE_TEAM_ID, APPLE_KEY_ID } = env
  /** PKCS #8: Apple's `.p8` file or its base64. */
  const { APPLE_PRIVATE_KEY } = env
  const set = [APPLE_CLIENT_ID, APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY].filter((value) => value !== undefined)
  if (set.length === 0) return null
  if (
    APPLE_CLIENT_ID === undefined ||
    APPLE_TEAM_ID === undefined ||
    APPLE_KEY_ID === undefined ||
    APPLE_PRIVATE_KEY === undefined
  ) {
    problems.push('APPLE_CLIENT_ID, APPLE_TEAM_ID, APPLE_KEY_ID and APPLE_PRIVATE_KEY go together')
    return null
  }
  const privateKey = readPrivateKey(APPLE_PRIVATE_KEY)
  if (privateKey === null) {
    problems.push('APPLE_PRIVATE_KEY must be a PKCS #8 key in PEM or base64')
    return null
  }
  return { clientId: APPLE_CLIENT_ID, teamId: APPLE_TEAM_ID, keyId: APPLE_KEY_ID, privateKey }
}
