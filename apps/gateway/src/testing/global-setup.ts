/** What the gateway's tests share: a migrated embedded database to copy, and a PostgreSQL server with a migrated database to copy. Making them takes seconds. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { openEmbedded, openPostgres } from '../db/open'
import { migrationsDir } from './migrations'
import { createDatabase, findPostgres, startPostgres } from './postgres'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Folder of an embedded database on which every migration ran and nothing else happened. */
    migratedFolder: string
    /** A PostgreSQL server whose database `migrated` is the like; null where PostgreSQL is not installed. */
    postgresUrl: string | null
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(path.join(tmpdir(), 'postern-templates-'))
  const embedded = path.join(dir, 'embedded')
  // One after the other: while the embedded database opens this process hears of nothing else, on a busy machine for longer than PostgreSQL is waited for.
  await openEmbedded(migrationsDir, embedded).then((database) => database.close())
  const postgres = findPostgres() === null ? null : await startMigrated()
  project.provide('migratedFolder', embedded)
  project.provide('postgresUrl', postgres?.url ?? null)
  return async () => {
    await postgres?.stop()
    await rm(dir, { recursive: true, force: true })
  }
}

async function startMigrated() {
  const server = await startPostgres()
  try {
    const database = await openPostgres(migrationsDir, await createDatabase(server.url, 'migrated'), (error) => {
      throw error
    })
    await database.close()
  } catch (error) {
    await server.stop()
    throw error
  }
  return server
}
