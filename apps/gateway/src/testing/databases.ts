import { fileURLToPath } from 'node:url'
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
