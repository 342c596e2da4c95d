import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../platform/db/open'
import { users } from '../../platform/db/schema'
import { createSecrets, newSecretKeys } from '../../platform/secrets/secrets'
import { databases } from '../../testing/databases'
import { type Accounts, createAccounts, type Identity } from './accounts'

const now = () => 1_800_000_000_000
const identity = (email: string): Identity => ({ provider: 'email', subject: email, email, userName: null })

let database: Database
let accounts: Accounts
beforeAll(async () => {
  // Concurrency needs a server.
  const server = databases.find(({ kind }) => kind === 'PostgreSQL')
  if (server === undefined) throw new Error('There is no PostgreSQL to test with')
  database = await server.open()
  accounts = createAccounts({ orm: database.orm, secrets: createSecrets(newSecretKeys()), now })
})
afterAll(() => database.close())

test("a concurrent sign-in with the old address does not undo an account's move to another address", async () => {
  const { id } = await accounts.userOf(identity('old@example.com'))
  const [hash] = accounts.hashesOf('email', 'new@example.com')
  let signingIn: Promise<{ readonly id: string }> | undefined
  await database.orm.transaction(async (moving) => {
    const moved = { subjectHash: hash, email: accounts.seal(id, 'new@example.com', 'email') }
    await moving.update(users).set(moved).where(eq(users.id, id))
    signingIn = accounts.userOf(identity('old@example.com'))
    await waitsForLock()
  })
  const signedIn = await signingIn
  expect(signedIn?.id).not.toBe(id)
  const again = await accounts.userOf(identity('new@example.com'))
  expect([again.id, accounts.show(again).email]).toEqual([id, 'new@example.com'])
})

/** Waits until a connection is blocked on another's lock. */
async function waitsForLock(): Promise<void> {
  const isWaiting = sql`datname = current_database() and wait_event_type = 'Lock'`
  for (;;) {
    const waiting = await database.orm.select({ pid: sql`pid` }).from(sql`pg_stat_activity`).where(isWaiting)
    if (waiting.length > 0) return
  }
}
