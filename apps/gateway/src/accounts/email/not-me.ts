/**
 * "This was not me", the link in every email.
 *
 * 1. The link's sealed token is valid for 30 days and only ends what its email is about.
 * 2. Only the button acts, because mail scanners open links.
 * 3. A sign-in: its links and codes stop working, and its device is removed, even if the account has moved to another
 *    address.
 * 4. Any other request of a signed-in device: that device is removed.
 * 5. A code to the new address of an account: only the change ends, because the reader may be a stranger.
 * 6. Pressing twice does no harm.
 * 7. Any email to the former address undoes the change (`address-changes.ts`); a former device then stays, unless the
 *    email is about the sign-in that added it. The new address's emails about the change give the account back.
 * 8. A device that used a wallet with a passkey or passphrase in the last 90 days, or the last that the recovery opens,
 *    is only signed out: a thief could press too, and an owner who forgot the passphrase would lose the wallet. The
 *    sign-in is no bound, because a use without a signature is not seen.
 */
import { and, desc, eq, inArray, or, sql } from 'drizzle-orm'
import * as z from 'zod/mini'
import type { Orm } from '../../platform/db/open'
import { codes, devices, emailChanges, emailFlows, users } from '../../platform/db/schema'
import { parseJson } from '../../platform/parse-json'
import { SealError } from '../../platform/secrets/sealer'
import type { Secrets } from '../../platform/secrets/secrets'
import type { Accounts } from '../users/accounts'
import type { AddressChanges, Undone } from '../users/address-changes'
import { parseEmailAddress } from '../users/email-address'

export const notMePath = '/auth/not-me'
const lifetime = 30 * 24 * 60 * 60_000
const sealContext = 'not-me link'

const Subject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('signIn'), email: z.string(), deviceTokenHash: z.string() }),
  /** `email`: where the link went; earlier versions lack it. */
  z.object({ kind: z.literal('device'), userId: z.string(), deviceId: z.string(), email: z.optional(z.string()) }),
  z.object({
    kind: z.literal('emailChange'),
    userId: z.string(),
    sessionId: z.string(),
    email: z.optional(z.string()),
  }),
  /** In notices of a changed address. `changedAt`: epoch ms. */
  z.object({
    kind: z.literal('addressChange'),
    userId: z.string(),
    changedAt: z.number(),
    email: z.string(),
    side: z.enum(['former', 'present']),
  }),
])
export type NotMeSubject = z.infer<typeof Subject>

export type NotMeLink = { readonly subject: NotMeSubject /** Epoch ms. */; readonly madeAt: number }

const Link = z.object({ subject: Subject, expiresAt: z.number() })

type Device = { readonly userId: string; readonly deviceId: string }

/** `until`: epoch ms. */
export type NotMeResult =
  | { readonly state: 'ended' | 'changeEnded' | 'restored' | 'givenBack' | 'final' }
  | { readonly state: 'frozen'; readonly until: number }

/** `ended`: devices to sign out, and to remove unless 8. */
export type NotMeEnd = { readonly ended: readonly Device[]; readonly result: NotMeResult }

export type NotMe = {
  linkTo(subject: NotMeSubject): string
  /** Null for a token that is not ours. */
  read(token: string): NotMeLink | 'expired' | null
  end(link: NotMeLink): Promise<NotMeEnd>
}

export function createNotMe(options: {
  readonly orm: Orm
  readonly secrets: Pick<Secrets, 'identities'>
  readonly accounts: Pick<Accounts, 'hashesOf'>
  readonly addressChanges: Pick<AddressChanges, 'ofUser' | 'ofFormer' | 'undo' | 'wasThere'>
  readonly walletOrigin: string
  /** Epoch milliseconds. */
  readonly now: () => number
}): NotMe {
  const { orm, accounts, addressChanges, walletOrigin, now } = options
  const { identities } = options.secrets

  return {
    linkTo(subject) {
      const text = JSON.stringify({ subject, expiresAt: now() + lifetime })
      return `${walletOrigin}${notMePath}?token=${identities.seal(text, sealContext)}`
    },

    read(token) {
      const link = Link.safeParse(parseJson(openSealed(token)))
      if (!link.success) return null
      const { subject, expiresAt } = link.data
      return expiresAt > now() ? { subject, madeAt: expiresAt - lifetime } : 'expired'
    },

    async end({ subject, madeAt }) {
      const undone = await undo(subject)
      const ended = await endSubject(subject)
      if (undone === null) return { ended, result: { state: await stateOf(subject) } }
      const { change } = undone
      const others: Device[] = []
      for (const device of ended) {
        const [row] = await orm.select().from(devices).where(eq(devices.id, device.deviceId))
        const isAdded = subject.kind === 'signIn' && row !== undefined && row.createdAt.getTime() >= madeAt
        if (row === undefined || isAdded || !(await addressChanges.wasThere(change, row))) others.push(device)
      }
      const all = [...undone.ended, ...others]
      if (undone.state === 'frozen') return { ended: all, result: { state: 'frozen', until: undone.until } }
      return { ended: all, result: { state: isOfNewAddress(subject) ? 'givenBack' : 'restored' } }
    },
  }

  /** 7 */
  async function undo(subject: NotMeSubject): Promise<Undone | null> {
    if (subject.email === undefined) return null
    const hashes = hashesOf(subject.email)
    const change =
      subject.kind === 'signIn' ? await addressChanges.ofFormer(hashes) : await addressChanges.ofUser(subject.userId)
    if (change === undefined) return null
    if (subject.kind === 'addressChange' && subject.changedAt !== change.changedAt.getTime()) return null
    if (isOfNewAddress(subject))
      return (await isAddressOf(change.userId, hashes)) ? addressChanges.undo(change, 'present') : null
    return hashes.includes(change.formerHash) ? addressChanges.undo(change, 'former') : null
  }

  function isOfNewAddress(subject: NotMeSubject): boolean {
    return subject.kind === 'emailChange' || (subject.kind === 'addressChange' && subject.side === 'present')
  }

  async function isAddressOf(userId: string, hashes: readonly string[]): Promise<boolean> {
    const [user] = await orm.select({ hash: users.subjectHash }).from(users).where(eq(users.id, userId))
    return user !== undefined && hashes.includes(user.hash)
  }

  /** If there is nothing to undo. */
  async function stateOf(subject: NotMeSubject): Promise<'ended' | 'changeEnded' | 'restored' | 'givenBack' | 'final'> {
    if (subject.kind === 'emailChange') return 'changeEnded'
    if (subject.kind !== 'addressChange') return 'ended'
    // Pressed again, or too late.
    const isIts = await isAddressOf(subject.userId, hashesOf(subject.email))
    if (subject.side === 'former') return isIts ? 'restored' : 'final'
    return isIts ? 'final' : 'givenBack'
  }

  async function endSubject(subject: NotMeSubject): Promise<readonly Device[]> {
    switch (subject.kind) {
      case 'signIn':
        return endSignIn(subject)
      case 'device':
        return [{ userId: subject.userId, deviceId: subject.deviceId }]
      case 'emailChange': {
        const { userId, sessionId } = subject
        await orm
          .delete(emailChanges)
          .where(and(eq(emailChanges.userId, userId), eq(emailChanges.sessionId, sessionId)))
        return []
      }
      case 'addressChange':
        return []
    }
  }

  function hashesOf(email: string): readonly string[] {
    return accounts.hashesOf('email', parseEmailAddress(email)?.subject ?? email)
  }

  function openSealed(token: string): string {
    try {
      return identities.open(token, sealContext)
    } catch (error) {
      if (error instanceof SealError) return ''
      throw error
    }
  }

  async function endSignIn(subject: Extract<NotMeSubject, { kind: 'signIn' }>): Promise<readonly Device[]> {
    const { deviceTokenHash } = subject
    const hashes = [...hashesOf(subject.email)]
    await orm
      .delete(emailFlows)
      .where(and(inArray(emailFlows.emailHash, hashes), eq(emailFlows.deviceTokenHash, deviceTokenHash)))
    const ofScopes = inArray(
      codes.scope,
      hashes.map((hash) => signInScope({ emailHash: hash, deviceTokenHash })),
    )
    // In the order of a try at a code, against deadlocks.
    const locked = orm.select({ id: codes.id }).from(codes).where(ofScopes).orderBy(desc(codes.id)).for('update')
    await orm.delete(codes).where(sql`${codes.id} = any(array(${locked}))`)
    return orm
      .select({ userId: devices.userId, deviceId: devices.id })
      .from(devices)
      .innerJoin(users, eq(users.id, devices.userId))
      .where(
        and(
          eq(devices.tokenHash, deviceTokenHash),
          eq(users.provider, 'email'),
          or(inArray(users.subjectHash, hashes), inArray(devices.subjectHash, hashes)),
        ),
      )
  }
}

export function signInScope(device: { readonly emailHash: string; readonly deviceTokenHash: string }): string {
  return `sign-in ${device.emailHash} ${device.deviceTokenHash}`
}
