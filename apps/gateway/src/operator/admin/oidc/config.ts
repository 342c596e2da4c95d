import * as z from 'zod/mini'
import { readJsonSetting } from '../../../platform/settings/json-setting'
import { textOrFile } from '../../../platform/settings/text-or-file'
import { Role } from '../role'

/** The claim has this value, or a list with it. */
const RoleRule = z.strictObject({
  claim: z.string().check(z.minLength(1)),
  value: z.string().check(z.minLength(1)),
  role: Role,
})
export type RoleRule = z.infer<typeof RoleRule>
const Roles = z.array(RoleRule).check(z.minLength(1, 'must have an entry'))

export type OidcConfig = {
  /** No slash at the end, unless the issuer's path has one. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scope: string
  readonly roles: readonly RoleRule[]
}

export const callbackPath = '/sign-in/callback'

const names = {
  issuer: 'POSTERN_ADMIN_OIDC_ISSUER',
  clientId: 'POSTERN_ADMIN_OIDC_CLIENT_ID',
  clientSecret: 'POSTERN_ADMIN_OIDC_CLIENT_SECRET',
  roles: 'POSTERN_ADMIN_OIDC_ROLES',
} as const

/** Undefined without settings. Problems never contain the secret. @param isLocal whether a host needs no TLS. */
export function readOidc(
  env: Readonly<Record<string, string | undefined>>,
  isLocal: (hostname: string) => boolean,
  problems: string[],
): OidcConfig | undefined {
  const set = Object.values(names).filter((name) => env[name] !== undefined)
  if (set.length === 0) return undefined
  const missing = Object.values(names).filter((name) => env[name] === undefined)
  if (missing.length > 0) {
    problems.push(`${missing.join(', ')} must be set: the settings POSTERN_ADMIN_OIDC_ go together`)
    return undefined
  }
  const before = problems.length
  const issuer = env[names.issuer] ?? ''
  checkSecureUrl(names.issuer, issuer, isLocal, problems)
  const clientSecret = textOrFile(names.clientSecret, env[names.clientSecret], problems)
  const roles = readJsonSetting(names.roles, Roles, env[names.roles], problems)
  const scope = env.POSTERN_ADMIN_OIDC_SCOPE ?? 'openid email'
  if (!scope.split(' ').includes('openid')) problems.push('POSTERN_ADMIN_OIDC_SCOPE must contain openid')
  if (problems.length > before || clientSecret === undefined || roles === undefined) return undefined
  return { issuer, clientId: env[names.clientId] ?? '', clientSecret, scope, roles }
}

export function readAdminOrigin(origin: string, isLocal: (hostname: string) => boolean, problems: string[]): string {
  checkSecureUrl('POSTERN_ADMIN_ORIGIN', origin, isLocal, problems)
  if (URL.canParse(origin) && new URL(origin).origin !== origin) {
    problems.push('POSTERN_ADMIN_ORIGIN must be an origin such as https://console.example.com, with no path')
  }
  return origin
}

function checkSecureUrl(name: string, value: string, isLocal: (hostname: string) => boolean, problems: string[]): void {
  const url = URL.canParse(value) ? new URL(value) : null
  const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLocal(url.hostname))
  if (!isSecure) problems.push(`${name} must be an https URL, or http on this machine`)
  else if (url.search + url.hash + url.username + url.password !== '') {
    problems.push(`${name} must have no query, fragment, user or password`)
  }
}
