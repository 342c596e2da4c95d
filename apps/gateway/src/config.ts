/**
 * The gateway's configuration: the environment, parsed once at start. Everything has a default in development;
 * `config-production.ts` has what production requires. docs/operate/settings.md has the table.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { builtInNetworks, CaipNetworkId, isCaipNetworkId, NetworkDefinition } from '@postern/protocol'
import { builtInUpstreams } from '@postern/protocol/upstreams.gen'
import * as z from 'zod/mini'
import { type AdminConfig, readOperators } from './admin/config'
import { readOidc } from './admin/oidc/config'
import { type BlockchainConfig, readBlockchain } from './blockchain/config'
import type { OperationBudgets } from './bundler/budgets'
import { type AccountAbstraction, readAccountAbstraction, readMaxPerOperation } from './bundler/config'
import { productionProblems } from './config-production'
import { Environment } from './environment'
import { type FarcasterConfig, readFarcaster } from './farcaster/config'
import { parseIpAddress } from './http/ip-address'
import { places } from './places'
import { hasUserInfo, type KeysOfProjects, readProjectKeys } from './project-keys'
import { ProjectInput } from './projects/project'
import { WrappedSecrets } from './secrets/key-service'
import { SecretKeys } from './secrets/secrets'
import { readSocials, type SocialConfig } from './social/config'
import { readTracing, type TracingConfig } from './tracing/config'

export type GatewayNetwork = {
  readonly id: CaipNetworkId
  readonly upstreams: readonly string[]
  /** Sent to the modal host; never contains `upstreams`, which may carry keys. */
  readonly definition?: NetworkDefinition
}

export type Config = {
  readonly production: boolean
  readonly host: string
  readonly port: number
  /** Serialised origins; the two sites differ by host name. */
  readonly modalOrigin: string
  readonly walletOrigin: string
  /** Default: the embedded database in `dataDir`. */
  readonly databaseUrl?: string
  readonly dataDir: string
  readonly modalDir: string
  readonly walletDir: string
  readonly consoleDir: string
  readonly sdkDir: string
  /** Where the files of earlier builds are stored. Absent: the gateway serves its own build only. */
  readonly earlierBuildsDir?: string
  readonly directoryDir: string
  /** Fallback pictures for those that `directoryDir` lacks. */
  readonly assetsDir: string
  readonly staticDir: string
  readonly migrationsDir: string
  readonly networks: readonly GatewayNetwork[]
  readonly seed: readonly ProjectInput[]
  readonly projectKeys: KeysOfProjects
  readonly logLevel: string
  /** Absent: no metrics. */
  readonly metrics?: { readonly host: string; readonly port: number }
  /** Absent: no traces. */
  readonly tracing?: TracingConfig
  /** Absent: no admin API and no console. */
  readonly admin?: AdminConfig
  /** Proxies in front that append to X-Forwarded-For; 0 ignores the header. */
  readonly trustedProxies: number
  /** Header in which the proxy in front puts the caller's country code; null: none. */
  readonly regionHeader: string | null
  readonly relayUrl: string
  /** For `/.well-known/security.txt`: URIs, the preferred one first. */
  readonly securityContacts: readonly string[]
  readonly rpcRate: { readonly perSecond: number; readonly burst: number }
  /** All callers of a project together; `rpcRate` is per caller. In JSON-RPC calls. */
  readonly projectRate: { readonly perSecond: number; readonly burst: number }
  /** Smart accounts exist only on networks with a bundler. */
  readonly accountAbstraction: AccountAbstraction
  readonly operationBudgets: OperationBudgets
  readonly blockchain: BlockchainConfig
  readonly analyticsDays: number
  /** Rotation interval of the token-signing keys. */
  readonly signInKeyDays: number
  readonly socials: SocialConfig
  readonly farcaster: FarcasterConfig | null
  /** Absent in development: generated and stored in `dataDir`. */
  readonly secrets?: SecretKeys | WrappedSecrets
  /** For wrapped secrets. */
  readonly keyServiceToken?: string
  /** `terminal`: emails are printed. Absent: no email is sent, and sign-in by email is off. */
  readonly mail?: 'terminal' | { readonly url: string; readonly from: string; readonly requireTls: boolean }
  /** Emails per hour. */
  readonly mailRates: { readonly perCaller: number; readonly perProject: number }
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  constructor(readonly problems: readonly string[]) {
    super(`The gateway's configuration is not right:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
  }
}

/** A project's burst, in seconds of its rate. */
const projectBurstSeconds = 20

const HttpUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' })

/** A full definition, or a built-in network's id with other upstreams. */
const NetworkEntry = z.union([
  z.extend(NetworkDefinition, { upstreams: z.optional(z.array(HttpUrl).check(z.minLength(1))) }),
  z.strictObject({ id: CaipNetworkId, upstreams: z.array(HttpUrl).check(z.minLength(1)) }),
])

/**
 * @param env `process.env`, or a test's own record. Empty variables count as unset.
 * @throws {ConfigError} lists every invalid variable.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const production = set.NODE_ENV === 'production'
  const problems = production ? productionProblems(set) : []
  const variables = readVariables(set, problems)

  const modalOrigin = variables.MODAL_ORIGIN ?? (production ? '' : `http://modal.postern.localhost:${variables.PORT}`)
  const walletOrigin =
    variables.WALLET_ORIGIN ?? (production ? '' : `http://wallet.postern.localhost:${variables.PORT}`)
  if (modalOrigin !== '' && hostOf(modalOrigin) === hostOf(walletOrigin)) {
    problems.push('WALLET_ORIGIN must have another host than MODAL_ORIGIN: keys live behind that difference')
  }

  if (variables.METRICS_PORT === variables.PORT && variables.PORT !== 0) {
    problems.push('METRICS_PORT must be another port than PORT, which is public')
  }

  const operators = readOperators(variables.POSTERN_ADMIN_TOKEN, variables.POSTERN_ADMIN_TOKENS, problems)
  const oidc = readOidc(set, { port: variables.POSTERN_ADMIN_PORT, isLocal: isLoopback }, problems)
  const hasAdmin = operators !== undefined || oidc !== undefined
  const takenPorts = [variables.PORT, variables.METRICS_PORT]
  if (hasAdmin && variables.POSTERN_ADMIN_PORT !== 0) {
    if (takenPorts.includes(variables.POSTERN_ADMIN_PORT)) {
      problems.push('POSTERN_ADMIN_PORT must be another port than PORT, which is public, and METRICS_PORT')
    }
  }

  const regionHeader = variables.REGION_HEADER ?? null
  if (regionHeader !== null && variables.TRUSTED_PROXIES === 0) {
    problems.push('REGION_HEADER needs TRUSTED_PROXIES: without a proxy in front, callers write that header themselves')
  }

  const networks = collect(problems, 'POSTERN_NETWORKS', () => readNetworks(variables.POSTERN_NETWORKS))
  const projectKeys = readProjectKeys(set.POSTERN_PROJECT_KEYS, new Set((networks ?? []).map(({ id }) => id)), problems)
  const seed = collect(problems, 'POSTERN_SEED', () => readJson(z.array(ProjectInput), variables.POSTERN_SEED))
  const secrets = collect(problems, 'POSTERN_SECRETS', () => readSecrets(variables.POSTERN_SECRETS))
  const keyServiceToken = collect(problems, 'POSTERN_KEY_SERVICE_TOKEN', () =>
    readToken(variables.POSTERN_KEY_SERVICE_TOKEN),
  )
  if (secrets !== undefined && 'wrapped' in secrets && keyServiceToken === undefined) {
    problems.push('POSTERN_KEY_SERVICE_TOKEN must be set: a key service has wrapped POSTERN_SECRETS')
  }
  const { SMTP_URL: smtpUrl, MAIL_FROM: mailFrom } = variables
  const accountAbstraction = collect(problems, 'POSTERN_BUNDLERS or POSTERN_PAYMASTERS', () =>
    readAccountAbstraction(variables.POSTERN_BUNDLERS, variables.POSTERN_PAYMASTERS),
  )
  const blockchain = readBlockchain(set, problems)
  const tracing = readTracing(set, problems)
  const socials = readSocials(set, production, problems)
  const farcaster = readFarcaster(set, production, problems)
  if (farcaster !== null && networks?.every(({ id }) => id !== farcaster.networkId)) {
    problems.push(`FARCASTER_NETWORK ${farcaster.networkId} is not among the networks of this gateway`)
  }
  if (problems.length > 0) throw new ConfigError(problems)

  const { packageDir, pages } = places
  return {
    production,
    host: variables.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    port: variables.PORT,
    modalOrigin,
    walletOrigin,
    ...(variables.DATABASE_URL === undefined ? {} : { databaseUrl: variables.DATABASE_URL }),
    dataDir: path.resolve(variables.POSTERN_DATA ?? places.dataDir),
    modalDir: path.resolve(variables.POSTERN_MODAL_DIR ?? pages.modal),
    walletDir: path.resolve(variables.POSTERN_WALLET_DIR ?? pages.wallet),
    consoleDir: path.resolve(variables.POSTERN_CONSOLE_DIR ?? pages.console),
    sdkDir: path.resolve(variables.POSTERN_SDK_DIR ?? pages.sdk),
    ...(variables.POSTERN_ASSETS === undefined ? {} : { earlierBuildsDir: path.resolve(variables.POSTERN_ASSETS) }),
    directoryDir: path.resolve(variables.POSTERN_DIRECTORY ?? path.join(packageDir, 'data')),
    assetsDir: path.join(packageDir, 'data'),
    staticDir: path.join(packageDir, 'static'),
    migrationsDir: path.join(packageDir, 'drizzle'),
    networks: networks ?? [],
    seed: seed ?? [],
    projectKeys,
    logLevel: variables.LOG_LEVEL,
    ...(variables.METRICS_PORT === undefined
      ? {}
      : { metrics: { host: variables.METRICS_HOST, port: variables.METRICS_PORT } }),
    ...(tracing !== undefined && { tracing }),
    ...(hasAdmin && {
      admin: {
        host: variables.POSTERN_ADMIN_HOST,
        port: variables.POSTERN_ADMIN_PORT,
        operators: operators ?? [],
        ...(oidc !== undefined && { oidc }),
      },
    }),
    trustedProxies: variables.TRUSTED_PROXIES,
    regionHeader,
    relayUrl: variables.WALLETCONNECT_RELAY_URL,
    securityContacts: variables.SECURITY_CONTACT?.split(',') ?? [],
    rpcRate: { perSecond: variables.RPC_RATE_PER_SECOND, burst: variables.RPC_RATE_BURST },
    projectRate: {
      perSecond: variables.RPC_RATE_PER_PROJECT,
      // Never below a single caller's burst.
      burst: Math.max(variables.RPC_RATE_PER_PROJECT * projectBurstSeconds, variables.RPC_RATE_BURST),
    },
    accountAbstraction: accountAbstraction ?? { bundlers: new Map(), paymasters: new Map() },
    operationBudgets: {
      bundler: { perUser: variables.BUNDLER_CALLS_PER_USER_DAY, perProject: variables.BUNDLER_CALLS_PER_PROJECT_DAY },
      paymaster: {
        perUser: variables.PAYMASTER_CALLS_PER_USER_DAY,
        perProject: variables.PAYMASTER_CALLS_PER_PROJECT_DAY,
        ...readMaxPerOperation(variables.PAYMASTER_MAX_PER_OPERATION),
      },
    },
    blockchain,
    analyticsDays: variables.ANALYTICS_DAYS,
    signInKeyDays: variables.SIGN_IN_KEY_DAYS,
    socials,
    farcaster,
    ...(secrets === undefined ? {} : { secrets }),
    ...(keyServiceToken === undefined ? {} : { keyServiceToken }),
    ...mailOf(smtpUrl, mailFrom, production),
    // In development, one machine acts as all visitors.
    mailRates: {
      perCaller: variables.MAIL_RATE_PER_CALLER ?? (production ? 120 : 10_000),
      perProject: variables.MAIL_RATE_PER_PROJECT ?? (production ? 3_000 : 10_000),
    },
  }
}

function mailOf(url: string | undefined, from: string | undefined, production: boolean): Pick<Config, 'mail'> {
  if (url === undefined || url === 'off') return {}
  if (url === 'terminal') return { mail: url }
  return {
    mail: {
      url,
      from: from ?? 'Postern <sign-in@postern.localhost>',
      // Codes need TLS, except to a server on this machine.
      requireTls: production && !isLoopback(new URL(url).hostname),
    },
  }
}

/** Adds what is invalid to `problems` and reads the other variables, so that all problems are listed at once. */
function readVariables(env: Readonly<Record<string, string | undefined>>, problems: string[]) {
  const parsed = Environment.safeParse(env)
  if (parsed.success) return parsed.data
  problems.push(...describe(parsed.error))
  const invalid = new Set(parsed.error.issues.map(({ path: [name] }) => name))
  return Environment.parse(Object.fromEntries(Object.entries(env).filter(([name]) => !invalid.has(name))))
}

function readNetworks(source: string | undefined): GatewayNetwork[] {
  const definitions = new Map(Object.values(builtInNetworks).map((network) => [network.id, network]))
  const known = new Map<CaipNetworkId, GatewayNetwork>()
  for (const [id, upstreams = []] of Object.entries(builtInUpstreams)) {
    if (isCaipNetworkId(id) && upstreams.length > 0) known.set(id, { id, upstreams })
  }
  for (const entry of readJson(z.array(NetworkEntry), source)) {
    const urls = [...(entry.upstreams ?? []), ...('name' in entry ? (entry.rpcUrls ?? []) : [])]
    if (urls.some(hasUserInfo)) {
      throw new Error(`${entry.id} has a URL with user:password@: put the key into its path or query`)
    }
    if (!('name' in entry)) {
      if (!definitions.has(entry.id))
        throw new Error(`${entry.id} is not built in: give its name and nativeCurrency too`)
      known.set(entry.id, { id: entry.id, upstreams: entry.upstreams })
      continue
    }
    const { upstreams = entry.rpcUrls ?? [], ...definition } = entry
    if (upstreams.length === 0) throw new Error(`${entry.id} needs upstreams or rpcUrls`)
    known.set(entry.id, { id: entry.id, upstreams, definition })
  }
  return [...known.values()]
}

/** JSON text (starts with `[`) or a file's path; empty if not set. */
function readJson<T>(schema: z.ZodMiniType<T[]>, source: string | undefined): T[] {
  if (source === undefined) return []
  const text = source.trimStart().startsWith('[') ? source : readFileSync(source, 'utf8')
  const parsed = schema.safeParse(JSON.parse(text))
  if (!parsed.success) throw new Error(describe(parsed.error).join('; '))
  return parsed.data
}

/** JSON text (starts with `{`) or a file's path. Errors never contain the secrets. */
function readSecrets(source: string | undefined): SecretKeys | WrappedSecrets | undefined {
  if (source === undefined) return undefined
  let value: unknown
  try {
    value = JSON.parse(source.trimStart().startsWith('{') ? source : readFileSync(source, 'utf8'))
  } catch {
    throw new Error('neither JSON nor a file that holds it')
  }
  const isWrapped = typeof value === 'object' && value !== null && 'wrapped' in value
  const parsed = isWrapped ? WrappedSecrets.safeParse(value) : SecretKeys.safeParse(value)
  if (!parsed.success) throw new Error(describe(parsed.error).join('; '))
  return parsed.data
}

/** The token, or the path of a file that holds it (starts with `/`). */
function readToken(source: string | undefined): string | undefined {
  return source?.startsWith('/') ? readFileSync(source, 'utf8').trim() : source
}

function collect<T>(problems: string[], name: string, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

function describe(error: z.core.$ZodError): string[] {
  return error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || parseIpAddress(hostname.replace(/^\[|\]$/g, ''))?.range() === 'loopback'
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : origin
}
