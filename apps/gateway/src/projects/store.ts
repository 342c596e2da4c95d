import { asc, eq } from 'drizzle-orm'
import type { Database } from '../platform/db/open'
import { projects } from '../platform/db/schema'
import type { Log } from '../platform/log/log'
import { letsStrangersIn, Project, type ProjectChanges, type ProjectInput } from './project'

/** Null or false: no such project. */
export type ProjectStore = {
  find(id: string): Promise<Project | null>
  list(): Promise<Project[]>
  /** Null if the id is taken. */
  add(input: ProjectInput): Promise<Project | null>
  update(id: string, changes: ProjectChanges): Promise<Project | null>
  remove(id: string): Promise<boolean>
}

/** @param defaultAncestors whether a project without the setting accepts them; not in production. */
export function createProjectStore(
  database: Pick<Database, 'orm'>,
  now: () => number,
  { defaultAncestors }: { readonly defaultAncestors: boolean } = { defaultAncestors: true },
): ProjectStore {
  const { orm } = database
  return {
    async find(id) {
      // PostgreSQL rejects NUL in text.
      if (id.includes('\0')) return null
      const [row] = await orm.select().from(projects).where(eq(projects.id, id)).limit(1)
      return row === undefined ? null : parse(row)
    },
    async list() {
      return (await orm.select().from(projects).orderBy(asc(projects.id))).map(parse)
    },
    async add(input) {
      const at = new Date(now())
      const [row] = await orm
        .insert(projects)
        .values({
          ...input,
          defaultAncestors: input.defaultAncestors ?? defaultAncestors,
          createdAt: at,
          updatedAt: at,
        })
        .onConflictDoNothing()
        .returning()
      return row === undefined ? null : parse(row)
    },
    async update(id, changes) {
      const set = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
      const [row] = await orm
        .update(projects)
        .set({ ...set, updatedAt: new Date(now()) })
        .where(eq(projects.id, id))
        .returning()
      return row === undefined ? null : parse(row)
    },
    async remove(id) {
      return (await orm.delete(projects).where(eq(projects.id, id)).returning({ id: projects.id })).length > 0
    },
  }
}

/** On a shared host such as vercel.app, anyone can publish a page that these projects allow. */
export async function warnOfDefaultAncestors(store: Pick<ProjectStore, 'list'>, log: Pick<Log, 'warn'>): Promise<void> {
  const open = (await store.list()).filter(({ defaultAncestors }) => defaultAncestors).map(({ id }) => id)
  if (open.length === 0) return
  log.warn(
    { projects: open },
    'default ancestors are on: any page on localhost, preview hosts and tunnels can use these projects. Switch them off with: project update <id> --no-default-ancestors',
  )
}

/** An entry of an earlier version that is no longer accepted allows nothing. */
function parse(row: typeof projects.$inferSelect): Project {
  return Project.parse({
    ...row,
    allowedOrigins: row.allowedOrigins.filter((entry) => !letsStrangersIn(entry)),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  })
}

/** Adds missing projects only: a seed never undoes an operator's change. */
export async function seedProjects(store: ProjectStore, seed: readonly ProjectInput[]): Promise<string[]> {
  const made: string[] = []
  for (const input of seed) if ((await store.add(input)) !== null) made.push(input.id)
  return made
}
