import { asc, eq } from 'drizzle-orm'
import type { Database } from '../db/open'
import { projects } from '../db/schema'
import { Project, type ProjectChanges, type ProjectInput } from './project'

/** Null or false: no such project. */
export type ProjectStore = {
  find(id: string): Promise<Project | null>
  list(): Promise<Project[]>
  /** Null if the id is taken. */
  add(input: ProjectInput): Promise<Project | null>
  update(id: string, changes: ProjectChanges): Promise<Project | null>
  remove(id: string): Promise<boolean>
}

export function createProjectStore(database: Pick<Database, 'orm'>, now: () => number): ProjectStore {
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
        .values({ ...input, createdAt: at, updatedAt: at })
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

function parse(row: typeof projects.$inferSelect): Project {
  return Project.parse({ ...row, createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() })
}

/** Adds missing projects only: a seed never undoes an operator's change. */
export async function seedProjects(store: ProjectStore, seed: readonly ProjectInput[]): Promise<string[]> {
  const made: string[] = []
  for (const input of seed) if ((await store.add(input)) !== null) made.push(input.id)
  return made
}
