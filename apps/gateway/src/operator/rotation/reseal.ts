/**
 * Seals all rows with the current keys (`gateway secrets reseal`), so that older keys can be removed.
 *
 * 1. Whatever opens is sealed again with the first key of its ring. A row that no key opens is left and counted.
 * 2. A user with an email address also gets the current key's lookup hash. A social account has only a hash: until the
 *    next sign-in renews it, the user counts as waiting.
 * 3. Each row is changed in a transaction that locks it: a concurrent sign-in or change of address loses nothing.
 * 4. Emailed codes and links, pending social sign-ins (an hour) and former addresses (14 days) are left to expire.
 */
import { and, asc, eq, gt, inArray, like, not } from 'drizzle-orm'
import { createWalletEnds } from '../../accounts/shares/ends'
import { createWalletStore } from '../../accounts/shares/store'
import { signingKeyContext } from '../../accounts/siwx/keys'
import { proofContext } from '../../accounts/siwx/stores'
import { type Accounts, createAccounts } from '../../accounts/users/accounts'
import type { Database } from '../../platform/db/open'
import { devices, users } from '../../platform/db/schema'
import { siwxKeys, siwxProofs } from '../../platform/db/siwx-schema'
import { SealError, type Sealer } from '../../platform/secrets/sealer'
import type { Secrets } from '../../platform/secrets/secrets'

/** Rows sealed again, and rows that no key opens. */
export type Count = { readonly sealed: number; readonly failed: number }

export type Resealed = {
  readonly users: Count
  readonly wallets: Count
  /** Statements of ended wallets. A deleted account's keeps the older key's hash, and is not found. */
  readonly ends: Count
  readonly signIns: Count
  readonly waiting: number
}

type Orm = Database['orm']
type Outcome = 'current' | 'sealed' | 'failed'

const rowsAtOnce = 200

export async function reseal({ orm }: Pick<Database, 'orm'>, secrets: Secrets, now: () => number): Promise<Resealed> {
  const accounts = createAccounts({ orm, secrets, now })
  const wallets = createWalletStore({
    database: { orm },
    authSealer: secrets.authShares,
    recoverySealer: secrets.recoveryShares,
    now,
  })
  const keyId = secrets.identities.keyId
  return {
    users: await countUsers(orm, (id) => resealUser(orm, accounts, keyId, id)),
    wallets: await wallets.sealOlder(),
    ends: await createWalletEnds({ database: { orm }, sealer: secrets.identities, now }).sealOlder(),
    signIns: await resealSignIns(orm, secrets.signIns),
    waiting: await orm.$count(users, not(like(users.subjectHash, `${keyId}.%`))),
  }
}

async function countUsers(orm: Orm, act: (id: string) => Promise<Outcome>): Promise<Count> {
  const count = { sealed: 0, failed: 0 }
  let last = ''
  for (;;) {
    const page = await orm
      .select({ id: users.id })
      .from(users)
      .where(gt(users.id, last))
      .orderBy(asc(users.id))
      .limit(rowsAtOnce)
    for (const { id } of page) {
      last = id
      const outcome = await act(id)
      if (outcome !== 'current') count[outcome] += 1
    }
    if (page.length < rowsAtOnce) return count
  }
}

function resealUser(orm: Orm, accounts: Accounts, keyId: string, id: string): Promise<Outcome> {
  return orm.transaction(async (tx): Promise<Outcome> => {
    const [user] = await tx.select().from(users).where(eq(users.id, id)).for('update')
    if (user === undefined) return 'current'
    const isCurrent = (text: string | null) => text === null || text.startsWith(`${keyId}.`)
    if (isCurrent(user.email) && isCurrent(user.userName) && isCurrent(user.subjectHash)) return 'current'
    const shown = open(() => accounts.show(user))
    if (shown === null) return 'failed'
    const { email, userName } = shown
    const hashes = user.provider === 'email' && email !== null ? accounts.hashesOf('email', email) : null
    const sealed = {
      email: email === null ? null : accounts.seal(id, email, 'email'),
      userName: userName === null ? null : accounts.seal(id, userName, 'userName'),
      ...(hashes?.includes(user.subjectHash) ? { subjectHash: hashes[0] } : {}),
    }
    if (sealed.subjectHash === undefined && isCurrent(user.email) && isCurrent(user.userName)) return 'current'
    await tx.update(users).set(sealed).where(eq(users.id, id))
    if (hashes !== null) {
      const isOfAddress = and(eq(devices.userId, id), inArray(devices.subjectHash, [...hashes]))
      await tx.update(devices).set({ subjectHash: hashes[0] }).where(isOfAddress)
    }
    return 'sealed'
  })
}

async function resealSignIns(orm: Orm, sealer: Sealer): Promise<Count> {
  const count = { sealed: 0, failed: 0 }
  const again = (sealed: string, context: string) => {
    const text = open(() => sealer.open(sealed, context))
    count[text === null ? 'failed' : 'sealed'] += 1
    return text === null ? null : sealer.seal(text, context)
  }
  const older = `${sealer.keyId}.%`
  for (const { kid, privateKey } of await orm
    .select()
    .from(siwxKeys)
    .where(not(like(siwxKeys.privateKey, older)))) {
    const sealed = again(privateKey, signingKeyContext(kid))
    if (sealed === null) continue
    await orm
      .update(siwxKeys)
      .set({ privateKey: sealed })
      .where(and(eq(siwxKeys.kid, kid), eq(siwxKeys.privateKey, privateKey)))
  }
  for (const { id, sealed: before } of await orm
    .select()
    .from(siwxProofs)
    .where(not(like(siwxProofs.sealed, older)))) {
    const sealed = again(before, proofContext(id))
    if (sealed === null) continue
    await orm
      .update(siwxProofs)
      .set({ sealed })
      .where(and(eq(siwxProofs.id, id), eq(siwxProofs.sealed, before)))
  }
  return count
}

function open<T>(read: () => T): T | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}
