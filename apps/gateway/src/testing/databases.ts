import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { type Database, openEmbedded, openPostgres } from '../db/open'
import { startPostgres } from './postgres'

export const migrationsDir = fileURLToPath(new URL('../../drizzle', import.meta.url))

/** Both databases that the gateway runs on, for `describe.each`: whatever holds on one holds on the other. */
export const databases: readonly { readonly kind: string; open(): Promise<Database> }[] = [
  { kind: 'the embedded database', open: () => openEmbedded(migrationsDir) },
  {
    kind: 'PostgreSQL',
    async open() {
      const server = await startPostgres()
      const database = await openPostgres(migrationsDir, server.url, (error) => {
        throw error
      })
      return {
        ...database,
        async close() {
          await database.close()
          await server.stop()
        },
      }
    },
  },
]

/** Every row of every table as text, by the table's name: what somebody who took the database away would read. */
export async function everyRow({ orm }: Database): Promise<ReadonlyMap<string, string>> {
  const tables = await orm
    .select({ name: sql<string>`table_name` })
    .from(sql`information_schema.tables`)
    .where(sql`table_schema = 'public'`)
  const rows = new Map<string, string>()
  for (const { name } of tables)
    rows.set(name, JSON.stringify(await orm.execute(sql`select * from ${sql.identifier(name)}`)))
  return rows
}
