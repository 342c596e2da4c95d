/**
 * "This was not me", the link in every email.
 *
 * 1. The link's token is sealed: only this gateway makes one, and a reader of the URL learns nothing. It is valid for 30
 *    days and ends only what its email is about. It grants nothing.
 * 2. Opening the link changes nothing, because mail scanners open links; its button does.
 * 3. A sign-in: its links and codes stop working, and the device that asked is signed out and removed, also if the
 *    account has moved to another address since.
 * 4. Any other request of a signed-in device: that device is signed out and removed.
 * 5. A code to the new address of an account ends the change only: its reader may be a stranger to the account.
 * 6. Pressing twice does no harm.
 * 7. A reader of the mail can press it too. A device on which a wallet with a passkey or passphrase was used in the last 90
 *    days, or the last one that the recovery opens, is signed out and not removed: without it, an owner who forgot the
 *    passphrase would lose the wallet. The gateway does not see a use without a signature, so the sign-in is no bound.
 */
import { and, eq, inArray, or } from 'drizzle-orm'
import * as z from 'zod/mini'
import { codes, devices, emailChanges, emailFlows, users } from '../db/schema'
import { parseJson } from '../parse-json'
import { SealError } from '../secrets/sealer'
import type { Secrets } from '../secrets/secrets'
import type { Accounts } from './accounts'
import { parseEmailAddress } from './email-address'
import type { Orm } from './limits'

export const notMePath = '/auth/not-me'
const lifetime = 30 * 24 * 60 * 60_000
const sealContext = 'not-me link'

const Subject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('signIn'), email: z.string(), deviceTokenHash: z.string() }),
  z.object({ kind: z.literal('device'), userId: z.string(), deviceId: z.string() }),
  z.object({ kind: z.literal('emailChange'), userId: z.string(), sessionId: z.string() }),
])
export type NotMeSubject = z.infer<typeof Subject>

const Link = z.object({ subject: Subject, expiresAt: z.number() })

type Device = { readonly userId: string; readonly deviceId: string }

export type NotMe = {
  linkTo(subject: NotMeSubject): string
  /** Null for a token that is not ours. */
  read(token: string): NotMeSubject | 'expired' | null
  /** @returns the devices to sign out, and to remove unless 7. */
  end(subject: NotMeSubject): Promise<readonly Device[]>
}

export function createNotMe(options: {
  readonly orm: Orm
  readonly secrets: Pick<Secrets, 'identities'>
  readonly accounts: Pick<Accounts, 'hashesOf'>
  readonly walletOrigin: string
  /** Epoch milliseconds. */
  readonly now: () => number
}): NotMe {
  const { orm, accounts, walletOrigin, now } = options
  const { identities } = options.secrets

  return {
    linkTo(subject) {
      const text = JSON.stringify({ subject, expiresAt: now() + lifetime })
      return `${walletOrigin}${notMePath}?token=${identities.seal(text, sealContext)}`
    },

    read(token) {
      const link = Link.safeParse(parseJson(openSealed(token)))
      if (!link.success) return null
      return link.data.expiresAt > now() ? link.data.subject : 'expired'
    },

    async end(subject) {
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
      }
    },
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
    const hashes = [...accounts.hashesOf('email', parseEmailAddress(subject.email)?.subject ?? subject.email)]
    await orm
      .delete(emailFlows)
      .where(and(inArray(emailFlows.emailHash, hashes), eq(emailFlows.deviceTokenHash, deviceTokenHash)))
    await orm.delete(codes).where(
      inArray(
        codes.scope,
        hashes.map((hash) => signInScope({ emailHash: hash, deviceTokenHash })),
      ),
    )
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

/** The scope of a sign-in's codes. */
export function signInScope(device: { readonly emailHash: string; readonly deviceTokenHash: string }): string {
  return `sign-in ${device.emailHash} ${device.deviceTokenHash}`
}
