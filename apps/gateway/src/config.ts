/**
 * The environment, parsed once at start. `config-production.ts` has what production requires; docs/operate/settings.md
 * has the table.
 */
import path from 'node:path'
import { builtInNetworks, type CaipNetworkId, isCaipNetworkId, NetworkDefinition } from '@postern/protocol'
import { builtInUpstreams } from '@postern/protocol/networks/upstreams.gen'
import * as z from 'zod/mini'
import { type FarcasterConfig, readFarcaster } from './accounts/farcaster/config'
import { readSocials, type SocialConfig } from './accounts/social/config'
import { type BlockchainConfig, readBlockchain } from './chains/blockchain/config'
import type { OperationBudgets } from './chains/bundler/budgets'
import { type AccountAbstraction, readAccountAbstraction, readMaxPerOperation } from './chains/bundler/config'
import { productionProblems } from './config-production'
import { Environment } from './environment'
import { type AdminConfig, readOperators } from './operator/admin/config'
import { readAdminOrigin, readOidc } from './operator/admin/oidc/config'
import { parseIpAddress } from './platform/http/ip-address'
import { WrappedSecrets } from './platform/secrets/key-service'
import { SecretKeys } from './platform/secrets/secrets'
import { ConfigError } from './platform/settings/config-error'
import { checkSetting, EndpointUrl, NetworkId, readJsonSetting } from './platform/settings/json-setting'
import { places } from './platform/settings/places'
import { textOrFile } from './platform/settings/text-or-file'
import { readTracing, type TracingConfig } from './platform/tracing/config'
import type { GatewayNetwork } from './platform/upstreams/gateway-network'
import type { CallRates } from './projects/caller-limit'
import { type KeysOfProjects, readProjectKeys } from './projects/keys'
import { ProjectInput } from './projects/project'

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
  /** Files of earlier builds. Absent: the gateway serves its own build only. */
  readonly earlierBuildsDir?: string
  readonly directoryDir: string
  /** For pictures that `directoryDir` lacks. */
  readonly assetsDir: string
  readonly staticDir: string
  readonly migrationsDir: string
  readonly networks: readonly GatewayNetwork[]
  readonly seed: readonly ProjectInput[]
  readonly projectKeys: KeysOfProjects
  readonly logLevel: string
  readonly metrics?: { readonly host: string; readonly port: number }
  readonly tracing?: TracingConfig
  readonly admin?: AdminConfig
  /** Proxies in front that append to X-Forwarded-For; 0 ignores the header. */
  readonly trustedProxies: number
  /** The proxy's header with the caller's country code. */
  readonly regionHeader: string | null
  readonly relayUrl: string
  /** `gateway dev` alone: the wallet trusts pages of this machine. */
  readonly trustsLoopback: boolean
  /** URIs, the preferred one first. */
  readonly securityContacts: readonly string[]
  readonly callRates: CallRates
  /** Smart accounts need a bundler. */
  readonly accountAbstraction: AccountAbstraction
  readonly operationBudgets: OperationBudgets
  readonly blockchain: BlockchainConfig
  readonly analyticsDays: number
  readonly signInKeyDays: number
  readonly socials: SocialConfig
  readonly farcaster: FarcasterConfig | null
  /** Absent in development: generated and stored in `dataDir`. */
  readonly secrets?: SecretKeys | WrappedSecrets
  readonly keyServiceToken?: string
  /** `terminal`: emails are printed. Absent: no sign-in by email. */
  readonly mail?: 'terminal' | { readonly url: string; readonly from: string; readonly requireTls: boolean }
  /** Emails per hour. */
  readonly mailRates: { readonly perCaller: number; readonly perProject: number }
}

/** A project's burst, in seconds of its rate. */
const projectBurstSeconds = 20

const Endpoints = z.array(EndpointUrl).check(z.minLength(1, 'must name an endpoint'))
const NetworkEntry = z.extend(NetworkDefinition, {
  id: NetworkId,
  rpcUrls: z.optional(z.array(EndpointUrl)),
  upstreams: z.optional(Endpoints),
})
/** Of a built-in network. */
const UpstreamsEntry = z.strictObject({ id: NetworkId, upstreams: Endpoints })

/**
 * @param env empty variables count as unset.
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
  const oidc = readOidc(set, isLoopback, problems)
  const hasAdmin = operators !== undefined || oidc !== undefined
  const adminPort = variables.POSTERN_ADMIN_PORT
  const adminOrigin = readAdminOrigin(set.POSTERN_ADMIN_ORIGIN ?? `http://127.0.0.1:${adminPort}`, isLoopback, problems)
  const takenPorts = [variables.PORT, variables.METRICS_PORT]
  if (hasAdmin && adminPort !== 0) {
    if (takenPorts.includes(adminPort)) {
      problems.push('POSTERN_ADMIN_PORT must be another port than PORT, which is public, and METRICS_PORT')
    }
  }

  const regionHeader = variables.REGION_HEADER ?? null
  if (regionHeader !== null && variables.TRUSTED_PROXIES === 0) {
    problems.push('REGION_HEADER needs TRUSTED_PROXIES: without a proxy in front, callers write that header themselves')
  }

  const networks = readNetworks(variables.POSTERN_NETWORKS, problems)
  const projectKeys = readProjectKeys(set.POSTERN_PROJECT_KEYS, new Set(networks.map(({ id }) => id)), problems)
  const seed = readJsonSetting('POSTERN_SEED', z.array(ProjectInput), variables.POSTERN_SEED, problems) ?? []
  const secrets = readSecrets(variables.POSTERN_SECRETS, problems)
  const keyServiceToken = textOrFile('POSTERN_KEY_SERVICE_TOKEN', variables.POSTERN_KEY_SERVICE_TOKEN, problems)
  if (secrets !== undefined && 'wrapped' in secrets && keyServiceToken === undefined) {
    problems.push('POSTERN_KEY_SERVICE_TOKEN must be set: a key service has wrapped POSTERN_SECRETS')
  }
  const { SMTP_URL: smtpUrl, MAIL_FROM: mailFrom } = variables
  const accountAbstraction = readAccountAbstraction(variables, problems)
  const blockchain = readBlockchain(set, problems)
  const tracing = readTracing(set, problems)
  const socials = readSocials(set, production, problems)
  const farcaster = readFarcaster(set, production, problems)
  if (farcaster !== null && networks.every(({ id }) => id !== farcaster.networkId)) {
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
    networks,
    seed,
    projectKeys,
    logLevel: variables.LOG_LEVEL,
    ...(variables.METRICS_PORT === undefined
      ? {}
      : { metrics: { host: variables.METRICS_HOST, port: variables.METRICS_PORT } }),
    ...(tracing !== undefined && { tracing }),
    ...(hasAdmin && {
      admin: {
        host: variables.POSTERN_ADMIN_HOST,
        port: adminPort,
        origin: adminOrigin,
        operators: operators ?? [],
        ...(oidc !== undefined && { oidc }),
      },
    }),
    trustedProxies: variables.TRUSTED_PROXIES,
    regionHeader,
    relayUrl: variables.WALLETCONNECT_RELAY_URL,
    trustsLoopback: false,
    securityContacts: variables.SECURITY_CONTACT?.split(',') ?? [],
    callRates: {
      caller: {
        name: 'calls of a caller',
        burst: variables.RPC_RATE_BURST,
        every: 1_000 / variables.RPC_RATE_PER_SECOND,
      },
      project: {
        name: 'calls of a project',
        // Never below a single caller's burst.
        burst: Math.max(variables.RPC_RATE_PER_PROJECT * projectBurstSeconds, variables.RPC_RATE_BURST),
        every: 1_000 / variables.RPC_RATE_PER_PROJECT,
      },
    },
    accountAbstraction,
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
    // One machine acts as all visitors.
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

/** So that all problems are listed at once. */
function readVariables(env: Readonly<Record<string, string | undefined>>, problems: string[]) {
  const parsed = Environment.safeParse(env)
  if (parsed.success) return parsed.data
  problems.push(...parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`))
  const invalid = new Set(parsed.error.issues.map(({ path: [name] }) => name))
  return Environment.parse(Object.fromEntries(Object.entries(env).filter(([name]) => !invalid.has(name))))
}

/** Built-in networks, and those of the setting: with a name a definition, without one other upstreams. */
function readNetworks(source: string | undefined, problems: string[]): GatewayNetwork[] {
  const name = 'POSTERN_NETWORKS'
  const known = new Map<CaipNetworkId, GatewayNetwork>()
  for (const [id, upstreams = []] of Object.entries(builtInUpstreams)) {
    if (isCaipNetworkId(id) && upstreams.length > 0) known.set(id, { id, upstreams })
  }
  const builtIn = new Set<string>(Object.values(builtInNetworks).map(({ id }) => id))
  const values = readJsonSetting(name, z.array(z.unknown()), source, problems) ?? []
  for (const [index, value] of values.entries()) {
    const entry = checkSetting(`${name}[${index}]`, z.looseObject({ id: NetworkId }), value, problems)
    if (entry === undefined) continue
    if ('name' in entry) {
      const read = checkSetting(`${name}[${index}]`, NetworkEntry, entry, problems)
      if (read === undefined) continue
      const { upstreams = read.rpcUrls ?? [], ...definition } = read
      if (upstreams.length === 0) problems.push(`${name}: ${entry.id} needs upstreams or rpcUrls`)
      known.set(entry.id, { id: entry.id, upstreams, definition })
    } else if (builtIn.has(entry.id)) {
      const read = checkSetting(`${name}[${index}]`, UpstreamsEntry, entry, problems)
      if (read !== undefined) known.set(entry.id, read)
    } else problems.push(`${name}: ${entry.id} is not built in: give its name and nativeCurrency too`)
  }
  return [...known.values()]
}

function readSecrets(source: string | undefined, problems: string[]): SecretKeys | WrappedSecrets | undefined {
  const name = 'POSTERN_SECRETS'
  const value = readJsonSetting(name, z.looseObject({}), source, problems)
  if (value === undefined) return undefined
  return 'wrapped' in value
    ? checkSetting(name, WrappedSecrets, value, problems)
    : checkSetting(name, SecretKeys, value, problems)
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || parseIpAddress(hostname.replace(/^\[|\]$/g, ''))?.range() === 'loopback'
}

function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : origin
}
