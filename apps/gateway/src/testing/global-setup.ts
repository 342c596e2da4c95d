/** Shared because it takes seconds: a migrated embedded database, and PostgreSQL with one, to copy. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { openEmbedded, openPostgres } from '../db/open'
import { migrationsDir } from './migrations'
import { createDatabase, findPostgres, startPostgres } from './postgres'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of an empty, migrated embedded database. */
    migratedFolder: string
    /** A server with such a database, `migrated`; null if PostgreSQL is not installed. */
    postgresUrl: string | null
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(path.join(tmpdir(), 'postern-templates-'))
  const embedded = path.join(dir, 'embedded')
  // Sequential: opening the embedded database can block this process longer than PostgreSQL's timeout.
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
