/** The gateway with the role of `scripts/database/create-role.sh`. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { notInstalled } from '@postern/devnet/postgres'
import pg from 'pg'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { createAudit } from '../../operator/admin/audit'
import { noon } from '../../testing/clock'
import { migrationsDir } from '../../testing/migrations'
import { type Database, openPostgres } from './open'

const name = `role_${randomUUID().replaceAll('-', '')}`
let server: string
let database: Database
let role: pg.Client

beforeEach(async () => {
  const postgres = inject('postgresUrl')
  if (postgres === null) throw new Error(notInstalled)
  server = postgres
  const script = await readFile(new URL('../../../../../scripts/database/create-role.sh', import.meta.url), 'utf8')
  const [, statements = ''] = /<<'SQL'\n([\s\S]*)\nSQL/.exec(script) ?? []
  await asSuperuser(statements.replaceAll('postern', name).replace(":'password'", "'secret'").split('\n'))
  const own = new URL(server)
  own.username = name
  own.pathname = name
  database = await openPostgres(migrationsDir, own.href, (error) => {
    throw error
  })
  role = new pg.Client({ connectionString: own.href })
  await role.connect()
})
afterEach(async () => {
  await role.end()
  await database.close()
  await asSuperuser([`drop database ${name}`, `drop role ${name}`])
})

async function asSuperuser(statements: readonly string[]) {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

test('runs the migrations and writes, and is no superuser', async () => {
  await createAudit(database, () => noon).write({ actor: 'ann', action: 'test', target: null, detail: null })
  const { rows } = await role.query(
    'select rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user',
  )
  expect(rows).toEqual([{ rolsuper: false, rolcreatedb: false, rolcreaterole: false }])
  for (const attack of [
    "set session_replication_role = 'replica'",
    "copy audit_log from program 'true'",
    "select pg_read_file('postgresql.conf')",
    "alter system set log_statement = 'none'",
    'alter role current_user superuser',
  ])
    await expect(role.query(attack), attack).rejects.toThrow(/permission denied|must be superuser|Only roles with/)
  await expect(role.query('delete from audit_log')).rejects.toThrow()
  await expect(role.query('truncate audit_log')).rejects.toThrow()
})
