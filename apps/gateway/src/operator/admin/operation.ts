/** Operations of the admin API. `operations.ts` has them all. */
import type { WalletEntry } from '@postern/protocol'
import * as z from 'zod/mini'
import { parseOrThrow, problem } from '../../platform/http/problem'
import type { ProjectStore } from '../../projects/store'
import type { Audit } from './audit'
import type { AdminHealth } from './health'
import type { OidcSessions } from './oidc/sessions'
import type { Operator, Role } from './role'
import type { AnalyticsSummary } from './summary'
import type { Users } from './users'

type Query = Readonly<Record<string, string>>

export type AdminParts = {
  readonly projects: ProjectStore
  readonly users: Users
  readonly audit: Audit
  readonly sessions: {
    signOutEverywhere(userId: string): Promise<void>
    block(userId: string): Promise<void>
    unblock(userId: string): Promise<void>
    deleteUser(userId: string): Promise<void>
  }
  /** Null: tokens only. */
  readonly operatorSessions: Pick<OidcSessions, 'list' | 'end' | 'endAllOf'> | null
  health(): Promise<AdminHealth>
  summarise(query: { readonly projectId: string; readonly days: number }): Promise<AnalyticsSummary>
  /** A page of the matches, and their total number. */
  findWallets(query: { readonly search: string; readonly page: number }): {
    readonly data: readonly WalletEntry[]
    readonly count: number
  }
  readonly signInNetworks: ReadonlySet<string>
  /** The snippet names it. */
  readonly modalOrigin: string
  /** Of the newest build, null before its release. `path`: on the modal site. */
  pinnedTag(): Promise<{ readonly path: string; readonly integrity: string } | null>
}

type Input<B> = { readonly id: string; readonly query: Query; readonly body: B; readonly operator: Operator }

export type AdminOperation = {
  readonly method: 'get' | 'post' | 'patch' | 'delete'
  /** OpenAPI syntax, below `/admin/v1`. */
  readonly path: string
  readonly summary: string
  /** Admins may also call a viewer's operations. */
  readonly role: Role
  readonly query?: z.ZodMiniObject
  readonly body?: z.ZodMiniType
  readonly response: z.ZodMiniType
  /** Checks the body by `body`. */
  run(parts: AdminParts, input: Input<unknown>): Promise<unknown>
}

export const Done = z.strictObject({ status: z.literal('ok') })

export const done: z.infer<typeof Done> = { status: 'ok' }

export function operation<B extends z.ZodMiniType>(
  entry: Omit<AdminOperation, 'body' | 'run'> & {
    readonly body: B
    run(parts: AdminParts, input: Input<z.output<B>>): Promise<unknown>
  },
): AdminOperation {
  return { ...entry, run: (parts, input) => entry.run(parts, { ...input, body: parseOrThrow(entry.body, input.body) }) }
}

/** On one user, who must exist; written to the audit log first. */
export function onUser(
  method: AdminOperation['method'],
  path: string,
  summary: string,
  role: Role,
  action: string,
  response: z.ZodMiniType,
  act: (parts: AdminParts, id: string) => Promise<unknown>,
): AdminOperation {
  return {
    method,
    path: `/users/{id}${path}`,
    summary,
    role,
    response,
    async run(parts, { id, operator }) {
      if ((await parts.users.find(id)) === null) throw missing('user')
      await parts.audit.write({ actor: operator.name, action, target: id, detail: null })
      const result = await act(parts, id)
      if (result === null) throw missing('user')
      return result
    },
  }
}

export function missing(what: 'project' | 'user') {
  return problem(404, what, `There is no such ${what}`)
}
