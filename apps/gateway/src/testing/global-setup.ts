/** Shared because it takes seconds: the built program, and migrated databases to copy. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { createDatabase, findPostgres, startPostgres } from '@postern/devnet/postgres'
import type { TestProject } from 'vitest/node'
import { openEmbedded, openPostgres } from '../platform/db/open'
import { migrationsDir } from './migrations'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Of an empty, migrated embedded database. */
    migratedFolder: string
    /** A server with such a database, `migrated`; null if PostgreSQL is not installed. */
    postgresUrl: string | null
    /** Folder of the production build, which starts three times as fast as the sources. */
    builtFolder: string
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dir = await mkdtemp(path.join(tmpdir(), 'postern-templates-'))
  const embedded = path.join(dir, 'embedded')
  // In a process of its own, beside the rest.
  const built = buildGateway()
  // Sequential: opening the embedded database can block this process longer than PostgreSQL's timeout.
  await openEmbedded(migrationsDir, embedded).then((database) => database.close())
  const postgres = findPostgres() === null ? null : await startMigrated()
  project.provide('migratedFolder', embedded)
  project.provide('postgresUrl', postgres?.url ?? null)
  project.provide('builtFolder', await built)
  return async () => {
    await postgres?.stop()
    for (const folder of [dir, await built]) await rm(folder, { recursive: true, force: true })
  }
}

async function buildGateway(): Promise<string> {
  const packageDir = path.resolve(import.meta.dirname, '../..')
  // Below the package, like `dist`: it finds its files from there.
  const folder = path.join(packageDir, `.vite-${process.pid}`)
  const vite = path.join(createRequire(import.meta.url).resolve('vite/package.json'), '../bin/vite.js')
  await promisify(execFile)(process.execPath, [vite, 'build', '--logLevel', 'error', '--outDir', folder], {
    cwd: packageDir,
    env: { PATH: process.env.PATH },
  })
  return folder
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
