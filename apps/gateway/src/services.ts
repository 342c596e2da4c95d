/** Parts with state or connections, opened in this order, closed at the process's stop. */
import path from 'node:path'
import { SpanKind } from '@opentelemetry/api'
import { limits } from '@postern/protocol'
import { type Auth, createAuth } from './accounts/auth'
import { createMailer, type Mailer } from './accounts/mail/mailer'
import { createTerminalMailer } from './accounts/mail/terminal-mailer'
import { createWalletEnds, type WalletEnds } from './accounts/shares/ends'
import { createWalletStore, type WalletStore } from './accounts/shares/store'
import { createSignIns, type SignIns } from './accounts/siwx/siwx'
import { loadTokens } from './chains/blockchain/tokens'
import type { Config } from './config'
import { warnOfPublicUpstreams } from './config-production'
import { createAudit } from './operator/admin/audit'
import { auditedProjects } from './operator/admin/audited-projects'
import { commandLine } from './platform/db/admin-schema'
import { type Database, openConfigured } from './platform/db/open'
import type { Log } from './platform/log/log'
import { createLogOnce } from './platform/log/log-once'
import { createMetrics, type Metrics } from './platform/metrics/metrics'
import { openSecrets } from './platform/secrets/open'
import type { Secrets } from './platform/secrets/secrets'
import { inSpan, traceFetch } from './platform/tracing/spans'
import type { UpstreamOptions } from './platform/upstreams/attempt'
import { createLargeBodies } from './platform/upstreams/large-bodies'
import { serveControl } from './projects/control'
import { mailOf } from './projects/project'
import { cacheProjects } from './projects/project-cache'
import { createProjectStore, type ProjectStore, seedProjects, warnOfDefaultAncestors } from './projects/store'
import { type Analytics, createAnalytics } from './site/analytics/store'
import { createDirectory, type Directory, loadDirectory } from './site/directory'
import { checkBuiltPages, openConfiguredBuilds } from './site/pages/built-pages'
import type { EarlierBuilds } from './site/pages/earlier-builds'

const maxResponseBytes = 10_485_760
/** A lasting fault is logged once in this time. */
const faultPeriodMs = 60_000

export type Services = {
  readonly database: Database
  /** Null if neither metrics nor the admin API are served. */
  readonly metrics: Metrics | null
  readonly projects: ProjectStore
  /** Number of projects added from the configuration. */
  readonly seeded: Awaited<ReturnType<typeof seedProjects>>
  readonly directory: Directory
  readonly listedTokens: Awaited<ReturnType<typeof loadTokens>>
  readonly secrets: Secrets
  readonly auth: Auth
  readonly wallets: WalletStore
  readonly walletEnds: WalletEnds
  readonly signIns: SignIns
  readonly analytics: Analytics
  readonly upstreamOptions: UpstreamOptions
  /** Null if no folder is configured. */
  readonly earlierBuilds: EarlierBuilds | null
  close(): Promise<void>
}

export async function openServices(config: Config, log: Log): Promise<Services> {
  await checkBuiltPages(config)
  const database = await openConfigured(config, (error) => log.error({ err: error }, 'database connection lost'))
  try {
    return await openOn(database, config, log)
  } catch (error) {
    await database.close()
    throw error
  }
}

async function openOn(database: Database, config: Config, log: Log): Promise<Services> {
  const metrics =
    config.metrics === undefined && config.admin === undefined ? null : createMetrics(database.pool ?? null)
  const projects = cacheProjects(createProjectStore(database, Date.now, { defaultAncestors: !config.production }), {
    now: Date.now,
  })
  const seeded = await seedProjects(projects, config.seed)
  if (config.production) {
    await warnOfDefaultAncestors(projects, log)
    warnOfPublicUpstreams(config.networks, log)
  }
  const directory = createDirectory(await loadDirectory(config.directoryDir, config.assetsDir))
  const listedTokens = await loadTokens(path.join(config.assetsDir, 'tokens.json'))
  const secrets = await openSecrets(config)
  const earlierBuilds = await openConfiguredBuilds(config)
  // Last: an open socket would keep a process that cannot start alive.
  const stopControl =
    database.kind === 'embedded'
      ? await serveControl(
          auditedProjects(projects, createAudit(database, Date.now), commandLine),
          path.join(config.dataDir, 'gateway.sock'),
        )
      : null
  const logOnce = createLogOnce(faultPeriodMs, () => performance.now())
  return {
    database,
    metrics,
    projects,
    seeded,
    directory,
    listedTokens,
    secrets,
    auth: createAuth({
      database,
      secrets,
      mailer: mailerOf(config.mail, metrics),
      mailRates: config.mailRates,
      async projectMailOf(id) {
        const project = await projects.find(id)
        return project === null ? {} : mailOf(project)
      },
      walletOrigin: config.walletOrigin,
      log,
      onSignIn: metrics?.onSignIn,
      now: Date.now,
    }),
    wallets: createWalletStore({
      database,
      authSealer: secrets.authShares,
      recoverySealer: secrets.recoveryShares,
      now: Date.now,
    }),
    walletEnds: createWalletEnds({ database, sealer: secrets.identities, now: Date.now }),
    signIns: createSignIns({ database, secrets, rotateEvery: config.signInKeyDays * 86_400_000, now: Date.now }),
    analytics: createAnalytics({ database, log, now: Date.now, days: config.analyticsDays }),
    upstreamOptions: {
      fetch: traceFetch(fetch),
      now: Date.now,
      timeout: limits.rpcTimeout,
      maxResponseBytes,
      largeBodies: createLargeBodies(),
      onFailure(failure) {
        logOnce(`${failure.host} ${failure.reason}`, (more) => log.warn({ ...failure, ...more }, 'upstream failed'))
        metrics?.onUpstream(failure.host, failure.reason)
      },
      onAnswer: (host) => metrics?.onUpstream(host, 'answered'),
    },
    earlierBuilds,
    async close() {
      await stopControl?.()
      await database.close()
    },
  }
}

function mailerOf(mail: Config['mail'], metrics: Metrics | null): Mailer | null {
  if (mail === undefined) return null
  const write = (text: string): void => void process.stdout.write(text)
  return countMails(mail === 'terminal' ? createTerminalMailer(write) : createMailer(mail), metrics)
}

function countMails(mailer: Mailer, metrics: Metrics | null): Mailer {
  return {
    async send(mail) {
      try {
        await inSpan('send email', { kind: SpanKind.CLIENT }, () => mailer.send(mail))
        metrics?.onMail('sent')
      } catch (error) {
        metrics?.onMail('failed')
        throw error
      }
    },
  }
}
