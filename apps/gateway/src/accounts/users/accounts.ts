/**
 * Users and their devices. Each identity (an email address, or a provider with its subject) is one user, never linked
 * to another: a provider's claim of an address does not prove control of it.
 */
import { randomBytes } from 'node:crypto'
import { SocialProvider, type WalletApiUser } from '@postern/protocol'
import { and, eq, inArray, isNull } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Orm } from '../../platform/db/open'
import { devices, users } from '../../platform/db/schema'
import type { Secrets } from '../../platform/secrets/secrets'

export type Identity = {
  readonly provider: WalletApiUser['provider']
  /** The normalised address, or the provider's user id. */
  readonly subject: string
  readonly email: string | null
  readonly userName: string | null
}

export type UserRow = typeof users.$inferSelect

const Provider = z.union([z.literal('email'), z.literal('farcaster'), SocialProvider])

export type Accounts = {
  /** Finds or creates; updates the display data. */
  userOf(identity: Identity): Promise<UserRow>
  /** Null if the identity has a user. */
  newUserOf(identity: Identity): Promise<UserRow | null>
  /** Finds or creates; skips revoked devices. */
  deviceOf(
    user: Pick<UserRow, 'id' | 'subjectHash'>,
    device: { readonly tokenHash: string; readonly projectId: string; readonly isRestoring: boolean },
  ): Promise<string>
  /** By each key, the current one first. */
  hashesOf(provider: Identity['provider'], subject: string): readonly [string, ...string[]]
  show(user: UserRow): WalletApiUser
  seal(userId: string, text: string, what: 'email' | 'userName'): string
}

export function createAccounts(options: {
  readonly orm: Orm
  readonly secrets: Pick<Secrets, 'identities'>
  readonly now: () => number
}): Accounts {
  const { orm, now } = options
  const { identities } = options.secrets
  const contextOf = (userId: string, what: string) => `user ${userId} ${what}`
  const hashesOf: Accounts['hashesOf'] = (provider, subject) => identities.hashes(`${provider}\n${subject}`)
  const seal: Accounts['seal'] = (userId, text, what) => identities.seal(text, contextOf(userId, what))

  const ofIdentity = ({ provider, subject }: Identity) =>
    and(eq(users.provider, provider), inArray(users.subjectHash, [...hashesOf(provider, subject)]))
  const find = async (identity: Identity) => {
    const [user] = await orm.select({ id: users.id }).from(users).where(ofIdentity(identity)).limit(1)
    return user
  }
  const shown = (id: string, { provider, subject, email, userName }: Identity) => ({
    email: email === null ? null : seal(id, email, 'email'),
    userName: userName === null ? null : seal(id, userName, 'userName'),
    subjectHash: hashesOf(provider, subject)[0],
  })

  async function update(identity: Identity): Promise<UserRow | undefined> {
    const user = await find(identity)
    if (user === undefined) return undefined
    // The account must not move back if it has moved to another address since.
    const isStill = and(eq(users.id, user.id), ofIdentity(identity))
    const [row] = await orm.update(users).set(shown(user.id, identity)).where(isStill).returning()
    return row
  }

  /** Undefined if a concurrent sign-in created it. */
  async function create(identity: Identity): Promise<UserRow | undefined> {
    const id = newId()
    const [made] = await orm
      .insert(users)
      .values({ id, provider: identity.provider, ...shown(id, identity), createdAt: new Date(now()) })
      .onConflictDoNothing()
      .returning()
    return made
  }

  return {
    hashesOf,
    seal,

    async userOf(identity) {
      const row = (await update(identity)) ?? (await create(identity)) ?? (await update(identity))
      if (row === undefined) throw new Error('The user was deleted while it signed in')
      return row
    },

    async newUserOf(identity) {
      if ((await find(identity)) !== undefined) return null
      return (await create(identity)) ?? null
    },

    async deviceOf({ id: userId, subjectHash }, { tokenHash, projectId, isRestoring }) {
      const at = new Date(now())
      const [row] = await orm
        .insert(devices)
        .values({ id: newId(), userId, tokenHash, subjectHash, projectId, isRestoring, createdAt: at, usedAt: at })
        .onConflictDoUpdate({
          target: [devices.userId, devices.tokenHash],
          targetWhere: isNull(devices.revokedAt),
          set: { usedAt: at, projectId },
        })
        .returning({ id: devices.id })
      if (row === undefined) throw new Error('The device was not written')
      return row.id
    },

    show(user) {
      const shown = (sealed: string | null, what: string) =>
        sealed === null ? null : identities.open(sealed, contextOf(user.id, what))
      return {
        id: user.id,
        provider: Provider.parse(user.provider),
        email: shown(user.email, 'email'),
        userName: shown(user.userName, 'userName'),
      }
    },
  }
}

function newId(): string {
  return randomBytes(16).toString('base64url')
}
