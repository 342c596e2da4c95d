/**
 * The operations of the admin API: routes and OpenAPI document come from this list.
 *
 * 1. Every change, and every look at a user, is written to the audit log first (`audit.ts`).
 * 2. Projects are changed by the store that the command line uses.
 */
import { randomBytes } from 'node:crypto'
import type { WalletEntry } from '@postern/protocol'
import * as z from 'zod/mini'
import { parseOrThrow, problem } from '../http/problem'
import { languages } from '../mail/text'
import { isAllowed, listedEntry, Project, ProjectChanges, ProjectId, ProjectInput } from '../projects/project'
import { signInChainsProblem } from '../projects/sign-in-networks'
import type { ProjectStore } from '../projects/store'
import type { AuditEntry } from './audit'
import { auditedProjects } from './audited-projects'
import { AdminHealth } from './health'
import { type AdminOperation, type AdminParts, Done, done, missing, onUser, operation } from './operation'
import { Role } from './role'
import { AnalyticsSummary } from './summary'
import { User, UserExport, UserSummary } from './users'

const wholeNumber = z.pipe(
  z.string().check(z.regex(/^\d{1,15}$/, 'must be a whole number')),
  z.transform((text: string) => Number(text)),
)
const maxDays = 90

const AuditQuery = z.object({
  before: z.optional(wholeNumber),
  target: z.optional(z.string().check(z.regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be an id'))),
})
const AnalyticsQuery = z.object({ projectId: ProjectId, days: z.optional(wholeNumber) })
const DirectoryQuery = z.object({
  search: z.optional(z.string().check(z.maxLength(128, 'must be 128 characters or fewer'))),
  page: z.optional(wholeNumber.check(z.gte(1, 'must be at least 1'))),
})

/** The id is optional: a random one. */
const NewProject = z.extend(ProjectInput, { id: z.optional(ProjectId) })
const TestOrigin = z.strictObject({ origin: z.string().check(z.maxLength(2_048)) })
const LookUp = z.strictObject({ who: z.string().check(z.minLength(1), z.maxLength(320)) })
/** The audit log has it. */
const SignOutOperator = z.strictObject({
  who: z.string().check(z.regex(/^[^\p{C}]{1,320}$/u, 'must be a subject or email address')),
})
const ScriptTag = z.strictObject({
  src: z.string(),
  /** Of the attribute. Null: a build that is not released, whose files change. */
  integrity: z.nullable(z.string()),
})
const Ended = z.strictObject({ ended: z.int() })
const OperatorSession = z.strictObject({
  id: z.string(),
  /** As the audit log names them. */
  operator: z.string(),
  role: Role,
  signedInAt: z.string(),
  expiresAt: z.string(),
  /** The caller's own. */
  isThis: z.boolean(),
})
const OriginTest = z.strictObject({
  allowed: z.boolean(),
  /** The entry of the list, or `default ancestors`. Null if no rule allows it. */
  rule: z.nullable(z.string()),
  /** What was tested: the origin of the entered URL. */
  origin: z.string(),
})

const Wallets = z.strictObject({
  /** Of all that match. */
  count: z.int(),
  /** 40 a page, in the order of the modal. */
  wallets: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      /** By EIP-6963. Null: not announced by a browser extension. */
      rdns: z.nullable(z.string()),
      /** Such as `eip155`. */
      namespaces: z.array(z.string()),
      /** Other names that options may use: ids of the WalletConnect explorer. */
      explorerIds: z.array(z.string()),
      homepage: z.nullable(z.string()),
      certified: z.boolean(),
    }),
  ),
})

const Me = z.strictObject({
  name: z.string(),
  role: Role,
  modalOrigin: z.string(),
  /** Of the emails. */
  mailLanguages: z.array(z.string()),
  /** Whether operators may sign in at an OpenID provider. */
  openId: z.boolean(),
})

const Entry = z.strictObject({
  id: z.int(),
  at: z.string(),
  actor: z.string(),
  action: z.string(),
  target: z.nullable(z.string()),
  detail: z.nullable(z.string()),
})

export const adminOperations: readonly AdminOperation[] = [
  {
    method: 'get',
    path: '/me',
    summary: 'The operator of the token',
    role: 'viewer',
    response: Me,
    run: async ({ modalOrigin, operatorSessions }, { operator: { name, role } }) => ({
      name,
      role,
      modalOrigin,
      mailLanguages: languages,
      openId: operatorSessions !== null,
    }),
  },
  {
    method: 'get',
    path: '/script-tag',
    summary: 'The script tag for a page, pinned by version and hash',
    role: 'viewer',
    response: ScriptTag,
    async run({ modalOrigin, pinnedTag }) {
      const pinned = await pinnedTag()
      return { src: `${modalOrigin}${pinned?.path ?? '/postern.js'}`, integrity: pinned?.integrity ?? null }
    },
  },
  {
    method: 'post',
    path: '/sign-out',
    summary: 'Ends the session of the token. A token of the settings stays valid',
    role: 'viewer',
    response: Done,
    async run({ audit, operatorSessions }, { operator: { name, sessionId } }) {
      if (sessionId === null || operatorSessions === null) return done
      await audit.write({ actor: name, action: 'operator.sign-out', target: null, detail: null })
      await operatorSessions.end(sessionId)
      return done
    },
  },
  operation({
    method: 'post',
    path: '/operators/sign-out',
    summary:
      'Ends all sessions of an operator who signed in at the provider, by subject, email address or both. 404 if none is open',
    role: 'admin',
    body: SignOutOperator,
    response: Ended,
    async run({ audit, operatorSessions }, { operator, body: { who } }) {
      if (operatorSessions === null) throw tokensOnly()
      await audit.write({ actor: operator.name, action: 'operator.end-sessions', target: null, detail: who })
      const ended = await operatorSessions.endAllOf(who)
      if (ended === 0) throw problem(404, 'who', 'No session is open under this name. List the open sessions')
      return { ended }
    },
  }),
  {
    method: 'get',
    path: '/operators/sessions',
    summary: 'Open sessions of operators who signed in at the provider, newest first',
    role: 'admin',
    response: z.array(OperatorSession),
    async run({ operatorSessions }, { operator: { sessionId } }) {
      const open = (await operatorSessions?.list()) ?? []
      return open.map((session) => ({ ...session, isThis: session.id === sessionId }))
    },
  },
  {
    method: 'delete',
    path: '/operators/sessions/{id}',
    summary: 'Ends a session of an operator',
    role: 'admin',
    response: Ended,
    async run({ audit, operatorSessions }, { operator, id }) {
      if (operatorSessions === null) throw tokensOnly()
      const session = (await operatorSessions.list()).find((open) => open.id === id)
      if (session === undefined) throw problem(404, 'session', 'This session is not open')
      await audit.write({
        actor: operator.name,
        action: 'operator.end-session',
        target: null,
        detail: session.operator,
      })
      await operatorSessions.end(id)
      return { ended: 1 }
    },
  },
  {
    method: 'get',
    path: '/projects',
    summary: 'All projects',
    role: 'viewer',
    response: z.array(Project),
    run: ({ projects }) => projects.list(),
  },
  operation({
    method: 'post',
    path: '/projects',
    summary: 'Makes a project',
    role: 'admin',
    body: NewProject,
    response: Project,
    run: async (parts, { body, operator }) => {
      const input = { ...body, id: body.id ?? randomBytes(16).toString('hex') }
      requireKnownChains(parts, body)
      if ((await parts.projects.find(input.id)) !== null) throw taken(input.id)
      const project = await auditedProjects(parts.projects, parts.audit, operator.name).add(input)
      if (project === null) throw taken(input.id)
      return project
    },
  }),
  {
    method: 'get',
    path: '/projects/{id}',
    summary: 'One project',
    role: 'viewer',
    response: Project,
    run: async ({ projects }, { id }) => requireProject(projects, id),
  },
  operation({
    method: 'patch',
    path: '/projects/{id}',
    summary: 'Changes the settings that are named, and keeps the rest',
    role: 'admin',
    body: ProjectChanges,
    response: Project,
    run: async (parts, { id, body, operator }) => {
      const { projects, audit } = parts
      await requireProject(projects, id)
      requireKnownChains(parts, body)
      if (Object.keys(body).length === 0) throw problem(400, 'request', 'Nothing to change')
      const project = await auditedProjects(projects, audit, operator.name).update(id, body)
      if (project === null) throw missing('project')
      return project
    },
  }),
  {
    method: 'delete',
    path: '/projects/{id}',
    summary: 'Deletes a project with its events',
    role: 'admin',
    response: Done,
    run: async ({ projects, audit }, { id, operator }) => {
      await requireProject(projects, id)
      await auditedProjects(projects, audit, operator.name).remove(id)
      return done
    },
  },
  operation({
    method: 'post',
    path: '/projects/{id}/test-origin',
    summary: 'Whether the project allows an origin, and by which rule',
    role: 'viewer',
    body: TestOrigin,
    response: OriginTest,
    run: async ({ projects }, { id, body }) => testOrigin(await requireProject(projects, id), body.origin),
  }),
  operation({
    method: 'post',
    path: '/users/look-up',
    summary:
      "Users by email address, by the wallet's EVM or Solana address, or by id. In the body: URLs end up in logs",
    role: 'viewer',
    body: LookUp,
    response: z.array(UserSummary),
    run: async ({ users, audit }, { body, operator }) => {
      const found = await users.lookUp(body.who)
      const target = found.map(({ id }) => id).join(', ')
      await audit.write({ actor: operator.name, action: 'user.look-up', target: target || null, detail: null })
      return found
    },
  }),
  onUser('get', '', 'A user with wallets and devices', 'viewer', 'user.view', User, ({ users }, id) => users.find(id)),
  onUser(
    'get',
    '/export',
    'All readable data of a user, for the user. No share and no secret',
    'admin',
    'user.export',
    UserExport,
    ({ users }, id) => users.export(id),
  ),
  onUser('post', '/sign-out', 'Ends all sessions of a user', 'admin', 'user.sign-out', Done, ({ sessions }, id) =>
    sessions.signOutEverywhere(id).then(() => done),
  ),
  onUser(
    'post',
    '/block',
    'Ends all sessions of a user and refuses new ones. The wallet stays',
    'admin',
    'user.block',
    Done,
    ({ sessions }, id) => sessions.block(id).then(() => done),
  ),
  onUser('post', '/unblock', 'Lets a blocked user sign in again', 'admin', 'user.unblock', Done, ({ sessions }, id) =>
    sessions.unblock(id).then(() => done),
  ),
  onUser(
    'delete',
    '',
    'Deletes a user with the shares of the wallet. A user without a backup of the seed loses the wallet',
    'admin',
    'user.delete',
    Done,
    ({ sessions }, id) => sessions.deleteUser(id).then(() => done),
  ),
  {
    method: 'get',
    path: '/analytics',
    summary: `Stored events of a project by day, of up to ${maxDays} days (default 30)`,
    role: 'viewer',
    query: AnalyticsQuery,
    response: AnalyticsSummary,
    run: async ({ projects, summarise }, { query }) => {
      const { projectId, days = 30 } = parseOrThrow(AnalyticsQuery, query)
      await requireProject(projects, projectId)
      return summarise({ projectId, days: Math.min(maxDays, Math.max(1, days)) })
    },
  },
  {
    method: 'get',
    path: '/health',
    summary: 'Database, email, upstreams and limits, of this replica since its start',
    role: 'viewer',
    response: AdminHealth,
    run: ({ health }) => health(),
  },
  {
    method: 'get',
    path: '/directory',
    summary: 'Wallets of the directory, 40 a page, by name',
    role: 'viewer',
    query: DirectoryQuery,
    response: Wallets,
    async run({ findWallets }, { query }) {
      const { search = '', page = 1 } = parseOrThrow(DirectoryQuery, query)
      const { data, count } = findWallets({ search, page })
      return { count, wallets: data.map(describeWallet) }
    },
  },
  {
    method: 'get',
    path: '/audit',
    summary: 'Audit log, newest first, 100 entries. `before`: the id of the last one that you have',
    role: 'viewer',
    query: AuditQuery,
    response: z.array(Entry) satisfies z.ZodMiniType<AuditEntry[]>,
    run: ({ audit }, { query }) => audit.list(parseOrThrow(AuditQuery, query)),
  },
]

function describeWallet(entry: WalletEntry): z.infer<typeof Wallets>['wallets'][number] {
  const namespaces = (entry.chains ?? []).map((chain) => chain.split(':', 1)[0] ?? chain)
  return {
    id: entry.id,
    name: entry.name,
    rdns: entry.rdns ?? null,
    namespaces: [...new Set(namespaces)],
    explorerIds: entry.explorer_ids ?? [],
    // The directory may be an operator's own file.
    homepage: entry.homepage?.startsWith('https://') === true ? entry.homepage : null,
    certified: entry.badge_type === 'certified',
  }
}

function testOrigin(project: Project, entered: string): z.infer<typeof OriginTest> {
  if (!URL.canParse(entered) || !/^https?:$/.test(new URL(entered).protocol)) {
    throw problem(400, 'origin', 'Enter an origin such as https://app.example.com')
  }
  const { origin } = new URL(entered)
  const allowed = isAllowed(origin, project)
  return { allowed, rule: allowed ? (listedEntry(origin, project) ?? 'default ancestors') : null, origin }
}

function requireKnownChains(
  { signInNetworks }: Pick<AdminParts, 'signInNetworks'>,
  { signInChains }: Pick<ProjectChanges, 'signInChains'>,
): void {
  const wrong = signInChainsProblem(signInChains, signInNetworks)
  if (wrong !== null) throw problem(400, 'request', `signInChains: ${wrong}`)
}

async function requireProject(projects: Pick<ProjectStore, 'find'>, id: string): Promise<Project> {
  const project = ProjectId.safeParse(id).success ? await projects.find(id) : null
  if (project === null) throw missing('project')
  return project
}

function taken(id: string) {
  return problem(409, 'id', `There is already a project ${id}`)
}

function tokensOnly() {
  return problem(404, 'oidc', 'This gateway has tokens only')
}
