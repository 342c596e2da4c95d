/** The admin port of a running gateway. */
import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import { version } from '../package.json'
import type { Config } from './config'
import { createAdminApp } from './operator/admin/app'
import { createAudit } from './operator/admin/audit'
import type { AdminConfig } from './operator/admin/config'
import { createHealth } from './operator/admin/health'
import { createOidcProvider } from './operator/admin/oidc/provider'
import { createOidcSessions } from './operator/admin/oidc/sessions'
import type { OperatorEnv } from './operator/admin/operators'
import { summarise } from './operator/admin/summary'
import { createUsers } from './operator/admin/users'
import { createFiles } from './platform/html/files'
import { clientAddress } from './platform/http/client-address'
import { createMemoryLimiter } from './platform/limits/memory'
import type { Log } from './platform/log/log'
import type { Metrics } from './platform/metrics/metrics'
import { hashSecret, newSecret } from './platform/secrets/secrets'
import { signInNetworks } from './projects/sign-in-networks'
import type { Services } from './services'
import { traceRequests } from './site/request-traces'
import { readPinnedTag } from './site/script'

const walletsPerPage = 40

export function composeAdminApp(
  config: Pick<Config, 'trustedProxies' | 'modalOrigin' | 'consoleDir' | 'sdkDir' | 'mail' | 'networks'>,
  { operators, origin, oidc }: AdminConfig,
  {
    database,
    projects,
    auth,
    directory,
    now,
  }: Pick<Services, 'database' | 'projects' | 'auth' | 'directory'> & {
    /** Epoch ms. */
    readonly now: () => number
  },
  metrics: Metrics,
  log: Log,
): Hono<OperatorEnv> {
  const audit = createAudit(database, now)
  const sdkFiles = createFiles(config.sdkDir)
  const signIn =
    oidc === undefined
      ? null
      : {
          provider: createOidcProvider(oidc, origin, now),
          sessions: createOidcSessions(database, oidc, { now, newSecret, hashSecret }),
          roles: oidc.roles,
          audit,
          log,
        }
  return createAdminApp({
    parts: {
      projects,
      users: createUsers(database, auth),
      audit,
      sessions: auth.sessions,
      operatorSessions: signIn?.sessions ?? null,
      health: createHealth({
        database,
        metrics,
        version,
        hasMail: config.mail !== undefined,
        clock: () => performance.now(),
      }),
      findWallets: (query) => directory.query({ ...query, entries: walletsPerPage }),
      summarise: (query) => summarise(database, query, now()),
      signInNetworks: signInNetworks(config.networks),
      modalOrigin: config.modalOrigin,
      pinnedTag: () => readPinnedTag(sdkFiles),
    },
    operators,
    origin,
    signIn,
    limiter: createMemoryLimiter({ now }),
    clientAddress: (context: Context<{ Bindings: HttpBindings }>) =>
      clientAddress(
        context.env.incoming.socket.remoteAddress ?? '',
        context.req.header('X-Forwarded-For'),
        config.trustedProxies,
      ),
    consoleFiles: createFiles(config.consoleDir),
    version,
    log,
    traceRequests,
  })
}
