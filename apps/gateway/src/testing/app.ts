/** The app on a real database and a small build folder. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Hono } from 'hono'
import { type Auth, createAuth } from '../accounts/auth'
import type { Mail } from '../accounts/mail/mailer'
import { createWalletEnds } from '../accounts/shares/ends'
import { createWalletStore } from '../accounts/shares/store'
import { createSignIns } from '../accounts/siwx/siwx'
import { createFlows } from '../accounts/social/flows'
import { createApp } from '../app'
import { RemoteError } from '../chains/blockchain/remote/public-fetch'
import { createEsplora } from '../chains/esplora/upstream'
import type { Database } from '../platform/db/open'
import { createFiles } from '../platform/html/files'
import { createLog } from '../platform/log/log'
import { createSecrets, newSecretKeys, type Secrets } from '../platform/secrets/secrets'
import type { UpstreamOptions } from '../platform/upstreams/attempt'
import { createUpstreams, type Upstreams } from '../platform/upstreams/rpc'
import { ProjectInput } from '../projects/project'
import { createProjectStore, type ProjectStore } from '../projects/store'
import { type Analytics, createAnalytics } from '../site/analytics/store'
import type { Accounts, Chains, Platform, Projects, Site } from '../site/dependencies'
import { callLimit } from './call-limit'
import { noon } from './clock'
import { openTestDatabase } from './databases'
import { noBlockchain } from './no-blockchain'

export const modalOrigin = 'https://modal.postern.example'
export const walletOrigin = 'https://wallet.postern.example'

export type TestApp = {
  readonly database: Database
  readonly secrets: Secrets
  readonly auth: Auth
  readonly analytics: Analytics
  readonly projects: ProjectStore
  /** Build folder; tests may write to it. */
  readonly modalDir: string
  readonly walletDir: string
  readonly sdkDir: string
  log(): string
  /** For a server on a port. */
  readonly fetch: Hono['fetch']
  get(url: string, headers?: Record<string, string>): Promise<Response>
  request(url: string, init: RequestInit): Promise<Response>
  post(url: string, body: unknown, headers?: Record<string, string>): Promise<Response>
  /** Accepted emails, oldest first. */
  readonly mails: Mail[]
  /** For GET and POST. */
  readonly routes: readonly { readonly method: string; readonly path: string }[]
  close(): Promise<void>
}

/** Fields of any part. */
export type Overrides = Partial<Platform & Projects & Accounts & Omit<Chains, 'upstreams'> & Site> & {
  readonly upstreams?: Upstreams
}

export const indexHtml =
  '<!doctype html><html><head><meta charset="utf-8"><script type="module" src="/assets/main-abc.js"></script></head><body></body></html>'

/**
 * `demo` allows https://app.example.com and https://*.preview.example.com; `strict` only the first, without default
 * ancestors.
 *
 * @param restored a filled database in place of a new one, with its secrets.
 */
export async function startTestApp(
  overrides: Overrides = {},
  restored?: { readonly database: Database; readonly secrets: Secrets },
): Promise<TestApp> {
  const dir = await mkdtemp(path.join(tmpdir(), 'postern-app-'))
  const modalDir = path.join(dir, 'modal')
  const walletDir = path.join(dir, 'wallet')
  await mkdir(path.join(modalDir, 'assets'), { recursive: true })
  await mkdir(path.join(walletDir, 'assets'), { recursive: true })
  await writeFile(path.join(walletDir, 'assets/sdk-abc.js'), 'export {}')
  await writeFile(path.join(modalDir, 'index.html'), indexHtml)
  await writeFile(path.join(modalDir, 'assets/main-abc.js'), 'export {}')
  await writeFile(path.join(modalDir, 'assets/main-abc.js.br'), 'brotli')
  await writeFile(path.join(modalDir, 'licences.txt'), 'react 19')
  await writeFile(path.join(walletDir, 'licences.txt'), 'viem 2')
  await writeFile(path.join(dir, 'postern.js'), '(() => {})()')

  const database = restored?.database ?? (await openTestDatabase())
  const now = overrides.now ?? (() => noon)
  const projects = createProjectStore(database, now)
  if (restored === undefined) await addProjects(projects)

  let logged = ''
  const sink = new PassThrough()
  sink.on('data', (chunk: Buffer) => {
    logged += chunk.toString()
  })
  const upstreamOptions: UpstreamOptions = {
    fetch,
    now,
    timeout: 10_000,
    // As in `services.ts`.
    maxResponseBytes: 10_485_760,
    onFailure: () => {},
  }
  const mails: Mail[] = []
  const log = createLog('info', sink)
  const secrets = restored?.secrets ?? createSecrets(newSecretKeys())
  // Shows written files at once.
  let looked = 0
  const later = () => {
    looked += 1_000
    return looked
  }
  const auth = createAuth({
    database,
    secrets,
    mailer: {
      async send(mail) {
        mails.push(mail)
      },
    },
    mailRates: { perCaller: 1_000, perProject: 1_000 },
    walletOrigin: overrides.walletOrigin ?? walletOrigin,
    log,
    now,
  })
  const analytics = createAnalytics({ database, log, now, days: 90 })
  const app = createApp({
    platform: {
      production: true,
      version: '1.2.3',
      modalOrigin,
      walletOrigin,
      log,
      clock: () => performance.now(), // real time: polls of the gateway wait by it.
      now,
      stopping: new AbortController().signal,
      database,
      fetch,
      ...callLimit({ perSecond: 100, burst: 2_000 }, now),
      clientAddress: () => '203.0.113.9',
      clientIp: () => '203.0.113.9',
      region: () => null,
      ...overrides,
    },
    projects: { projects, projectKeys: new Map(), ...overrides },
    accounts: {
      auth,
      wallets: createWalletStore({
        database,
        authSealer: secrets.authShares,
        recoverySealer: secrets.recoveryShares,
        now,
      }),
      walletEnds: createWalletEnds({ database, sealer: secrets.identities, now }),
      signIns: createSignIns({ database, secrets, rotateEvery: 30 * 86_400_000, now }),
      flows: createFlows({ database, secrets, limits: auth.limits, now }),
      providersOf: () => new Map(),
      farcaster: null,
      ...overrides,
    },
    chains: {
      networks: [],
      esplora: createEsplora(upstreamOptions),
      blockchain: noBlockchain,
      accountAbstraction: { bundlers: new Map(), paymasters: new Map() },
      operationBudgets: {
        bundler: { perUser: 1_000, perProject: 1_000 },
        paymaster: { perUser: 1_000, perProject: 1_000 },
      },
      fetchPublic: () => Promise.reject(new RemoteError('no connection')),
      fetchForNames: () => Promise.reject(new RemoteError('no connection')),
      ...overrides,
      upstreams: { ...createUpstreams(upstreamOptions), ...overrides.upstreams },
    },
    site: {
      directory: { routes: new Hono(), recommended: [], count: 0, hasTokenImage: () => false },
      analytics,
      relayUrl: 'wss://relay.example.com/v2',
      trustsLoopback: false,
      securityContacts: [],
      modalFiles: createFiles(modalDir, later),
      walletFiles: createFiles(walletDir, later),
      sdkFiles: createFiles(dir, later),
      staticFiles: createFiles(fileURLToPath(new URL('../../static', import.meta.url))),
      ...overrides,
    },
  })
  const request = async (url: string, init: RequestInit): Promise<Response> => {
    const absolute = new URL(url, modalOrigin)
    const headers = new Headers(init.headers)
    if (!headers.has('Host')) headers.set('Host', absolute.host)
    return app.request(absolute, { ...init, headers })
  }
  return {
    projects,
    modalDir,
    walletDir,
    sdkDir: dir,
    log: () => logged,
    fetch: app.fetch,
    request,
    get: (url, headers = {}) => request(url, { headers }),
    post: (url, body, headers = {}) =>
      request(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    database,
    secrets,
    auth,
    analytics,
    mails,
    routes: app.routes.filter(({ method }) => method !== 'ALL'),
    async close() {
      await database.close()
      await rm(dir, { recursive: true })
    },
  }
}

async function addProjects(projects: ProjectStore): Promise<void> {
  const allowedOrigins = ['https://app.example.com', 'https://*.preview.example.com']
  await projects.add(ProjectInput.parse({ id: 'demo', name: 'Demo </script> & Co', allowedOrigins }))
  await projects.add(
    ProjectInput.parse({
      id: 'strict',
      name: 'Strict',
      allowedOrigins: ['https://app.example.com'],
      defaultAncestors: false,
      features: { swaps: false },
    }),
  )
}
