/**
 * The operations of the admin API: routes and OpenAPI document come from this list.
 * Every change, and every look at a user, is written to the audit log first (`audit.ts`).
 */
import type { WalletEntry } from '@postern/protocol'
import * as z from 'zod/mini'
import { parseOrThrow } from '../../platform/http/problem'
import { ProjectId } from '../../projects/project'
import type { AuditEntry } from './audit'
import { AdminHealth } from './health'
import { type AdminOperation, Done, done, onUser, operation } from './operation'
import { operatorOperations } from './operator-operations'
import { projectOperations, requireProject } from './project-operations'
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

const LookUp = z.strictObject({ who: z.string().check(z.minLength(1), z.maxLength(320)) })
const ScriptTag = z.strictObject({
  src: z.string(),
  /** Null: the build is not released, so its files change. */
  integrity: z.nullable(z.string()),
})
const Wallets = z.strictObject({
  /** Of all matches. */
  count: z.int(),
  /** 40 a page, in the order of the modal. */
  wallets: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      /** By EIP-6963; null without a browser extension. */
      rdns: z.nullable(z.string()),
      /** Such as `eip155`. */
      namespaces: z.array(z.string()),
      /** Ids of the WalletConnect explorer, which options may use. */
      explorerIds: z.array(z.string()),
      homepage: z.nullable(z.string()),
      certified: z.boolean(),
    }),
  ),
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
  ...operatorOperations,
  ...projectOperations,
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
